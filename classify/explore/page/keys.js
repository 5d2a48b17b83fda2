// Keys: a digit or letter for each category; the letters that mean something else are left out.
const CATEGORY_KEYS = "123456789abcdefghilmnopqrstvwyz";

export const keyOf = (position) => CATEGORY_KEYS[position] || "";
export const positionOf = (key) => (key.length === 1 ? CATEGORY_KEYS.indexOf(key) : -1);

export const HELP = [
  ["1–9, a–z", "give the category with that key, to the selected documents or to this one, and go on"],
  ["Enter", "take the guess"],
  ["space", "skip"],
  ["u", "undo, as far back as you like"],
  ["j, k", "next and previous document (also the arrows)"],
  ["x", "select the document, or not"],
  ["/", "search"],
  ["Shift+R", "run"],
  ["Esc", "forget the selection; leave a field"],
  ["?", "these keys"],
];

const typing = (element) => ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName) || element.isContentEditable;

// What a key press asks for, as the name of an action and its value; null where it is none of ours.
export function actionOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (typing(event.target)) return event.key === "Escape" ? ["leave"] : null;
  const onButton = ["BUTTON", "A", "SUMMARY"].includes(event.target.tagName);
  if (event.key === "R" && event.shiftKey) return ["run"];
  if (event.key === "?") return ["help"];
  if (event.shiftKey) return null;
  switch (event.key) {
    case "Enter": return onButton ? null : ["guess"];
    case " ": return onButton ? null : ["move", 1];
    case "u": return ["undo"];
    case "j": case "ArrowDown": return ["move", 1];
    case "k": case "ArrowUp": return ["move", -1];
    case "x": return ["select"];
    case "/": return ["search"];
    case "Escape": return ["clear"];
  }
  const position = positionOf(event.key);
  return position < 0 ? null : ["category", position];
}

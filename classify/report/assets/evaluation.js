// How right: the table, the matrix.

function showEvaluation({ evaluation, categories }) {
  if (evaluation.pseudo) {
    $("pseudo-block").hidden = false;
    fill("pseudo-block", element("h3", {}, "Pseudo labels"), element("p", { class: "hint" }, "Documents with the most instances of one category and none of another, and how many of them belong there. The preset paper learns from these alone, the default from all documents."),
      element("div", { class: "panel scroll" }, tableOf(evaluation.pseudo, [
        { head: "At most per category", number: true, cell: row => count(row.size) },
        { head: "Documents", number: true, cell: row => count(row.documents) },
        { head: "Right", class: "bar-cell", cell: row => row.accuracy === null ? "–" : meter(row.accuracy, percent(row.accuracy, 1)) }], { class: "narrow" })));
  }
  $("evaluation-block").hidden = false;
  if (!evaluation.confusion) { for (const id of ["figures", "figures-title", "confusion", "confusion-title", "mistakes"]) $(id).hidden = true; return; }
  const link = (row, i) => element("button", { type: "button", class: "link category", on: { click: () => report.chooseCategory(i) } }, categoryMark(i), row.name);
  fill("figures", tableOf(categories, [
    { head: "Category", row: true, class: "name", cell: link },
    { head: "F1", class: "bar-cell", cell: row => meter(row.figures.f1, number(row.figures.f1)) },
    { head: "Precision", number: true, cell: row => number(row.figures.precision) },
    { head: "Recall", number: true, cell: row => number(row.figures.recall) },
    { head: "True documents", number: true, cell: row => count(row.figures.documents) },
    { head: "Given", number: true, cell: row => count(row.documents) },
    ...(categories.some(row => row.pseudo) ? [{ head: "First 50 pseudo labels right", number: true, cell: row => row.pseudo && row.pseudo.known ? ofKnown(row.pseudo) : "–" }] : []),
  ]));
  showConfusion(evaluation.confusion, categories);
}

/** By the style sheet's own colours, so that the shades follow a change of theme. */
function shade(value, share) {
  return { background: value ? `rgba(var(--heat), ${(.08 + .85 * share).toFixed(3)})` : "", color: share > .6 ? "var(--panel)" : "" };
}

function showConfusion(confusion, categories) {
  const sums = confusion.map(row => row.reduce((a, b) => a + b, 0)), n = categories.length, cells = [];
  const say = (i, j) => {
    const value = confusion[i][j];
    $("confusion-cell").textContent = "true “" + categories[i].name + "”, given “" + categories[j].name + "”: " + plural(value, "document") + (sums[i] ? ", " + percent(value / sums[i], 1) + " of the row" : "");
  };
  const show = (i, j) => report.ready.documents && report.filterDocuments({ label: i, category: j });
  const short = value => value < 1000 ? String(value || "") : value < 9950 ? (value / 1000).toFixed(1) + "k" : Math.round(value / 1000) + "k";
  const body = confusion.map((row, i) => element("tr", {}, element("th", { scope: "row", title: categories[i].name }, categories[i].name), row.map((value, j) => {
    const share = sums[i] ? value / sums[i] : 0;
    const cell = element("td", { class: i === j ? "right" : "", tabindex: i + j ? -1 : 0, style: shade(value, share),
      "aria-label": count(value) + ", true " + categories[i].name + ", given " + categories[j].name,
      on: { mouseenter: () => say(i, j), focus: () => say(i, j), click: () => show(i, j) } }, short(value));
    cells.push(cell);
    return cell;
  })));
  const grid = element("table", { class: n > 26 ? "matrix dense" : "matrix", "aria-label": "Confusion matrix, rows true, columns given" },
    element("thead", {}, element("tr", {}, element("td", { style: { background: "none" } }), categories.map(category => element("th", { scope: "col", title: category.name }, element("div", {}, category.name))))),
    element("tbody", {}, body));
  grid.addEventListener("keydown", event => {
    const at = cells.indexOf(document.activeElement);
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(Math.floor(at / n), at % n); return; }
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: n, ArrowUp: -n }[event.key];
    if (!step || !cells[at + step] || (Math.abs(step) === 1 && Math.floor((at + step) / n) !== Math.floor(at / n))) return;
    event.preventDefault();
    cells[at].tabIndex = -1;
    cells[at + step].tabIndex = 0;
    cells[at + step].focus();
  });
  fill("confusion", grid);
  const mistakes = confusion.flatMap((row, i) => row.map((value, j) => ({ i, j, value }))).filter(({ i, j, value }) => i !== j && value).sort((a, b) => b.value - a.value).slice(0, 12);
  fill("mistakes", tableOf(mistakes, [
    { head: "True", row: true, class: "name", cell: row => categories[row.i].name },
    { head: "Given", class: "name", cell: row => categories[row.j].name },
    { head: "Documents", number: true, cell: row => count(row.value) },
    { head: "Of the true ones", class: "bar-cell", cell: row => meter(row.value / sums[row.i], percent(row.value / sums[row.i])) },
    { head: "", cell: row => element("button", { type: "button", class: "quiet", "aria-label": "Show documents of " + categories[row.i].name + " given " + categories[row.j].name, on: { click: () => show(row.i, row.j) } }, "Show") },
  ]));
}

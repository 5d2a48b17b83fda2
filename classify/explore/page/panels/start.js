// Before the first run: what was read, topics to name categories by, and what to do.
import { html, useState, get, plural, useAsked, Failed, Waiting } from "../lib.js";
import { chooseFile } from "./drop.js";
import { plain } from "./categories.js";

function Topic({ app, one }) {
  const [words, setWords] = useState([]);
  const toggle = (word) => setWords((old) => (old.includes(word) ? old.filter((w) => w !== word) : [...old, word]));
  const name = words[0];
  const make = () => app.edit([...app.state.categories.map(plain), { name, keywords: words.slice(1), excluded: [], share: null, path: [], description: "" }], `added ${name}`).then((done) => done && setWords([]));
  return html`<li><span class="chips">${one.words.map((word) => html`<button type="button" class="chip" key=${word} aria-pressed=${String(words.includes(word))} onClick=${() => toggle(word)}>${word}</button>`)}
    <button type="button" class="link" onClick=${() => app.show({ queue: "lasso", lasso: one.lasso })}>show ${one.typical} of ${plural(one.documents, "document")}</button>
    ${name && html`<button type="button" class="primary" disabled=${app.state.read_only} onClick=${make}>Make “${name}” a category</button>`}</span></li>`;
}

function Topics({ app }) {
  const found = useAsked(() => get("/topics"), []);
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (!found.value) return html`<${Waiting} what="Looking for topics" />`;
  if (!found.value.length) return null;
  return html`<h3>Topics found in the documents</h3><p class="soft">To name categories by: the first word you choose becomes the name, the others stand for it.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Topics"><ul class="topics">${found.value.map((one) => html`<${Topic} key=${one.words.join()} app=${app} one=${one} />`)}</ul></div>`;
}

export function Start({ app }) {
  const { state } = app;
  const ready = state.categories.length >= 2;
  return html`<section class="start" aria-label="Start">
    <h2>${ready ? "Run to sort the documents" : "Name your categories"}</h2>
    <p>${plural(state.documents, "document")} with ${state.texts.join(" and ") || "no text"}${state.fields.length ? ` and the metadata ${state.fields.join(", ")}` : ""}.
      ${state.file && html` <button type="button" class="link" onClick=${() => app.open("Columns")}>What each column was taken for</button>`}</p>
    <p>Names are enough to begin with: type at least two on the left, one at a time or with commas between them. Words that stand for a category can follow later.</p>
    ${ready && html`<p><button type="button" class="primary" disabled=${state.read_only} onClick=${app.run}>Run</button></p>`}
    <${Topics} app=${app} />
    <p class="soft"><label>Another file: drop it on the page, or choose it <input type="file" disabled=${state.read_only} onChange=${chooseFile} /></label></p>
  </section>`;
}

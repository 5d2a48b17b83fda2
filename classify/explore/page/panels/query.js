// Query: Cypher with the schema beside it, history, rows as a table and as a picture; documents go to the list.
import { html, useState, useRef, get, post, plural, save, useAsked, Empty, Failed, Waiting } from "../lib.js";
import { completions } from "../completion.js";
import { cookbook } from "../cookbook.js";
import { Picture } from "./picture.js";

const KEPT = 30, LONG = 240;
// What stays while another panel is open: the query, its rows, the queries before it.
const kept = { text: null, found: null, history: [] };

function Schema({ found, insert }) {
  if (found.loading) return html`<${Waiting} what="Reading the schema" />`;
  if (found.error) return html`<${Failed} message=${found.error} />`;
  const relationships = new Map(); // a type has a row for each pair of labels that it joins
  for (const { type, from, to, properties } of found.value.relationships) {
    const seen = relationships.get(type) || { name: type, from: new Set(), to: new Set(), properties };
    relationships.set(type, seen); seen.from.add(from); seen.to.add(to);
  }
  const some = (labels) => (labels.size > 3 ? plural(labels.size, "label") : [...labels].join(", "));
  const line = ({ name, from, to, properties }) => html`<li><button type="button" class="link" onClick=${() => insert(`:${name}`)}>:${name}</button> <small>${from ? `${some(from)} → ${some(to)}` : ""}${from && Object.keys(properties).length ? "; " : ""}${Object.keys(properties).join(", ")}</small></li>`;
  const labels = found.value.labels.filter(({ label }) => label !== "HinGraph").map(({ label, properties }) => ({ name: label, properties })); // that one is ours
  return html`<details class="schema" open><summary>Labels and relationships</summary><ul>${[...labels, ...relationships.values()].map(line)}</ul></details>`;
}

// A spreadsheet must not take a cell for a formula.
const cell = (text) => { const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text; return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe; };
const csv = (found) => [found.columns, ...found.rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";

// A node with a long text would fill the page.
const Cell = ({ text }) => (text.length > LONG ? html`<details><summary>${text.slice(0, LONG)} …</summary>${text.slice(LONG)}</details>` : text);

export function Query({ app }) {
  const [typed, setTyped] = useState(kept.text);
  const [found, setRows] = useState(kept.found);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const box = useRef(null);
  const schema = useAsked(() => get("/schema"), [app.state.loaded, app.state.classified && app.state.classified.identity]);
  const examples = cookbook(schema.value);
  const text = typed !== null ? typed : examples.length ? examples[0][1] : "";
  const offered = open ? completions(schema.value, text, caret) : { names: [] };
  const setText = (next) => { kept.text = next; setTyped(next); };
  const setFound = (next) => { kept.found = next; setRows(next); };
  const run = async (event) => {
    event.preventDefault();
    setBusy(true); setError(null);
    try {
      setFound(await post("/query", { query: text }));
      kept.history = [text, ...kept.history.filter((one) => one !== text)].slice(0, KEPT);
    } catch (e) { setFound(null); setError(e.message); }
    setBusy(false);
  };
  const insert = (part, start = box.current.selectionStart) => {
    const end = box.current.selectionEnd;
    box.current.focus();
    box.current.setRangeText(part, start, end, "end");
    setText(box.current.value); setOpen(false);
  };
  const keys = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(event);
    else if (event.key === "Escape" && offered.names.length) { event.stopPropagation(); setOpen(false); }
    else if (event.key === "Tab" && !event.shiftKey && offered.names.length && offered.start < caret) { event.preventDefault(); insert(offered.names[0], offered.start); }
  };
  const type = (event) => { setText(event.target.value); setCaret(event.target.selectionStart); setOpen(true); };
  const choose = (event) => { if (event.target.value) setText(event.target.value); event.target.value = ""; };
  const documents = found && ((found.picture && found.picture.nodes.some((n) => n.document !== null)) || found.columns.some((c) => c === "document" || c.split(".").pop() === "id"));
  return html`<section id="query" aria-label="Query"><form onSubmit=${run}>
      <label>Cypher, for reading only (Ctrl+Enter runs it)<textarea rows="5" spellcheck=${false} ref=${box} value=${text} onInput=${type} onKeyDown=${keys}></textarea></label>
      <p class="chips complete" role="status">${offered.names.length > 0 && html`${offered.names.map((name) => html`<button type="button" class="chip" key=${name} onClick=${() => insert(name, offered.start)}>${name}</button>`)} <small>Tab takes the first, Esc closes</small>`}</p>
      <p class="chips"><button type="submit" class="primary" disabled=${busy || !text.trim()}>Ask</button>
      <label>Examples <select onChange=${choose}><option value="">choose …</option>${examples.map(([name, q]) => html`<option value=${q}>${name}</option>`)}</select></label>
      ${kept.history.length > 0 && html`<label>History <select onChange=${choose}><option value="">choose …</option>${kept.history.map((q) => html`<option value=${q}>${q.replace(/\s+/g, " ").slice(0, 80)}</option>`)}</select></label>`}</p></form>
    <${Schema} found=${schema} insert=${insert} />
    ${busy ? html`<${Waiting} what="Asking the graph" />` : error ? html`<${Failed} message=${error} />` : found && html`
      <p class="soft" role="status">${plural(found.rows.length, "row")}${found.cut ? ", the first of more" : ""}${found.notes.map((note) => `; ${note}`)}</p>
      <p class="chips">${documents && html`<button type="button" onClick=${() => app.show({ queue: "search", search: text })}>Label these documents</button>`}
        <button type="button" onClick=${() => save("rows.csv", new Blob([csv(found)], { type: "text/csv" }))}>CSV</button>
        <button type="button" onClick=${() => save("rows.json", new Blob([JSON.stringify(found.records, null, 1)], { type: "application/json" }))}>JSON</button></p>
      ${found.picture && html`<${Picture} picture=${found.picture} app=${app} />`}
      ${found.rows.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="Rows"><table class="rows"><thead><tr>${found.columns.map((c) => html`<th scope="col">${c}</th>`)}</tr></thead>
        <tbody>${found.rows.map((row) => html`<tr>${row.map((value) => html`<td><${Cell} text=${value} /></td>`)}</tr>`)}</tbody></table></div>` : html`<${Empty}>No rows.<//>`}`}
  </section>`;
}

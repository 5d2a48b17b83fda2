// Documents: queues, search, and a list in which every line can be labelled.
import { html, useState, useEffect, useRef, fieldOf, number, percent, plural, Empty, Failed, Waiting } from "../lib.js";

const QUEUES = [
  ["asking", "worth asking"], ["unsure", "least sure"], ["typical", "typical of"], ["between", "between two"],
  ["none", "fits none"], ["lasso", "chosen in another panel"], ["preview", "would move (preview)"], ["measure", "drawn to measure"], ["motif", "of a motif instance"], ["moved", "moved by the last run"], ["answered", "answered"], ["search", "search"], ["all", "all"],
];
const NEEDS = { typical: 1, between: 2 };
// Lists that another panel makes.
const GIVEN = ["lasso", "preview", "measure", "motif"];
const WITHOUT_RUN = ["answered", "search", "all"];

function Bar({ app }) {
  const { state, queue } = app;
  const [text, setText] = useState(queue.search || "");
  useEffect(() => setText(queue.search || ""), [queue.search]);
  const names = state.classified ? state.classified.names : [];
  const choose = (event) => {
    const kind = event.target.value;
    const first = queue.category || names[0];
    if (GIVEN.includes(kind)) return;
    if (kind === "search") { document.getElementById("search").focus(); return; }
    app.show({ queue: kind, ...(NEEDS[kind] ? { category: first } : {}), ...(NEEDS[kind] === 2 ? { other: names.find((n) => n !== first) } : {}) });
  };
  const pick = (key) => (event) => {
    const next = { ...queue, [key]: event.target.value };
    if (!next[key]) delete next[key];
    app.show(next);
  };
  const search = (event) => { event.preventDefault(); document.activeElement.blur(); app.show(text.trim() ? { queue: "search", search: text } : { queue: "all" }); };
  const select = (key, label, every) => html`<label>${label} <select value=${queue[key] || ""} onChange=${pick(key)}>
    ${every && html`<option value="">any</option>`}${names.map((n) => html`<option value=${n}>${n}</option>`)}</select></label>`;
  return html`<div class="bar">
    <label>Show <select value=${queue.queue} onChange=${choose}>${QUEUES.map(([kind, said]) => html`<option value=${kind} disabled=${(!state.classified && !WITHOUT_RUN.includes(kind)) || (GIVEN.includes(kind) && queue.queue !== kind)}>${said}</option>`)}</select></label>
    ${(NEEDS[queue.queue] || queue.queue === "unsure") && select("category", "of", queue.queue === "unsure")}
    ${NEEDS[queue.queue] === 2 && select("other", "and", false)}
    <form role="search" onSubmit=${search}><label>Search <input id="search" type="search" value=${text} onInput=${(e) => setText(e.target.value)}
      placeholder=${`words, ${fieldOf(state)}: a value, /regex/`} /></label></form>
  </div>`;
}

function Selection({ app }) {
  const { state, selected, list, queue } = app;
  if (state.read_only) return null;
  const names = state.categories.map((one) => one.name);
  const many = ["search", "lasso", "preview", "motif"].includes(queue.queue) && list.total > 1;
  if (!selected.size && !many) return null;
  const give = (work) => (event) => { if (event.target.value) work(event.target.value); event.target.value = ""; };
  const menu = (label, work) => html`<label>${label} <select onChange=${give(work)}><option value="">choose a category …</option>${names.map((n) => html`<option value=${n}>${n}</option>`)}</select></label>`;
  return html`<p class="selection">${selected.size > 0 ? html`${menu(`Label ${plural(selected.size, "selected document")}`, app.label)}
    <button type="button" onClick=${() => app.setSelected(new Set())}>Forget the selection</button>`
    : menu(`Label all ${number(list.total)} found`, app.labelQueue)}</p>`;
}

function Item({ app, one, place }) {
  const here = place === app.at;
  const line = useRef(null);
  useEffect(() => { if (here && line.current) line.current.scrollIntoView({ block: "nearest" }); }, [here]);
  const given = one.answer || one.category;
  return html`<tr ref=${line} class=${here ? "here" : ""} aria-current=${here ? "true" : undefined} onClick=${() => app.setAt(place)}>
    <td><input type="checkbox" checked=${app.selected.has(one.document)} aria-label=${`select ${one.document}`} onClick=${(e) => e.stopPropagation()} onChange=${() => app.toggle(one.document)} /></td>
    <td><button type="button" class="title" onClick=${() => app.setAt(place)}>${one.title || one.document}</button>${one.excerpt && html`<div class="excerpt">${one.excerpt}</div>`}</td>
    <td class=${one.answer ? "answered" : ""}>${given || (app.queue.queue === "measure" || !app.state.classified ? "" : "none")}${one.answer ? " ✓" : ""}${one.before !== undefined && one.before !== one.answer ? html` <small>was ${one.before || "none"}</small>` : ""}${one.after && one.after !== one.answer ? html` <small>would be <b>${one.after}</b></small>` : ""}</td>
    <td class="figure">${one.answer ? "" : percent(one.confidence)}</td></tr>`;
}

export function Documents({ app }) {
  const { list, queue } = app;
  const said = queue.queue === "search" ? `Nothing was found. All words must occur; ${fieldOf(app.state)}: a value finds a value, /…/ a regular expression, MATCH … RETURN d what a query returns.` : queue.queue === "moved" ? "No document moved between the last two runs."
    : queue.queue === "answered" ? "No answers yet: a digit or letter gives the document a category." : "There is nothing here.";
  return html`<section id="documents" aria-label="Documents">
    <${Bar} app=${app} /><${Selection} app=${app} />
    ${queue.queue === "measure" && html`<p class="note">Drawn at random to measure the labels, which are not shown here. Answer what each is; nothing is learned from it. <button type="button" disabled=${!app.here} onClick=${() => app.label(null)}>None of the categories</button> <button type="button" onClick=${() => app.open("Quality")}>Back to the quality</button></p>`}
    <p class="soft" role="status">${list.loading ? "" : plural(list.total, "document")}</p>
    ${list.error ? html`<${Failed} message=${list.error} />` : list.documents.length ? html`<table class="list"><thead><tr><th scope="col"><span class="hidden">Selected</span></th><th scope="col">Document</th><th scope="col">Category</th><th scope="col">Confidence</th></tr></thead>
      <tbody>${list.documents.map((one, place) => html`<${Item} key=${one.document} app=${app} one=${one} place=${place} />`)}</tbody></table>` : !list.loading && html`<${Empty}>${said}<//>`}
    ${list.loading ? html`<${Waiting} what="Looking for documents" />` : list.documents.length < list.total && html`<button type="button" onClick=${() => app.load(queue, list.documents.length)}>More</button>`}
  </section>`;
}

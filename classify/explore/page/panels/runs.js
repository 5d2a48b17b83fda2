// Runs: former ones, and what moved between any two.
import { html, useState, get, number, plural, useAsked, wordOf, Empty, Failed, Waiting } from "../lib.js";

function Difference({ runs, app }) {
  const [pair, setPair] = useState([runs[runs.length - 2].number, runs[runs.length - 1].number]);
  const found = useAsked(() => get("/runs/difference", { before: pair[0], after: pair[1] }), pair);
  const pick = (place) => (event) => setPair(pair.map((old, i) => (i === place ? Number(event.target.value) : old)));
  const choose = (place, label) => html`<label>${label} <select value=${pair[place]} onChange=${pick(place)}>${runs.map((run) => html`<option value=${run.number}>run ${run.number}</option>`)}</select></label>`;
  return html`<h3>What moved</h3><p>${choose(0, "from")} ${choose(1, "to")}</p>
    ${found.loading ? html`<${Waiting} />` : found.error ? html`<${Failed} message=${found.error} />` : html`
      <p role="status">${plural(found.value.moved, "document")} of ${number(found.value.documents)} moved. ${found.value.moved > 0 && html`<button type="button" onClick=${() => app.show({ queue: "lasso", lasso: found.value.lasso })}>Show them</button>`}</p>
      ${found.value.right && html`<p>Right of ${number(found.value.right.documents)} with a ${found.value.right.source === "labels" ? "true label" : "measuring answer"}: ${number(found.value.right.before)} before, ${number(found.value.right.after)} after (${number(found.value.right.mended)} corrected, ${number(found.value.right.spoiled)} made wrong).</p>`}
      ${found.value.flows.length > 0 && html`<table class="rows"><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Documents</th></tr></thead>
        <tbody>${found.value.flows.slice(0, 30).map((move) => html`<tr><td>${move.before || "none"}</td><td>${move.after || "none"}</td><td class="figure">${number(move.documents)}</td></tr>`)}</tbody></table>`}
      ${found.value.examples.length > 0 && html`<h3>Why some of them moved</h3><ul>${found.value.examples.map((one) => html`<li key=${one.document}><button type="button" class="link" onClick=${() => app.show({ queue: "search", search: one.document })}>${one.title || one.document}</button>: ${one.before || "none"} to ${one.after || "none"}${one.reasons.length ? `, by ${one.reasons.map((reason) => wordOf(reason.instance)).join(", ")}` : ""}</li>`)}</ul>`}`}`;
}

export function Runs({ app }) {
  const identity = app.state.classified && app.state.classified.identity;
  const found = useAsked(() => get("/runs"), [identity]);
  if (found.loading && !found.value) return html`<${Waiting} />`;
  if (found.error) return html`<${Failed} message=${found.error} />`;
  const runs = found.value;
  if (!runs.length) return html`<${Empty}>No run of the workbench yet.<//>`;
  return html`<section id="runs" aria-label="Runs"><h2>Runs</h2>
    <table class="rows"><thead><tr><th scope="col">Run</th><th scope="col">When</th><th scope="col">Answers</th><th scope="col">Documents of each category</th></tr></thead>
      <tbody>${[...runs].reverse().map((run) => html`<tr key=${run.number}><td>${run.number}</td><td>${run.at.replace("T", " ").slice(0, 16)} UTC</td><td class="figure">${number(run.known)}</td>
        <td>${run.names.map((name, i) => `${name} ${number(run.sizes[i])}`).join(", ")}</td></tr>`)}</tbody></table>
    ${runs.length === 1 && html`<${Empty}>After a second run, what moved is shown here.<//>`}
    ${runs.length > 1 && html`<${Difference} key=${runs.length} runs=${runs} app=${app} />`}</section>`;
}

// Fields: what each metadata field is worth, its switch, and what switching it would move.
import { html, useState, get, post, number, percent, plural, useAsked, Empty, Failed, Waiting } from "../lib.js";
import { moveOf } from "./preview.js";

function Effect({ app, one }) {
  const [asked, setAsked] = useState(0);
  const { classified, revision } = app.state;
  const found = useAsked(() => (asked ? post("/preview", { fields: { [one.field]: !one.used } }) : null), [asked, classified && classified.identity, revision]);
  if (!classified) return html`<span class="soft">after the first run</span>`;
  if (!asked) return html`<button type="button" onClick=${() => setAsked(1)}>Preview<span class="hidden"> switching ${one.field}</span></button>`;
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (found.loading || !found.value) return html`<${Waiting} what="Looking" />`;
  const { moved, moves, lasso } = found.value;
  return html`<span role="status">about ${plural(moved, "document")}${moves.length ? html` <small>${moves.slice(0, 2).map(moveOf).join(", ")}</small>` : ""}</span>
    ${moved > 0 && html` <button type="button" onClick=${() => app.show({ queue: "preview", lasso })}>Show who</button>`}`;
}

export function Fields({ app }) {
  const { state } = app;
  const found = useAsked(() => get("/fields"), [state.classified && state.classified.identity, state.revision, state.run.status]);
  const judge = () => app.attempt(async () => app.setState(await post("/fields/judge")));
  if (found.loading && !found.value) return html`<${Waiting} what="Reading the fields" />`;
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (!found.value.length) return html`<${Empty}>The documents have no metadata.<//>`;
  const set = (one) => () => app.attempt(async () => { app.setState(await post("/fields", { field: one.field, on: !one.used })); app.setMessage(`${one.field} is switched ${one.used ? "off" : "on"} for the next run.`); });
  return html`<section id="fields" aria-label="Fields"><h2>Metadata fields</h2>
    <p class="soft">Worth: the share of the labels, as the texts alone give them, that a field predicts. A field that predicts none of them, or something other than the names mean, is not used; the switch overrules that.</p>
    ${state.classified && found.value.every((one) => one.worth === null) && html`<p>The last run did not judge the fields, as its patterns were named. <button type="button" disabled=${state.read_only || state.run.status === "running"} onClick=${judge}>Judge them</button></p>`}
    <div class="scroll" tabindex="0" role="region" aria-label="Table of fields"><table class="rows"><thead><tr><th scope="col">Used</th><th scope="col">Field</th><th scope="col">Worth</th><th scope="col">Why</th><th scope="col">Switching it would move</th></tr></thead>
      <tbody>${found.value.map((one) => html`<tr key=${one.field}><td><input type="checkbox" role="switch" checked=${one.used} disabled=${state.read_only} aria-label=${`use ${one.field}`} onChange=${set(one)} /></td>
        <td>${one.field}<br /><small>${plural(one.values, "value")} in ${plural(one.documents, "document")}</small></td>
        <td class="figure">${one.worth === null ? "" : html`<meter min="0" max="1" value=${one.worth} aria-label=${`worth of ${one.field}`}></meter> ${percent(one.worth)}`}</td>
        <td>${one.why || "not judged yet"}${one.switched ? html` <small>(switched ${one.used ? "on" : "off"} by you)</small>` : ""}</td>
        <td><${Effect} app=${app} one=${one} /></td></tr>`)}</tbody></table></div></section>`;
}

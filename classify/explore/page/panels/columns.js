// Columns: what each column of the file was taken for and why; corrected by a click, the file is loaded again.
import { html, useState, useEffect, get, post, number, useAsked, Failed, Waiting } from "../lib.js";

const KINDS = { id: "the id", text: "text", metadata: "metadata", label: "true label", link: "link", "left out": "left out" };

export function Columns({ app }) {
  const { state } = app;
  const running = state.run.status === "running";
  const found = useAsked(() => get("/columns"), [state.loaded]);
  const [kinds, setKinds] = useState({});
  useEffect(() => setKinds({}), [state.loaded]);
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (!found.value) return html`<${Waiting} what="Reading the columns" />`;
  const pick = (one) => (event) => { const next = { ...kinds }; if (event.target.value === one.kind) delete next[one.column]; else next[one.column] = event.target.value; setKinds(next); };
  const changed = Object.keys(kinds).length;
  const again = () => app.attempt(async () => app.setState(await post("/columns", { columns: kinds })));
  return html`<section id="columns" aria-label="Columns"><h2>Columns of ${state.file}</h2>
    <p class="soft">What each column was taken for, and why. Loading again keeps your categories and answers; the labels have to be made anew.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of columns"><table class="rows"><thead><tr><th scope="col">Column</th><th scope="col">Taken for</th><th scope="col">Values</th><th scope="col">Such as</th><th scope="col">Why</th></tr></thead>
      <tbody>${found.value.map((one) => html`<tr key=${one.column}><td>${one.column}</td><td><select value=${kinds[one.column] || one.kind} disabled=${state.read_only || running} aria-label=${`what ${one.column} is`} onChange=${pick(one)}>${Object.entries(KINDS).map(([kind, said]) => html`<option value=${kind}>${said}</option>`)}</select></td>
        <td class="figure">${one.values === null ? "" : number(one.values)}</td><td>${one.example.slice(0, 60)}</td><td>${one.why}</td></tr>`)}</tbody></table></div>
    <p><button type="button" class=${changed ? "primary" : ""} disabled=${!changed || state.read_only || running} onClick=${again}>Load again with ${changed || "no"} correction${changed === 1 ? "" : "s"}</button>
      ${!state.classified && html` <button type="button" class=${changed ? "" : "primary"} disabled=${changed > 0} onClick=${() => app.open("Documents")}>They are right: ${state.categories.length > 1 ? "go on" : "name your categories"}</button>`}</p></section>`;
}

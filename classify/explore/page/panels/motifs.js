// Motifs: patterns with what they are worth, instances with documents and what they indicate; a pattern can be tried.
import { html, useState, useEffect, useRef, fieldOf, get, number, percent, plural, useAsked, Empty, Failed, Waiting } from "../lib.js";
import { Picture } from "./picture.js";

const PAGE = 50;
// The long form with what this graph has.
const longForm = ({ links, fields }) => { const field = fieldOf({ fields: fields.length ? fields : ["term"] }); return `(d:document)${links.length ? `-[:${links[0]}]->(e:document)` : ""}-[:${field}]->(v:${field})`; };

function Patterns({ app, pattern, choose }) {
  const identity = app.state.classified && app.state.classified.identity;
  const found = useAsked(() => get("/motifs"), [identity]);
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (!found.value) return html`<${Waiting} what="Judging the patterns" />`;
  return html`<table class="rows"><caption class="hidden">Patterns</caption><thead><tr><th scope="col">Pattern</th><th scope="col">Worth</th><th scope="col">Instances</th><th scope="col">Of the documents</th></tr></thead>
    <tbody>${found.value.map((one) => html`<tr key=${one.pattern} class=${one.pattern === pattern ? "here" : ""}><td><button type="button" class="link" aria-pressed=${String(one.pattern === pattern)} onClick=${() => choose(one.pattern)}>${one.pattern}</button></td>
      <td class="figure">${one.worth === null ? "" : html`<meter min="0" max="1" value=${one.worth} aria-label=${`worth of ${one.pattern}`}></meter> ${percent(one.worth)}`}</td>
      <td class="figure">${one.instances === null ? "" : number(one.instances)}</td><td class="figure">${one.coverage === null ? "" : percent(one.coverage)}</td></tr>`)}</tbody></table>`;
}

function Drawn({ app, pattern, instance, close }) {
  const found = useAsked(() => get("/motifs/picture", { pattern, instance }), [pattern, instance]);
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (found.loading || !found.value) return html`<${Waiting} what="Drawing" />`;
  return html`<h3>${instance}, ${plural(found.value.documents, "document")}</h3><${Picture} picture=${found.value} app=${app} size=${[640, 360]} /><button type="button" onClick=${close}>Close the picture</button>`;
}

function Instances({ app, pattern }) {
  const [asked, setAsked] = useState({ search: "", sort: "documents", chance: 0 });
  const [limit, setLimit] = useState(PAGE);
  const [drawn, setDrawn] = useState(null);
  const [typed, setTyped] = useState("");
  const head = useRef(null);
  useEffect(() => head.current.scrollIntoView({ block: "center" }), []); // below a long table of patterns they would not be seen
  const identity = app.state.classified && app.state.classified.identity;
  const found = useAsked(() => get("/motifs/instances", { pattern, ...asked, limit }), [pattern, asked.search, asked.sort, asked.chance, limit, identity]);
  const set = (change) => setAsked((old) => ({ ...old, ...change }));
  const search = (event) => { event.preventDefault(); set({ search: typed }); };
  const chance = (event) => set(event.target.checked ? { chance: 1 } : { chance: 0, sort: asked.sort === "lift" ? "documents" : asked.sort });
  const bar = html`<h3 ref=${head}>${pattern}</h3><form class="chips" onSubmit=${search}><label>Find <input value=${typed} onInput=${(e) => setTyped(e.target.value)} /></label>
    <label>Sort by <select value=${asked.sort} onChange=${(e) => set({ sort: e.target.value })}><option value="documents">documents</option><option value="share" disabled=${!identity}>how clearly it indicates</option><option value="lift" disabled=${!asked.chance}>more than chance</option><option value="name">name</option></select></label>
    <label><input type="checkbox" checked=${Boolean(asked.chance)} onChange=${chance} /> compare with chance</label></form>`;
  if (found.error) return html`${bar}<${Failed} message=${found.error} />`;
  if (!found.value) return html`${bar}<${Waiting} what="Matching the pattern" />`;
  const { total, instances, skipped, coverage } = found.value;
  return html`${bar}${drawn && html`<${Drawn} app=${app} pattern=${pattern} instance=${drawn} close=${() => setDrawn(null)} />`}
    <p class="soft" role="status">${found.loading ? html`<span class="spin"></span>` : ""}${plural(total, "instance")} of ${found.value.pattern}, in ${percent(coverage)} of the documents${skipped ? `; ${plural(skipped, "document")} with too many left out` : ""}</p>
    ${instances.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="Instances"><table class="rows"><thead><tr><th scope="col">Instance</th><th scope="col">Documents</th><th scope="col">Indicates</th><th scope="col">Kappa</th>${asked.chance ? html`<th scope="col">By chance</th><th scope="col">Lift</th><th scope="col">q</th>` : ""}<th scope="col"><span class="hidden">Picture</span></th></tr></thead>
      <tbody>${instances.map((one) => html`<tr key=${one.instance}><td><button type="button" class="link" onClick=${() => app.show({ queue: "motif", pattern, instance: one.instance })}>${one.instance}</button></td><td class="figure">${number(one.documents)}</td>
        <td>${one.category ? `${one.category}, ${percent(one.share)}` : ""}</td><td class="figure">${one.kappa === null || one.kappa === undefined ? "" : one.kappa}</td>
        ${asked.chance ? html`<td class="figure">${one.expected === undefined ? "" : one.expected.toFixed(1)}</td><td class="figure">${one.lift === undefined ? "" : one.lift.toFixed(1)}</td><td class="figure">${one.q === undefined ? "" : one.q < 0.001 ? "< .001" : one.q.toFixed(3)}</td>` : ""}
        <td><button type="button" aria-label=${`picture of ${one.instance}`} onClick=${() => setDrawn(one.instance)}>Picture</button></td></tr>`)}</tbody></table></div>` : html`<${Empty}>No instance in enough documents.<//>`}
    ${instances.length < total && html`<button type="button" onClick=${() => setLimit(Math.min(500, limit + 100))} disabled=${limit >= 500}>More</button>`}`;
}

export function Motifs({ app }) {
  const [pattern, setPattern] = useState(null);
  const [text, setText] = useState("");
  const attempt = (event) => { event.preventDefault(); if (text.trim()) setPattern(text.trim()); };
  return html`<section id="motifs" aria-label="Motifs"><h2>Motif patterns</h2>
    <p class="soft">Worth: the share of the labels that its instances predict, on documents left out${app.state.classified ? "" : "; known after the first run"}.</p>
    <${Patterns} app=${app} pattern=${pattern} choose=${setPattern} />
    <form class="field" onSubmit=${attempt}><label>Try a pattern<input value=${text} spellcheck=${false} onInput=${(e) => setText(e.target.value)} placeholder=${`${app.state.fields.slice(0, 2).join("-") || "term"}, or ${longForm(app.state)}`} /></label>
      <button type="submit" disabled=${!text.trim()}>Match</button></form>
    ${pattern ? html`<${Instances} key=${pattern} app=${app} pattern=${pattern} />` : html`<${Empty}>Choose a pattern to see its instances.<//>`}</section>`;
}

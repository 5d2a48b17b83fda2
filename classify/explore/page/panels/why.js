// Why: the text with the terms that speak for and against marked, values, reasons, what is near.
import { html, useState, get, percent, useAsked, wordOf, Empty, Failed, Waiting } from "../lib.js";
import { addWord } from "./categories.js";
import { Neighbourhood } from "./picture.js";

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Cuts a text at the terms that are reasons: pieces with the weight of the term, 0 for what is between.
function pieces(text, weights) {
  const terms = [...weights.keys()].sort((a, b) => b.length - a.length).map((t) => escaped(t).replace(/[\s_]+/g, "[\\s_-]+"));
  if (!terms.length) return [[text, 0]];
  const found = [];
  let last = 0;
  for (const match of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join("|")})(?![\\p{L}\\p{N}])`, "giu"))) {
    const weight = weights.get(match[0].toLowerCase().replace(/[\s_-]+/g, " ")) || 0;
    found.push([text.slice(last, match.index), 0], [match[0], weight]);
    last = match.index + match[0].length;
  }
  return [...found, [text.slice(last), 0]];
}

const Marked = ({ text, weights }) => pieces(text, weights).map(([part, weight]) => (weight ? html`<mark class=${weight > 0 ? "for" : "against"}>${part}</mark>` : part));

function Reasons({ app, why }) {
  const [all, setAll] = useState(false);
  const strongest = Math.max(...why.reasons.map((r) => Math.abs(r.weight)), 1e-9);
  const shown = all ? why.reasons : why.reasons.slice(0, 12);
  const known = app.state.categories.some((one) => one.name === why.category) && !app.state.read_only;
  const word = (reason) => wordOf(reason.instance);
  const can = (reason) => known && !["prior", "text"].includes(reason.pattern);
  return html`<table class="reasons"><caption>What speaks for and against ${why.category}</caption><tbody>${shown.map((reason) => html`<tr>
    <td><meter class=${reason.weight < 0 ? "against" : "for"} min="0" max="1" value=${Math.abs(reason.weight) / strongest} aria-label=${`weight ${reason.weight.toFixed(2)}`}></meter></td>
    <td>${word(reason)}</td><td class="figure">${reason.weight.toFixed(2)}</td>
    <td>${can(reason) && html`<button type="button" title=${`make it a word of ${why.category}`} aria-label=${`${word(reason)} stands for ${why.category}`} onClick=${() => addWord(app, why.category, word(reason))}>+</button>
      <button type="button" title=${`let it speak against ${why.category}`} aria-label=${`${word(reason)} speaks against ${why.category}`} onClick=${() => addWord(app, why.category, `-${word(reason)}`)}>−</button>`}</td></tr>`)}</tbody></table>
    ${why.reasons.length > shown.length && html`<button type="button" onClick=${() => setAll(true)}>All ${why.reasons.length} reasons</button>`}`;
}

function Flip({ app, document }) {
  const [asked, setAsked] = useState(null);
  const wanted = asked === document;
  const found = useAsked(() => (wanted ? get("/flip", { document }) : null), [wanted, document, app.state.classified.identity]);
  if (!wanted) return html`<p><button type="button" onClick=${() => setAsked(document)}>What would it be without …?</button></p>`;
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (found.loading || !found.value) return html`<${Waiting} />`;
  return html`<p role="status">${found.value.flip ? `${found.value.flip.line.replaceAll("*", "")}.` : "No 30 reasons or fewer decide it."}</p>`;
}

function Around({ app, document, title }) {
  const [asked, setAsked] = useState(null);
  if (asked !== document) return html`<p><button type="button" onClick=${() => setAsked(document)}>Picture of what it is joined to</button></p>`;
  return html`<${Neighbourhood} app=${app} document=${document} title=${title} />`;
}

// The values of a field; those that are reasons by themselves with their weight.
function Values({ app, field, values, reasons }) {
  const weight = (value) => { const name = `${field}[${value}]`.toLowerCase(); const found = reasons.find((reason) => reason.instance.toLowerCase() === name); return found && Math.abs(found.weight) >= 0.005 ? found.weight : 0; };
  return html`<p class="chips"><span class="soft">${field}</span> ${values.map((value) => { const w = weight(value); return html`<button type="button" key=${value} class=${`chip ${w > 0 ? "for" : w < 0 ? "against" : ""}`} title="documents with this value"
    onClick=${() => app.show({ queue: "search", search: `${field}: ${value}` })}>${value}${w ? html` <small>${w.toFixed(2)}</small>` : ""}</button>`; })}</p>`;
}

function Near({ app, document }) {
  const identity = app.state.classified.identity;
  const found = useAsked((signal) => get("/near", { document }, signal), [document, identity], 250);
  if (found.loading) return html`<${Waiting} what="Looking for documents near it" />`;
  if (found.error) return html`<${Failed} message=${found.error} />`;
  return html`<h3>Nearest documents</h3><ul class="near">${found.value.map((one) => html`<li key=${one.document}><button type="button" class="title" onClick=${() => app.show({ queue: "search", search: one.document })}>${one.title || one.document}</button> <span class="soft">${one.answer || one.category || "none"}, ${one.cosine.toFixed(2)}</span></li>`)}</ul>`;
}

export function Why({ app }) {
  const { here, state } = app;
  const [other, setOther] = useState(null);
  const name = here && here.document;
  const blind = app.queue.queue === "measure"; // the label must not sway who measures it
  const asked = other && other.document === name ? other.category : "";
  const identity = state.classified && state.classified.identity;
  const found = useAsked((signal) => (name ? get("/why", { document: name, category: asked }, signal) : null), [name, asked, identity], 60);
  const body = () => {
    if (!name) return html`<${Empty}>Choose a document.<//>`;
    if (found.error) return html`<${Failed} message=${found.error} />`;
    if (!found.value || found.value.document !== name) return html`<${Waiting} />`;
    const one = found.value;
    const why = blind || !state.classified ? null : one.why;
    const weights = new Map((why ? why.reasons : []).flatMap((r) => { const term = wordOf(r.instance); return term !== r.instance ? [[term.toLowerCase().replace(/[\s_-]+/g, " "), r.weight]] : []; }));
    return html`<p class="soft">${one.document}</p>
      ${why && html`<p class="verdict">${here.answer ? html`You said <b>${here.answer}</b>. ` : ""}${asked && asked !== one.category ? html`Why not <b>${asked}</b>, ${percent(why.confidence)}?` : why.category ? html`<b>${why.category}</b>, ${percent(why.confidence)}` : why.note}${!asked && why.runner_up && html`; else ${""}<button type="button" class="link" onClick=${() => setOther({ document: name, category: why.runner_up.category })}>${why.runner_up.category}</button>`}
        ${asked && html` <button type="button" class="link" onClick=${() => setOther(null)}>back to its own category</button>`}</p>`}
      ${one.texts.map((part) => html`<div class="text" key=${part.field}><h3>${part.field}</h3><p><${Marked} text=${part.text} weights=${weights} />${part.cut ? " …" : ""}</p></div>`)}
      ${why && why.reasons.length > 0 && html`<${Reasons} app=${app} why=${why} key=${name + asked} />`}
      ${why && why.reasons.length > 0 && html`<${Flip} app=${app} document=${name} />`}
      ${Object.entries(one.values).filter(([, values]) => values.length).map(([field, values]) => html`<${Values} key=${field} app=${app} field=${field} values=${values} reasons=${why ? why.reasons : []} />`)}
      ${Object.entries(one.links).filter(([, to]) => to.length).map(([link, to]) => html`<p class="chips" key=${link}><span class="soft">${link}</span> ${to.map((d) => html`<button type="button" class="chip" onClick=${() => app.show({ queue: "search", search: d })}>${d}</button>`)}</p>`)}
      ${!blind && html`<${Around} app=${app} document=${name} title=${one.title || name} />`}
      ${state.classified && !blind && html`<${Near} app=${app} document=${name} />`}`;
  };
  return html`<aside id="why" aria-label="Why"><h2>${here ? here.title || here.document : "Why"}</h2>${body()}</aside>`;
}

// Categories: add, rename, merge, split, remove; words for and against; shares, a tree, a description.
import { html, useState, useEffect, useRef, fieldOf, get, post, number, percent, plural, useAsked, Late, Waiting } from "../lib.js";
import { keyOf } from "../keys.js";

const OFFERED = 4;
const KEPT = ["name", "keywords", "share", "excluded", "path", "description"];
export const plain = (category) => Object.fromEntries(KEPT.map((key) => [key, category[key]]));

// The categories with one of them changed, to nothing (removed), to one or to several.
const changed = (state, name, made) => state.categories.flatMap((one) => (one.name === name ? made.map((m) => ({ ...plain(one), ...m })) : [plain(one)]));

// Adds a word for (or, with a minus, against) a category; other panels use it too.
export function addWord(app, name, text) {
  const word = text.trim().replace(/^-\s*/, "");
  const category = app.state.categories.find((one) => one.name === name);
  if (!word || !category) return null;
  const key = text.trim().startsWith("-") ? "excluded" : "keywords";
  const what = key === "keywords" ? `${word} stands for ${name}` : `${word} speaks against ${name}`;
  if (category[key].includes(word)) { app.setMessage(`${what[0].toUpperCase()}${what.slice(1)} already.`); return true; }
  return app.edit(changed(app.state, name, [{ [key]: [...category[key], word] }]), what);
}

function Checked({ kind, text, of, hint }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => { const timer = setTimeout(() => setTyped(text), 200); return () => clearTimeout(timer); }, [text]);
  const found = useAsked((signal) => (typed.trim() ? get("/check", { kind, text: typed, of }, signal) : null), [typed]);
  if (!text.trim() || found.error) return html`<p class="soft check" role="status">${text.trim() ? found.error : hint}</p>`;
  if (typed !== text || found.loading || !found.value) return html`<p class="soft check" role="status"><${Late} what="Looking for it" /></p>`;
  return html`<p class="soft check" role="status">in ${plural(found.value.documents, "document")}${found.value.notes.map((note) => `; ${note}`)}</p>`;
}

function Chips({ words, kind, remove, disabled }) {
  return words.map((word) => html`<span class="chip ${kind}" key=${word}>${kind === "against" ? "−" : ""}${word}
    <button type="button" disabled=${disabled} aria-label=${`remove ${word}`} onClick=${() => remove(word)}>×</button></span>`);
}

function Field({ label, value, save, disabled, ...more }) {
  const [text, setText] = useState(value);
  const sent = useRef(null); // Enter saves, and so does the blur when the field goes because of that: once is enough
  useEffect(() => { setText(value); sent.current = null; }, [value]);
  const submit = async (event) => {
    event.preventDefault();
    if (text === value || text === sent.current) return;
    sent.current = text;
    if (!await save(text)) sent.current = null;
  };
  return html`<form class="field" onSubmit=${submit}><label>${label}
    <input value=${text} disabled=${disabled} onInput=${(e) => setText(e.target.value)} onBlur=${submit} ...${more} /></label></form>`;
}

function Details({ app, one, help, setOpen }) {
  const { state } = app;
  const [word, setWord] = useState("");
  const [all, setAll] = useState(false);
  const locked = state.read_only;
  const others = state.categories.filter((other) => other.name !== one.name);
  const set = (change, what, renamed) => app.edit(changed(state, one.name, [change]), what, renamed);
  const add = async (event) => { event.preventDefault(); if (await addWord(app, one.name, word)) setWord(""); };
  const without = (key) => (gone) => set({ [key]: one[key].filter((w) => w !== gone) }, `removed ${gone} from ${one.name}`);
  const rename = async (text) => {
    const done = text.trim() && await set({ name: text.trim() }, `renamed ${one.name} to ${text.trim()}`, { [one.name]: text.trim() });
    if (done) setOpen(text.trim());
    return done;
  };
  const share = (text) => set({ share: text.trim() ? Number(text) / 100 : null }, `set the share of ${one.name}`);
  const merge = (event) => {
    const into = others.find((other) => other.name === event.target.value);
    if (!into) return;
    const words = [...new Set([...into.keywords, one.name, ...one.keywords])];
    const list = state.categories.filter((c) => c.name !== one.name).map((c) => (c.name === into.name ? { ...plain(c), keywords: words } : plain(c)));
    app.edit(list, `merged ${one.name} into ${into.name}`, { [one.name]: into.name });
  };
  const split = (text) => {
    const names = text.split(",").map((n) => n.trim()).filter(Boolean);
    return names.length > 1 && app.edit(changed(state, one.name, names.map((name) => ({ name, keywords: [], excluded: [], share: null, description: "" }))), `split ${one.name} into ${names.join(" and ")}`);
  };
  const remove = () => app.edit(changed(state, one.name, []), `removed ${one.name}`);
  const identity = state.classified && state.classified.identity;
  const helped = Boolean(identity && help && help.words.length); // they come after the panel is open
  const moves = useAsked((signal) => (helped ? get("/preview/words", { category: one.name }, signal) : null), [identity, state.revision, helped], 250);
  const would = (word) => (moves.value && moves.value[word] !== undefined ? `; would move about ${number(moves.value[word])}` : "");
  const who = (word) => app.attempt(async () => app.show({ queue: "preview", lasso: (await post("/preview", { categories: changed(state, one.name, [{ keywords: [...one.keywords, word] }]) })).lasso }));
  const offered = (help ? help.words : []).filter((w) => !one.keywords.includes(w.keyword));
  return html`<div class="details">
    ${help && help.problems.length > 0 && html`<p class="weak">${one.name} ${help.problems.join("; ")}.</p>`}
    <p class="chips"><${Chips} words=${one.keywords} kind="for" remove=${without("keywords")} disabled=${locked} />
      <${Chips} words=${one.excluded} kind="against" remove=${without("excluded")} disabled=${locked} /></p>
    <form class="field" onSubmit=${add}><label>Word or value, with a minus against it
      <input value=${word} disabled=${locked} onInput=${(e) => setWord(e.target.value)} placeholder="refund" /></label>
      <button type="submit" disabled=${locked || !word.trim()}>Add</button></form>
    <${Checked} kind="word" text=${word} of=${one.name} hint=${`such as -warranty, ${fieldOf(state).toUpperCase()}[a value]`} />
    ${offered.length > 0 && html`<p class="soft">Would help:</p><ul class="offers">${offered.slice(0, all ? offered.length : OFFERED).map((w) => html`<li key=${w.keyword}><button type="button" class="chip offer" disabled=${locked}
      title=${w.why} onClick=${() => addWord(app, one.name, w.keyword)}>+ ${w.keyword}</button> <small>in ${plural(w.documents, "document")}, ${percent(w.share)} of them here${would(w.keyword)}${moves.value && moves.value[w.keyword] > 0 && html` <button type="button" class="link" onClick=${() => who(w.keyword)}>who<span class="hidden"> ${w.keyword} would move</span></button>`}</small></li>`)}</ul>${!all && offered.length > OFFERED && html`<button type="button" onClick=${() => setAll(true)}>All ${offered.length} words</button>`}`}
    ${help && offered.length === 0 && html`<p class="soft">No more words to offer.</p>`}
    <details><summary>Name, tree, share, split, merge, remove</summary>
    <${Field} label="Name" value=${one.name} save=${rename} disabled=${locked} />
    <${Field} label="Under (for a tree)" value=${one.path.join(" > ")} disabled=${locked}
      save=${(text) => set({ path: text.split(">").map((p) => p.trim()).filter(Boolean) }, `moved ${one.name} in the tree`)} />
    <${Field} label="Expected share, per cent" value=${one.share === null ? "" : String(Math.round(1000 * one.share) / 10)} inputmode="decimal" save=${share} disabled=${locked} />
    <${Field} label="Description" value=${one.description} disabled=${locked} save=${(text) => set({ description: text }, `described ${one.name}`)} />
    <${Field} label="Split into (names with commas)" value="" save=${split} disabled=${locked} />
    <div class="field"><label>Merge into <select disabled=${locked} onChange=${merge}><option value="">choose …</option>${others.map((o) => html`<option value=${o.name}>${o.name}</option>`)}</select></label>
      <button type="button" disabled=${locked} onClick=${remove}>Remove</button></div></details>
  </div>`;
}

function Line({ app, one, position, open, setOpen, help }) {
  const size = one.size;
  const weak = help && help.weak;
  const next = app.preview.value && app.preview.value.sizes[one.name];
  const then = size && typeof next === "number" && next !== size.documents ? `about ${number(next)} after a run` : "";
  const more = [then, one.answers ? plural(one.answers, "answer") : ""].filter(Boolean).join(", ");
  return html`<li class=${open ? "category open" : "category"}>
    <div class="line">
      <button type="button" class="give" title=${`give ${one.name}`} disabled=${app.state.read_only} aria-label=${`${keyOf(position) || "·"} gives ${one.name}`} onClick=${() => app.label(one.name)}>${keyOf(position) || "·"}</button>
      <button type="button" class="name" aria-expanded=${String(open)} onClick=${() => setOpen(open ? null : one.name)}>${one.path.length ? html`<small>${one.path.join(" > ")} > </small>` : ""}${one.name}${weak ? html` <span class="weak" title=${help.problems.join("; ")}>weak</span>` : ""}</button>
      <span class="soft">${size ? `${number(size.documents)}${size.documents ? `, ${percent(size.confidence)}` : ""}` : "new"}</span>
    </div>
    ${(size || more) && html`<div class="looks">${size && html`
      <button type="button" onClick=${() => app.show({ queue: "unsure", category: one.name })}>least sure</button>
      <button type="button" onClick=${() => app.show({ queue: "typical", category: one.name })}>typical</button>`}<small>${more}</small></div>`}
    ${open && html`<${Details} app=${app} one=${one} help=${help} setOpen=${setOpen} />`}
  </li>`;
}

export function Categories({ app }) {
  const { state } = app;
  const [open, setOpen] = useState(null);
  const [name, setName] = useState("");
  const identity = state.classified && state.classified.identity;
  const help = useAsked(() => (identity ? get("/suggestions") : null), [identity]);
  const of = (category) => (help.value || []).find((one) => one.category === category);
  const add = async (event) => {
    event.preventDefault();
    const names = name.split(",").map((n) => n.trim()).filter(Boolean);
    const fresh = names.map((n) => ({ name: n, keywords: [], excluded: [], share: null, path: [], description: "" }));
    if (names.length && await app.edit([...state.categories.map(plain), ...fresh], `added ${names.join(", ")}`)) setName("");
  };
  return html`<nav id="categories" aria-label="Categories">
    <h2>Categories</h2>
    ${identity && html`<p class="soft legend">documents, mean confidence</p>`}
    ${identity && help.loading && html`<${Waiting} what="Looking for words that would help" />`}
    <ol>${state.categories.map((one, position) => html`<${Line} key=${one.name} app=${app} one=${one} position=${position} open=${open === one.name} setOpen=${setOpen} help=${of(one.name)} />`)}</ol>
    <form class="field" onSubmit=${add}><label>New category
      <input value=${name} disabled=${state.read_only} onInput=${(e) => setName(e.target.value)} placeholder="billing, delivery" /></label>
      <button type="submit" disabled=${state.read_only || !name.trim()}>Add</button></form>
    ${!name.includes(",") && html`<${Checked} kind="name" text=${name} of="" />`}
  </nav>`;
}

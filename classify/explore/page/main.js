// The workbench: what all panels share, and where they stand.
import { html, render, useState, useEffect, useRef, get, post, plural, Failed, Waiting } from "./lib.js";
import { actionOf } from "./keys.js";
import { Header } from "./panels/header.js";
import { Categories } from "./panels/categories.js";
import { Documents } from "./panels/documents.js";
import { Why } from "./panels/why.js";
import { Start } from "./panels/start.js";
import { MapPanel } from "./panels/map.js";
import { Query } from "./panels/query.js";
import { Runs } from "./panels/runs.js";
import { Fields } from "./panels/fields.js";
import { Motifs } from "./panels/motifs.js";
import { Columns } from "./panels/columns.js";
import { Drop } from "./panels/drop.js";
import { Quality } from "./panels/quality.js";
import { usePreview } from "./panels/preview.js";

// The token has done its work once the page is here.
if (location.search) history.replaceState(null, "", location.pathname);

const PAGE = 50;
// Keys that are about the list do nothing while it is not shown.
const ABOUT_LIST = ["move", "guess", "category", "select"];
const TABS = { Documents, Map: MapPanel, Motifs, Fields, Query, Quality, Runs, Columns };

function App() {
  const [state, setState] = useState(null);
  const [error, setError] = useState(null);
  const [message, setMessage] = useState("");
  const [queue, setQueue] = useState({ queue: "all" });
  const [list, setList] = useState({ documents: [], total: 0, loading: true, error: null });
  const [at, setAt] = useState(0);
  const [selected, setSelected] = useState(new Set());
  const [dialog, setDialog] = useState(null);
  const [tab, setTab] = useState("Documents");
  const asked = useRef(0);
  const sent = useRef(Promise.resolve());
  const pressed = useRef(null);
  const shown = useRef(list);
  shown.current = list;
  const preview = usePreview(state);

  const refresh = () => get("/state").then((found) => { setState(found); setError(null); }, (e) => setError(e.message));
  const attempt = async (work) => { try { return await work(); } catch (e) { setMessage(e.message); refresh(); return null; } };
  // Answers and undo reach the server in the order of the keys, however fast they come.
  const inOrder = (work) => { const turn = sent.current.then(work); sent.current = turn.catch(() => null); return turn; };

  async function load(wanted, offset = 0) {
    const number = ++asked.current;
    setList((old) => ({ ...old, loading: true, error: null, ...(offset ? {} : { documents: [], total: 0 }) }));
    try {
      const found = await get("/documents", { ...wanted, offset, limit: PAGE });
      if (number !== asked.current) return;
      setList((old) => ({ documents: offset ? [...old.documents, ...found.documents] : found.documents, total: found.total, loading: false, error: null }));
    } catch (e) {
      if (number === asked.current) setList((old) => ({ ...old, loading: false, error: e.message }));
    }
  }
  const show = (wanted) => { setTab("Documents"); setQueue(wanted); setAt(0); setSelected(new Set()); load(wanted); };

  useEffect(() => { refresh(); load(queue); }, []);
  const running = state && state.run.status === "running";
  useEffect(() => {
    const timer = setInterval(refresh, running ? 400 : 3000);
    return () => clearInterval(timer);
  }, [running]);
  const identity = state && state.classified && state.classified.identity;
  const before = useRef(undefined);
  const loaded = useRef(undefined);
  const graph = useRef(undefined);
  useEffect(() => {
    if (!state) return;
    // A file begins with its columns; the same file loaded again with its documents.
    if (loaded.current === undefined && state.began_with_file && state.file && !state.classified) setTab("Columns");
    else if (loaded.current !== undefined && loaded.current !== state.loaded) {
      const other = graph.current !== state.graph;
      setMessage(other ? `${state.graph} is open.` : "The file is loaded again.");
      show({ queue: "all" });
      if (other && !state.classified) setTab("Columns");
    }
    graph.current = state.graph;
    loaded.current = state.loaded;
  }, [state && state.loaded]);
  useEffect(() => {
    if (!state) return;
    if (before.current !== undefined && before.current !== identity) {
      if (!identity) { before.current = null; return; }
      const moved = state.run.result && state.run.result.moved;
      setMessage(moved === null || moved === undefined ? "The documents are classified. Next: answer what is worth asking, or take the labels away." : `${plural(moved, "document")} moved.`);
      show(moved ? { queue: "moved" } : queue);
    }
    before.current = identity || null;
  }, [identity, Boolean(state)]);

  const here = list.documents[at];
  const move = (by) => {
    const next = Math.max(0, Math.min(list.documents.length - 1, at + by));
    setAt(next);
    if (next > list.documents.length - 10 && list.documents.length < list.total && !list.loading) load(queue, list.documents.length);
  };
  const patch = (records) => setList((old) => ({ ...old, documents: old.documents.map((d) => (d.document in records ? { ...d, answer: records[d.document] } : d)) }));

  async function label(category) {
    const many = [...selected];
    const documents = many.length ? many : here ? [here.document] : [];
    if (!documents.length || state.read_only) return;
    const purpose = queue.queue === "measure" ? "measure" : "teach";
    if (!many.length) move(1); // at once: the next key is for the next document
    const found = await attempt(() => inOrder(() => post("/answers", { documents, category, purpose })));
    if (!found) return;
    setState(found.state);
    patch(Object.fromEntries(documents.map((d) => [d, category || (purpose === "measure" ? "none" : null)])));
    if (many.length) setSelected(new Set());
    const about = documents.length === 1 ? documents[0] : plural(documents.length, "document");
    setMessage(purpose === "measure" ? `${about}: ${category || "none of them"}, to measure; nothing is learned from it.` : `${about}: ${category || "no answer"}. ${plural(found.state.answers, "answer")} so far.${allAnswered(documents) ? " The whole list is answered: run to learn from it." : ""}`);
  }
  // Whether the list has no document left to answer, beside those just answered.
  const allAnswered = (now) => shown.current.total > 1 && shown.current.documents.length === shown.current.total && shown.current.documents.every((one) => one.answer || now.includes(one.document));
  async function labelQueue(category) {
    const found = await attempt(() => post("/answers", { ...queue, category }));
    if (!found) return;
    setState(found.state);
    setMessage(`${plural(found.answered, "document")}: ${category}. ${plural(found.state.answers, "answer")} so far.`);
    load(queue);
  }
  async function undo() {
    const found = await attempt(() => inOrder(() => post("/undo")));
    if (!found) return;
    setState(found.state);
    setMessage(found.undone ? `Taken back: ${found.undone}.` : "There is nothing to take back.");
    if (found.documents.length) {
      const place = list.documents.findIndex((d) => d.document === found.documents[0]);
      if (place >= 0) setAt(place);
      load(queue);
    }
  }
  const run = () => attempt(async () => setState(await post("/run")));
  const stop = () => attempt(async () => setState(await post("/run/stop")));
  const edit = (categories, what, renamed = {}) => attempt(async () => {
    setState(await post("/categories", { categories, what, renamed, revision: state.revision }));
    setMessage(`${what[0].toUpperCase()}${what.slice(1)}.`);
    return true;
  });
  const toggle = (document) => setSelected((old) => { const next = new Set(old); if (!next.delete(document)) next.add(document); return next; });

  const actions = {
    help: () => setDialog("help"), run, undo, move,
    guess: () => here && here.category && label(here.category), category: (n) => state.categories[n] && label(state.categories[n].name),
    select: () => here && toggle(here.document), clear: () => setSelected(new Set()),
    search: () => { setTab("Documents"); setTimeout(() => document.getElementById("search").focus()); }, leave: () => document.activeElement.blur(),
  };
  // Set while the page is drawn, not after: a key may come before the effects.
  pressed.current = (event) => {
    if (!state || dialog) return;
    const found = actionOf(event);
    if (!found || (tab !== "Documents" && ABOUT_LIST.includes(found[0]))) return;
    event.preventDefault();
    actions[found[0]](found[1]);
  };
  useEffect(() => {
    const press = (event) => pressed.current(event);
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  if (!state) return error ? html`<${Failed} message=${error} />` : html`<${Waiting} what="Opening the workbench" />`;
  const app = { state, preview, attempt, setState, queue, list, at, here, selected, dialog, message, show, setAt, label, labelQueue, undo, run, stop, edit, toggle, load, open: setTab, setMessage, setDialog, setSelected };
  const bare = !state.classified && state.run.status !== "running";
  return html`<${Header} app=${app} error=${error} /><${Drop} app=${app} />
    <div class="panels">
      <${Categories} app=${app} />
      <main id="middle" tabindex="-1">
        <div class="tabs" role="tablist" aria-label="Panels">${Object.keys(TABS).filter((name) => name !== "Columns" || state.file).map((name) => html`<button type="button" role="tab" id=${`tab-${name}`} aria-selected=${String(tab === name)} onClick=${() => setTab(name)}>${name}</button>`)}</div>
        ${bare && tab === "Documents" && html`<${Start} app=${app} />`}<div role="tabpanel" aria-labelledby=${`tab-${tab}`}><${TABS[tab]} app=${app} /></div></main>
      <${Why} app=${app} />
    </div>`;
}

render(html`<${App} />`, (() => { const root = document.getElementById("app"); root.textContent = ""; return root; })());

// The line on top: the graph, the run, undo, what can be taken away, the keys.
import { html, useState, useEffect, awaited, download, get, onWaiting, plural, percent, useAsked, Dialog, Failed, Late, Waiting } from "../lib.js";
import { HELP, keyOf } from "../keys.js";
import { Teacher } from "./teacher.js";
import { PreviewLine } from "./preview.js";

const FILES = {
  "labels.txt": "the categories, as hin classify reads them",
  "answers.csv": "your answers: document, category",
  "predictions.csv": "every document with its category and confidence",
  "report.html": "the report of hin report, one file",
  "log.jsonl": "what was done in this workbench",
};
const OF_A_RUN = ["labelled", "predictions.csv", "report.html"];

function RunState({ app }) {
  const { run, classified } = app.state;
  if (run.status === "running") {
    const part = run.total ? ` ${percent(run.done / run.total)}` : "";
    return html`<span class="run" role="status"><span class="spin"></span>${run.stopping ? "stopping after this step" : run.step}${part}, ${run.seconds} s
      <button type="button" onClick=${app.stop} disabled=${run.stopping}>Stop</button></span>`;
  }
  const said = run.status === "failed" ? html`<span class="failed" role="alert">${run.message}</span>`
    : run.result && run.result.source && !classified.current ? `${run.result.answered} of ${run.result.asked} answered by ${run.result.source}. Run to learn from them.`
    : run.status === "stopped" ? "Stopped; the labels are those of the run before."
    : !classified ? "Not classified yet."
    : classified.current ? `Labels are up to date; mean confidence ${percent(classified.confidence)}.`
    : "Edited since the last run.";
  const stale = !classified || !classified.current;
  return html`<span class="run"><span role="status">${said}</span>
    <button type="button" class=${stale ? "primary" : ""} disabled=${app.state.read_only || app.state.categories.length < 2} title=${app.state.categories.length < 2 ? "name at least two categories first" : ""} onClick=${app.run}>Run</button></span>`;
}

function Commands({ close }) {
  const found = useAsked(() => get("/commands"), []);
  const [copied, setCopied] = useState("");
  const copy = () => navigator.clipboard.writeText(found.value.commands).then(() => setCopied("Copied."), () => setCopied("Select the text and copy it."));
  return html`<${Dialog} title="Copy as commands" close=${close}>
    <p>These commands give the labels of a run with the categories as they are now. Your answers are kept with the graph, where the command reads them too.</p>
    ${found.loading ? html`<${Waiting} />` : found.error ? html`<${Failed} message=${found.error} />`
      : html`<pre tabindex="0">${found.value.commands}</pre><button type="button" onClick=${copy}>Copy</button> <span role="status">${copied}</span>`}
  <//>`;
}

function Files({ close, state }) {
  const [found, setFound] = useState({ busy: "", error: null });
  const take = (name) => async (event) => {
    event.preventDefault();
    setFound({ busy: name, error: null });
    try { await awaited(download(`/api/v1/file?name=${name}`)); setFound({ busy: "", error: null }); } catch (e) { setFound({ busy: "", error: e.message }); }
  };
  const line = (name, said, what) => html`<li key=${name}>${OF_A_RUN.includes(name) && !state.classified ? html`${said} <span class="soft">${what}; after the first run</span>`
    : html`<a href=${`/api/v1/file?name=${name}`} onClick=${take(name)}>${said}</a> ${found.busy === name ? html`<span role="status"><${Late} what="Making it" /></span>` : what}`}</li>`;
  return html`<${Dialog} title="Take away" close=${close}>
    <ul class="files">${line("labelled", `${state.file || "Your documents"} with categories`, "your own rows, with category, confidence and because")}${Object.entries(FILES).map(([name, what]) => line(name, name, what))}</ul>
    ${found.error && html`<${Failed} message=${found.error} />`}<//>`;
}

function Busy() {
  const [waiting, setWaiting] = useState(0);
  useEffect(() => { onWaiting(setWaiting); return () => onWaiting(() => {}); }, []);
  return html`<span class="busy" role="status">${waiting > 0 && html`<${Late} what="Working" />`}</span>`;
}

const Help = ({ close }) => html`<${Dialog} title="Keys" close=${close}>
  <table class="keys"><tbody>${HELP.map(([key, what]) => html`<tr><th scope="row"><kbd>${key}</kbd></th><td>${what}</td></tr>`)}</tbody></table><//>`;

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

export function Header({ app, error }) {
  const { state, dialog, setDialog } = app;
  const close = () => setDialog(null);
  return html`<header class="top">
    <h1>${state.graph}</h1><span class="soft">${plural(state.documents, "document")}, ${plural(state.answers, "answer")}${state.read_only ? ", for reading only" : ""}</span>
    <${RunState} app=${app} />
    <span class="tools">
      <button type="button" disabled=${!state.undo || state.read_only} title=${state.undo ? `Take back: ${state.undo}` : ""} onClick=${app.undo}>Undo</button>
      ${state.classified && html`<button type="button" disabled=${state.read_only} onClick=${() => setDialog("teacher")}>Ask a model</button>`}
      <button type="button" onClick=${() => setDialog("commands")}>Copy as commands</button>
      <button type="button" onClick=${() => setDialog("files")}>Take away</button>
      <button type="button" onClick=${theme}>Light/dark</button>
      <button type="button" aria-label="Keys" onClick=${() => setDialog("help")}>?</button>
    </span>
    <p class="message" role="status" aria-live="polite">${app.message || (state.classified && !state.read_only && state.categories.length > 1 ? `Keys: 1 to ${keyOf(state.categories.length - 1) || "z"} give the document a category, Enter takes the guess, ? shows all keys.` : "")}</p>
    <${Busy} /><${PreviewLine} app=${app} />
    ${(state.warning || error) && html`<${Failed} message=${state.warning || error} />`}
    ${dialog === "commands" && html`<${Commands} close=${close} />`}
    ${dialog === "files" && html`<${Files} close=${close} state=${state} />`}
    ${dialog === "teacher" && html`<${Teacher} app=${app} close=${close} />`}
    ${dialog === "help" && html`<${Help} close=${close} />`}
  </header>`;
}

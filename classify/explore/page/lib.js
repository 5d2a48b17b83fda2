// What every panel uses: Preact, requests, and small parts. Whatever is shown goes through htm, which escapes it.
export { html, render, useState, useEffect, useRef, useMemo, useCallback } from "./vendor/preact-htm.js";
import { html, useEffect, useState } from "./vendor/preact-htm.js";

class Failure extends Error {}
const GONE = "hin explore does not answer; is it still running?";

async function answer(response) {
  let found = null;
  try { found = await response.json(); } catch { /* a refusal is plain text */ }
  if (response.ok) return found;
  const error = found && found.error;
  throw new Failure(error ? [error.message, error.hint].filter(Boolean).join("; ") : `refused (${response.status})`);
}

async function ask(path, options) {
  let response;
  try { response = await fetch(path, options); } catch { throw new Failure(GONE); }
  return answer(response);
}

// What the user waits for and no panel shows: the header says so after a moment.
let waiting = 0, announce = () => {};
export const onWaiting = (listener) => { announce = listener; };
export async function awaited(work) {
  announce(++waiting);
  try { return await work; } finally { announce(--waiting); }
}

export const get = (path, parameters = {}, signal = null) => ask(`/api/v1${path}?${new URLSearchParams(parameters)}`, { signal });
export const post = (path, body = {}, signal = null) => awaited(ask(`/api/v1${path}`, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal,
}));

export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// Fetches a file, and saves it under the name that the server gives it.
export async function download(address) {
  let response;
  try { response = await fetch(address); } catch { throw new Failure(GONE); }
  if (!response.ok) return answer(response);
  const name = (response.headers.get("content-disposition") || "").split("UTF-8''")[1];
  return save(decodeURIComponent(name || "download"), await response.blob());
}

// What a request gives, and how it stands: loading, failed or there. It is asked again when `keys` change; the one before
// is given up then, as a browser sends six at a time, and an answer must not wait behind them. With a pause
// (in ms) it is only asked when the keys have rested that long.
export function useAsked(request, keys, pause = 0) {
  const [found, setFound] = useState({ value: null, error: null, loading: true });
  useEffect(() => {
    const gone = new AbortController(), { signal } = gone;
    setFound((old) => ({ ...old, loading: true, error: null }));
    const rested = pause ? new Promise((done) => setTimeout(done, pause)) : Promise.resolve();
    rested.then(() => (signal.aborted ? null : request(signal))).then(
      (value) => signal.aborted || setFound({ value, error: null, loading: false }),
      (error) => signal.aborted || setFound({ value: null, error: error.message, loading: false }),
    );
    return () => gone.abort();
  }, keys);
  return found;
}

export const number = (n) => n.toLocaleString("en");
export const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
// A field of this graph, for examples of what can be typed.
export const fieldOf = (state) => state.fields.find((field) => /^\w+$/.test(field)) || "venue";
export const percent = (x) => (x === null || x === undefined ? "" : `${Math.round(100 * x)} %`);

// A term stands for itself; other instances keep the names of their fields.
const TERM = /^TERM\[([\s\S]*)\]$/;
export const wordOf = (instance) => (TERM.test(instance) ? instance.match(TERM)[1] : instance);

export const Waiting = ({ what }) => html`<p class="wait" role="status"><span class="spin"></span>${what || "Working"} …</p>`;
// Shows after .3 s that it works: what is done sooner needs no sign.
export const Late = ({ what }) => html`<span class="late"><span class="spin"></span>${what} …</span>`;
export const Failed = ({ message }) => html`<p class="failed" role="alert">${message}</p>`;
export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

// A dialog that takes the focus, and gives it back when it closes.
export function Dialog({ title, close, children }) {
  const show = (element) => { if (element && !element.open) element.showModal(); };
  return html`<dialog ref=${show} aria-label=${title} onClose=${close} onCancel=${close}>
    <div class="head"><h2>${title}</h2><button type="button" onClick=${close}>Close</button></div>${children}</dialog>`;
}

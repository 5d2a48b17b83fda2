// What every panel uses: Preact, requests, and small parts. Whatever is shown goes through htm, which escapes it.
export { html, render, useState, useEffect, useRef, useMemo, useCallback } from "./vendor/preact-htm.js";
import { html, useEffect, useState } from "./vendor/preact-htm.js";

class Failure extends Error {}

async function answer(response) {
  let found = null;
  try { found = await response.json(); } catch { /* a refusal is plain text */ }
  if (response.ok) return found;
  const error = found && found.error;
  throw new Failure(error ? [error.message, error.hint].filter(Boolean).join("; ") : `refused (${response.status})`);
}

async function ask(path, options) {
  let response;
  try { response = await fetch(path, options); } catch { throw new Failure("hin explore does not answer; is it still running?"); }
  return answer(response);
}

export const get = (path, parameters = {}) => ask(`/api/v1${path}?${new URLSearchParams(parameters)}`, {});
export const post = (path, body = {}) => ask(`/api/v1${path}`, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
});

// What a request gives, and how it stands: loading, failed or there. It is asked again when `keys` change.
export function useAsked(request, keys) {
  const [found, setFound] = useState({ value: null, error: null, loading: true });
  useEffect(() => {
    let here = true;
    setFound((old) => ({ ...old, loading: true, error: null }));
    Promise.resolve().then(request).then(
      (value) => here && setFound({ value, error: null, loading: false }),
      (error) => here && setFound({ value: null, error: error.message, loading: false }),
    );
    return () => { here = false; };
  }, keys);
  return found;
}

export const number = (n) => n.toLocaleString("en");
export const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
export const percent = (x) => (x === null || x === undefined ? "" : `${Math.round(100 * x)} %`);

export const Waiting = ({ what }) => html`<p class="wait" role="status"><span class="spin"></span>${what || "Working"} …</p>`;
export const Failed = ({ message }) => html`<p class="failed" role="alert">${message}</p>`;
export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

// A dialog that takes the focus, and gives it back when it closes.
export function Dialog({ title, close, children }) {
  const show = (element) => { if (element && !element.open) element.showModal(); };
  return html`<dialog ref=${show} aria-label=${title} onClose=${close} onCancel=${close}>
    <div class="head"><h2>${title}</h2><button type="button" onClick=${close}>Close</button></div>${children}</dialog>`;
}

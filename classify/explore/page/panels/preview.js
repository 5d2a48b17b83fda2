// Preview: about who would move with the edits as they are, before the run.
import { html, useEffect, get, post, number, plural, useAsked, Failed } from "../lib.js";

// Asks for the preview whenever something was edited since the last run; null while there is nothing to preview.
export function usePreview(state) {
  const classified = state && state.classified;
  const identity = classified && classified.identity;
  const wanted = Boolean(classified && !classified.current && state.categories.length > 1);
  useEffect(() => { if (identity) get("/preview/ready").catch(() => null); }, [identity]);
  return useAsked((signal) => (wanted ? post("/preview", {}, signal) : null), [identity, wanted, state && state.revision, state && state.answers], 250);
}

export const moveOf = (move) => `${number(move.documents)} from ${move.before || "none"} to ${move.after}`;

export function PreviewLine({ app }) {
  const { state, preview } = app;
  if (!state.classified || state.classified.current || state.categories.length < 2) return null;
  if (preview.error) return html`<${Failed} message=${`No preview: ${preview.error}`} />`;
  if (!preview.value || preview.loading) return html`<p class="preview" role="status"><span class="spin"></span>Looking who would move …</p>`;
  const { moved, documents, moves, lasso } = preview.value;
  return html`<p class="preview" role="status"><b>Preview:</b> about ${plural(moved, "document")} of ${number(documents)} would move${moves.length ? `: ${moves.slice(0, 3).map(moveOf).join(", ")}${moves.length > 3 ? " and others" : ""}` : ""}. Estimated from the last run; Run decides.
    ${moved > 0 && html` <button type="button" onClick=${() => app.show({ queue: "preview", lasso })}>Show who</button>`}</p>`;
}

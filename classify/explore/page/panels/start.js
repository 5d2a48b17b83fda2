// Before the first run: what was read, and what to do.
import { html, plural } from "../lib.js";

export function Start({ app }) {
  const { state } = app;
  const ready = state.categories.length >= 2;
  return html`<section class="start" aria-label="Start">
    <h2>${ready ? "Run to sort the documents" : "Name your categories"}</h2>
    <p>${plural(state.documents, "document")} with ${state.texts.join(" and ") || "no text"}${state.fields.length ? ` and the metadata ${state.fields.join(", ")}` : ""}.
      Names are enough to begin with: type at least two on the left, one at a time or with commas between them. Words that stand for a category can follow later.</p>
    ${ready && html`<p><button type="button" class="primary" disabled=${state.read_only} onClick=${app.run}>Run</button></p>`}
  </section>`;
}

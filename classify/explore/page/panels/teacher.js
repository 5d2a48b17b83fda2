// Teacher: ask a language model about documents worth asking; what it costs and sends is said first.
import { html, useState, post, plural, Dialog, Failed, Waiting } from "../lib.js";

export function Teacher({ app, close }) {
  const [asked, setAsked] = useState({ url: "", model: "", number: "40" });
  const [found, setFound] = useState({ value: null, error: null, busy: false });
  const set = (key) => (event) => { setAsked({ ...asked, [key]: event.target.value }); setFound({ value: null, error: null, busy: false }); };
  const request = async (path, body) => {
    setFound({ value: null, error: null, busy: true });
    try { return await post(path, body); } catch (e) { setFound({ value: null, error: e.message, busy: false }); return null; }
  };
  const price = async (event) => { event.preventDefault(); const value = await request("/teacher/price", asked); if (value) setFound({ value, error: null, busy: false }); };
  const ask = async () => { const state = await request("/teacher/ask", { said: found.value.said }); if (state) { app.setState(state); app.setMessage("The model is asked behind the page."); close(); } };
  const field = (key, label, more) => html`<label>${label} <input value=${asked[key]} onInput=${set(key)} ...${more} /></label>`;
  return html`<${Dialog} title="Ask a model" close=${close}>
    <p>A language model answers the documents most worth asking. Its answers are evidence for the next run, by how reliable they prove; yours count as true. Its key is read from HIN_TEACHER_KEY of the terminal that runs hin explore.</p>
    <form class="teacher" onSubmit=${price}>${field("url", "Address", { type: "url", required: true, placeholder: "http://localhost:11434/v1" })}${field("model", "Model", { required: true })}${field("number", "Documents", { inputmode: "numeric", required: true })}
      <button type="submit" disabled=${found.busy || app.state.run.status === "running"}>Show the price</button></form>
    ${found.busy && html`<${Waiting} />`}${found.error && html`<${Failed} message=${found.error} />`}
    ${found.value && html`<p class="note" role="status">${found.value.said}.</p><p><button type="button" class="primary" onClick=${ask}>Ask about ${plural(found.value.documents, "document")}</button></p>`}<//>`;
}

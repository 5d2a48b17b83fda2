// A file dropped on the page, or chosen: sent in parts, loaded and opened in place of this graph.
import { html, useState, useEffect, post, percent, Dialog, Failed } from "../lib.js";

const PART = 3 << 20;

const encoded = (blob) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
  reader.onerror = () => fail(new Error("the file cannot be read"));
  reader.readAsDataURL(blob);
});

async function send(file, report) {
  for (let offset = 0; ; offset += PART) {
    const last = offset + PART >= file.size;
    const found = await post("/drop", { name: file.name, offset, last, data: file.size ? await encoded(file.slice(offset, offset + PART)) : "" });
    report(Math.min(1, (offset + PART) / Math.max(file.size, 1)));
    if (last) return found;
  }
}

export function Drop({ app }) {
  const [file, setFile] = useState(null);
  const [sent, setSent] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    const over = (event) => event.preventDefault();
    const drop = (event) => { event.preventDefault(); const one = event.dataTransfer.files[0]; if (one) setFile(one); };
    addEventListener("dragover", over); addEventListener("drop", drop);
    return () => { removeEventListener("dragover", over); removeEventListener("drop", drop); };
  }, []);
  const close = () => { setFile(null); setSent(null); setError(null); };
  const open = async () => {
    setSent(0); setError(null);
    try { app.setState(await send(file, setSent)); app.setMessage(`${file.name} is loaded.`); close(); } catch (e) { setError(e.message); setSent(null); }
  };
  if (!file) return null;
  return html`<${Dialog} title=${`Open ${file.name}`} close=${close}>
    <p>It is copied beside this graph, loaded into a graph of its own, and opened here. Everything done with this graph is kept with it.</p>
    ${error && html`<${Failed} message=${error} />`}
    <p><button type="button" class="primary" disabled=${app.state.read_only || sent !== null} onClick=${open}>${sent === null ? "Open it" : `Sending, ${percent(sent)}`}</button></p><//>`;
}

export const chooseFile = (event) => {
  const data = new DataTransfer();
  for (const file of event.target.files) data.items.add(file);
  event.target.value = "";
  if (data.files.length) dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
};

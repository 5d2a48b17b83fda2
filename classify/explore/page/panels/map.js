// Map: all documents on a canvas; wheel and drag move it, a lasso selects, a click shows the document.
import { html, useState, useEffect, useRef, get, post, plural, useAsked, Failed, Waiting } from "../lib.js";

const COLOURS = ["#3b78b5", "#e07b1f", "#3d9950", "#a667a3", "#d84f4f", "#2f9c98", "#9a6b4f", "#c9a416", "#e2709a", "#6f7780", "#5b57c4", "#7fa32b"];
const SHADES = ["#7a1f1f", "#9c3a2b", "#b8563a", "#cc744d", "#d89464", "#cfae78", "#a9b58a", "#7fae93", "#559f94", "#2c8c8f"];
const NONE = "#8d97a1", LIT = ["#e07b1f"];
const SAID = { moved: "moved by the last run", list: "the list of documents" };

// The places of all points on the canvas, as the view has moved and scaled them.
function placed(points, view, width, height) {
  const n = points.length / 2;
  const [x, y] = [new Float32Array(n), new Float32Array(n)];
  const size = Math.min(width, height) - 20;
  for (let i = 0; i < n; i++) {
    x[i] = (points[i] / 65535 - 0.5) * size * view.scale + width / 2 + view.x;
    y[i] = (points[n + i] / 65535 - 0.5) * size * view.scale + height / 2 + view.y;
  }
  return { x, y };
}

function draw(canvas, at, codes, palette, shown) {
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const dot = at.x.length > 20000 ? 2 : at.x.length > 3000 ? 3 : 5;
  const order = new Map();
  codes.forEach((code, i) => { if (!order.has(code)) order.set(code, []); order.get(code).push(i); });
  const few = (order.get(-1) || []).length > 0.9 * codes.length; // what moved or was found must not drown in the rest
  for (const code of [...order.keys()].sort((a, b) => a - b)) {
    pen.fillStyle = code < 0 ? NONE : palette[code % palette.length];
    pen.globalAlpha = shown === null || shown === code ? 0.8 : 0.08;
    const side = code >= 0 && few ? 2 * dot : dot;
    for (const i of order.get(code)) pen.fillRect(at.x[i] - side / 2, at.y[i] - side / 2, side, side);
  }
  pen.globalAlpha = 1;
}

// The points inside a lasso: it is filled on a canvas of its own, and every point looks at its pixel.
function inside(lasso, at, width, height) {
  const mask = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  mask.beginPath();
  lasso.forEach(([x, y], i) => (i ? mask.lineTo(x, y) : mask.moveTo(x, y)));
  mask.fill();
  const pixels = mask.getImageData(0, 0, width, height).data;
  const found = [];
  for (let i = 0; i < at.x.length; i++) {
    const [x, y] = [Math.round(at.x[i]), Math.round(at.y[i])];
    if (x >= 0 && y >= 0 && x < width && y < height && pixels[4 * (y * width + x) + 3] > 0) found.push(i);
  }
  return found;
}

function nearest(at, x, y) {
  let [best, least] = [-1, 64];
  for (let i = 0; i < at.x.length; i++) {
    const far = (at.x[i] - x) ** 2 + (at.y[i] - y) ** 2;
    if (far < least) [best, least] = [i, far];
  }
  return best;
}

async function readPoints() {
  const response = await fetch("/api/v1/map/points");
  if (!response.ok) { const said = await response.json().catch(() => null); throw new Error(said ? said.error.message : `refused (${response.status})`); }
  return new Uint16Array(await response.arrayBuffer());
}

export function MapPanel({ app }) {
  const { state } = app;
  // What was searched for lights up.
  const searched = app.queue.queue === "search";
  const [by, setBy] = useState(searched ? "list" : "category");
  const [shown, setShown] = useState(searched ? 0 : null);
  const [moving, setMoving] = useState(false);
  const [view, setView] = useState({ scale: 1, x: 0, y: 0 });
  const [hover, setHover] = useState(null);
  const canvas = useRef(null);
  const at = useRef(null);
  const drag = useRef(null);
  const identity = state.classified && state.classified.identity;
  const points = useAsked(() => (identity ? readPoints() : null), [Boolean(identity)]);
  const colours = useAsked(() => (identity ? get("/map/colours", by === "list" ? { ...app.queue, by } : { by }) : null), [by, identity, by === "answer" ? state.revision : 0]);
  const palette = by === "list" ? LIT : colours.value && colours.value.ordered ? SHADES : COLOURS;
  const ready = points.value && colours.value && colours.value.codes.length * 2 === points.value.length;
  useEffect(() => {
    if (!ready || !canvas.current) return;
    at.current = placed(points.value, view, canvas.current.width, canvas.current.height);
    draw(canvas.current, at.current, colours.value.codes, palette, shown);
  }, [ready, points.value, colours.value, view, shown]);

  if (!identity) return html`<p class="empty">The map shows the documents once they are classified.</p>`;
  if (points.error || colours.error) return html`<${Failed} message=${points.error || colours.error} />`;
  const spot = (event) => { const box = canvas.current.getBoundingClientRect(); return [(event.clientX - box.left) * canvas.current.width / box.width, (event.clientY - box.top) * canvas.current.height / box.height]; };
  const down = (event) => { if (!at.current) return; canvas.current.setPointerCapture(event.pointerId); drag.current = { from: spot(event), view, lasso: [spot(event)] }; };
  const move = (event) => {
    const here = spot(event);
    const held = drag.current;
    if (!held) { const row = at.current ? nearest(at.current, ...here) : -1; if (row !== (hover && hover.row)) { setHover(row < 0 ? null : { row }); if (row >= 0) get("/map/point", { row }).then((one) => setHover((old) => (old && old.row === row ? { row, one } : old)), () => {}); } return; }
    if (moving) { setView({ ...held.view, x: held.view.x + here[0] - held.from[0], y: held.view.y + here[1] - held.from[1] }); return; }
    const last = held.lasso[held.lasso.length - 1];
    held.lasso.push(here);
    const pen = canvas.current.getContext("2d");
    pen.strokeStyle = "#888"; pen.lineWidth = 2; pen.beginPath(); pen.moveTo(...last); pen.lineTo(...here); pen.stroke();
  };
  const up = async () => {
    const held = drag.current;
    drag.current = null;
    if (!held || moving) return;
    const { width, height } = canvas.current;
    draw(canvas.current, at.current, colours.value.codes, palette, shown);
    const rows = held.lasso.length > 3 ? inside(held.lasso, at.current, width, height) : [];
    const hit = rows.length ? [] : [nearest(at.current, ...held.from)].filter((row) => row >= 0);
    const chosen = rows.length ? rows : hit;
    if (!chosen.length) return;
    try { const kept = await post("/map/lasso", { rows: chosen }); app.show({ queue: "lasso", lasso: kept.lasso }); } catch (e) { app.setMessage(e.message); }
  };
  const zoom = (factor) => setView((old) => ({ scale: Math.min(40, Math.max(0.5, old.scale * factor)), x: old.x * factor, y: old.y * factor }));
  const wheel = (event) => { event.preventDefault(); zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2); };
  return html`<section id="map" aria-label="Map">
    <div class="bar"><label>Colour by <select value=${by} onChange=${(e) => { setBy(e.target.value); setShown(e.target.value === "list" ? 0 : null); }}>${["category", "confidence", "answer", "moved", "list", ...state.fields].map((name) => html`<option value=${name}>${SAID[name] || name}</option>`)}</select></label>
      <label><input type="checkbox" checked=${moving} onChange=${() => setMoving(!moving)} /> drag moves the map</label>
      <button type="button" onClick=${() => zoom(1.4)} aria-label="larger">+</button><button type="button" onClick=${() => zoom(1 / 1.4)} aria-label="smaller">−</button><button type="button" onClick=${() => setView({ scale: 1, x: 0, y: 0 })}>Whole</button></div>
    <p class="soft" role="status">${hover && hover.one ? `${hover.one.title || hover.one.document} · ${hover.one.answer || hover.one.category || "none"}` : `${plural(state.documents, "document")}. Draw around some to list and label them; a click opens one.`}</p>
    ${!ready && html`<${Waiting} what="Laying out the documents" />`}
    <canvas ref=${canvas} class="map" width="900" height="620" role="img" aria-label=${`Map of ${plural(state.documents, "document")} by ${by}; the queues list the same documents`}
      onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerLeave=${() => setHover(null)} onWheel=${wheel}></canvas>
    ${colours.value && colours.value.names.length > palette.length && html`<p class="soft">The colours repeat: choose one below to see it alone.</p>`}
    ${colours.value && html`<p class="chips">${colours.value.names.slice(0, 40).map((name, i) => html`<button type="button" class="chip" aria-pressed=${String(shown === i)} onClick=${() => setShown(shown === i ? null : i)}><svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill=${palette[i % palette.length]} /></svg>${name}</button>`)}</p>`}
  </section>`;
}

// A picture of nodes and relationships: a chosen node opens its neighbours in the picture, or its documents in the list.
import { html, useState, useEffect, awaited, get, plural, useAsked, Failed, Waiting } from "../lib.js";

const MOST = 400, NAMED = 30;
const idOf = (node) => `${node.label}\n${node.document === null ? node.name : node.document}`;
// Places from 0 to 1 again, after nodes were added outside.
function fitted(nodes) {
  const place = (key) => {
    const least = Math.min(0, ...nodes.map((node) => node[key])), most = Math.max(1, ...nodes.map((node) => node[key]));
    return (node) => (node[key] - least) / (most - least);
  };
  const [x, y] = [place("x"), place("y")];
  return nodes.map((node) => ({ ...node, x: x(node), y: y(node) }));
}

// The picture with the neighbours of a node: new ones on an arc away from the middle, known ones joined to it.
function opened(picture, node, found) {
  const at = new Map(picture.nodes.map((one, i) => [idOf(one), i]));
  const nodes = [...picture.nodes], relationships = [...picture.relationships], number = at.get(idOf(node)), from = nodes[number];
  const fresh = found.filter((one) => !at.has(idOf(one.node)));
  const middle = picture.nodes.length === 1;
  const outward = Math.atan2(from.y - 0.5, from.x - 0.5), arc = middle ? 2 * Math.PI : Math.PI * 1.2;
  fresh.forEach((one, i) => {
    const turn = outward + (middle ? (arc * i) / fresh.length : arc * ((i + 0.5) / fresh.length - 0.5));
    const far = middle ? 0.34 + 0.12 * (i % 2) : 0.3 + 0.12 * (i % 2);
    at.set(idOf(one.node), nodes.length);
    nodes.push({ ...one.node, x: from.x + far * Math.cos(turn), y: from.y + far * Math.sin(turn) });
  });
  const joined = new Set(relationships.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  for (const one of found) {
    const to = at.get(idOf(one.node));
    if (!joined.has(`${number} ${to}`)) relationships.push([number, to, one.relationship]);
  }
  return { nodes: fitted(nodes), relationships };
}

const around = (node) => get("/around", { label: node.label, name: node.document === null ? node.name : node.document });

export function Picture({ picture, app, size = [640, 440] }) {
  const [steps, setSteps] = useState([picture]);
  const [chosen, setChosen] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => { setSteps([picture]); setChosen(null); }, [picture]);
  const now = steps[steps.length - 1];
  const labels = [...new Set(now.nodes.map((node) => node.label))].sort();
  const [width, height] = size;
  const at = (node) => [50 + node.x * (width - 100), 18 + node.y * (height - 56)];
  const open = async () => {
    setError(null);
    try {
      const next = opened(now, chosen, await awaited(around(chosen)));
      if (next.nodes.length > MOST) setError(`At most ${MOST} nodes are drawn.`);
      else if (next.nodes.length === now.nodes.length && next.relationships.length === now.relationships.length) setError("Its first neighbours are in the picture already.");
      else setSteps([...steps, next]);
    } catch (e) { setError(e.message); }
  };
  const press = (node) => (event) => { if (["Enter", " "].includes(event.key)) { event.preventDefault(); event.stopPropagation(); setChosen(node); } };
  const short = (name) => (name.length > 22 ? `${name.slice(0, 21)}…` : name);
  return html`<figure><svg class="picture" viewBox="0 0 ${width} ${height}" role="group" aria-label=${`${plural(now.nodes.length, "node")} and ${plural(now.relationships.length, "relationship")}`}>
    ${now.relationships.map(([a, b, kind]) => { const [x, y] = at(now.nodes[a]); const [u, v] = at(now.nodes[b]); return html`<line x1=${x} y1=${y} x2=${u} y2=${v}><title>${kind}</title></line>`; })}
    ${now.nodes.map((node) => { const [x, y] = at(node); const mine = chosen !== null && idOf(chosen) === idOf(node); return html`<g key=${idOf(node)} class=${`node kind-${labels.indexOf(node.label) % 8}${mine ? " chosen" : ""}`} role="button" tabindex="0" aria-pressed=${String(mine)} aria-label=${`${node.label}: ${short(node.name)}`} onClick=${() => setChosen(node)} onKeyDown=${press(node)}>
      <circle cx=${x} cy=${y} r="7"><title>${node.label}: ${node.name}</title></circle>${(mine || now.nodes.length <= NAMED || (node.label !== "Document" && now.nodes.length < 3 * NAMED)) && html`<text x=${x} y=${y + 19} text-anchor="middle">${short(node.name)}</text>`}</g>`; })}
    </svg><figcaption>${labels.map((label, i) => html`<svg class=${`swatch kind-${i % 8}`} viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" /></svg> ${label} `)}
      <p class="chips" role="status">${chosen ? html`<b>${chosen.name}</b> <button type="button" onClick=${open}>Open its neighbours</button>
        ${chosen.show && html`<button type="button" onClick=${() => app.show(chosen.show)}>${chosen.document === null ? "List its documents" : "Show this document"}</button>`}`
      : html`<span class="soft">Choose a node to open its neighbours or its documents.</span>`}
      ${steps.length > 1 && html`<button type="button" onClick=${() => setSteps(steps.slice(0, -1))}>Back</button>`}</p>
      ${error && html`<${Failed} message=${error} />`}</figcaption></figure>`;
}

// A document with what it is joined to.
export function Neighbourhood({ app, document, title }) {
  const found = useAsked(() => around({ label: "Document", document }).then((some) => {
    const node = { label: "Document", name: title, document, show: null, x: 0.5, y: 0.5 };
    return opened({ nodes: [node], relationships: [] }, node, some);
  }), [document]);
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (found.loading || !found.value) return html`<${Waiting} what="Drawing" />`;
  return html`<${Picture} picture=${found.value} app=${app} size=${[400, 320]} />`;
}

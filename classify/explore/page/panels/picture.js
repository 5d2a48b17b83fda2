// A picture of nodes and relationships; a document opens by a click.
import { html, plural } from "../lib.js";

export function Picture({ picture, app, size = [1000, 640] }) {
  const labels = [...new Set(picture.nodes.map((node) => node.label))].sort();
  const [width, height] = size;
  const at = (node) => [50 + node.x * (width - 170), 20 + node.y * (height - 40)];
  const open = (node) => node.document !== null && app.show({ queue: "search", search: node.document });
  return html`<figure><svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-label=${`${plural(picture.nodes.length, "node")} and ${plural(picture.relationships.length, "relationship")}`}>
    ${picture.relationships.map(([a, b, kind]) => { const [x, y] = at(picture.nodes[a]); const [u, v] = at(picture.nodes[b]); return html`<line x1=${x} y1=${y} x2=${u} y2=${v}><title>${kind}</title></line>`; })}
    ${picture.nodes.map((node) => { const [x, y] = at(node); return html`<g class=${`node kind-${labels.indexOf(node.label) % 8}`} onClick=${() => open(node)}><circle cx=${x} cy=${y} r="7"><title>${node.label}: ${node.name}</title></circle><text x=${x + 9} y=${y + 4}>${node.name.slice(0, 28)}</text></g>`; })}
    </svg><figcaption>${labels.map((label, i) => html`<svg class=${`swatch kind-${i % 8}`} viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" /></svg> ${label} `)}</figcaption></figure>`;
}

// The graph's schema, and the patterns.

function showGraph({ graph }) {
  const kinds = graph.edges.filter(edge => edge.kind !== "link").map(edge => ({
    ...edge, nodes: graph.nodes.find(node => node.type === edge.type).count }));
  report.kinds = kinds;
  fill("schema", schema(graph, kinds));
  const rows = [...kinds, ...graph.edges.filter(edge => edge.kind === "link")];
  fill("schema-table", tableOf(rows, [
    { head: "From documents to", row: true, cell: row => row.kind === "link" ? row.type + " (documents)" : row.type },
    { head: "Nodes", number: true, cell: row => row.kind === "link" ? "" : count(row.nodes) },
    { head: "Edges", number: true, cell: row => count(row.count) },
    { head: "Documents that have it", class: "bar-cell", cell: row => meter(row.documents / graph.documents, percent(row.documents / graph.documents)) },
  ]), graph.extra.length ? tableOf(graph.extra, [
    { head: "More edges", row: true, cell: row => row.type },
    { head: "Between", cell: row => row.source + " → " + row.target },
    { head: "Edges", number: true, cell: row => count(row.count) },
  ]) : null);
}

/** Documents in the middle, the other kinds of nodes on an ellipse around them, in an area that grows with the count. */
function schema(graph, kinds) {
  const NS = "http://www.w3.org/2000/svg", W = 480, H = 350, cx = W / 2, cy = H / 2;
  const svg = (tag, attributes, text) => {
    const made = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const cut = text => text.length > 16 ? text.slice(0, 15) + "…" : text;
  const label = "Schema: documents joined to " + kinds.map(kind => kind.type + " (" + count(kind.nodes) + ")").join(", ");
  const root = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label, width: "100%" });
  const lines = svg("g", {}), marks = svg("g", {});
  root.append(lines, marks);
  const size = n => 9 + 4.2 * Math.log10(1 + n);
  const spot = (x, y, r, fill, name, n, below) => {
    marks.append(svg("circle", { cx: x, cy: y, r, fill }),
      svg("text", { x, y: below ? y + r + 15 : y - r - 20, "text-anchor": "middle", "font-size": 13.5, "font-weight": 600, fill: "currentColor" }, cut(name)),
      svg("text", { x, y: below ? y + r + 30 : y - r - 6, "text-anchor": "middle", "font-size": 11.5, fill: "var(--soft)" }, count(n)));
  };
  kinds.forEach((kind, i) => {
    const turn = -Math.PI / 2 + (i + .5) * 2 * Math.PI / kinds.length + (kinds.length === 1 ? -Math.PI : 0);
    const x = cx + 172 * Math.cos(turn), y = cy + 108 * Math.sin(turn);
    lines.append(svg("line", { x1: cx, y1: cy, x2: x, y2: y, stroke: "var(--faint)", "stroke-width": 1 + Math.log10(1 + kind.count) / 3 }));
    const text = svg("text", { x: cx + .6 * (x - cx), y: cy + .6 * (y - cy) + 4, "text-anchor": "middle", "font-size": 11, fill: "var(--soft)",
      stroke: "var(--panel)", "stroke-width": 4, "paint-order": "stroke" }, count(kind.count));
    lines.append(text);
    spot(x, y, size(kind.nodes), colour(i + 1), kind.type, kind.nodes, y > cy);
  });
  const links = graph.edges.filter(edge => edge.kind === "link"), r = 44;
  if (links.length) lines.append(
    svg("path", { d: `M ${cx - 14} ${cy - r + 6} C ${cx - 60} ${cy - r - 60}, ${cx + 60} ${cy - r - 60}, ${cx + 14} ${cy - r + 6}`, fill: "none", stroke: "var(--faint)", "stroke-width": 1.6 }),
    svg("text", { x: cx, y: cy - r - 46, "text-anchor": "middle", "font-size": 11, fill: "var(--soft)" }, links.map(link => cut(link.type) + " " + count(link.count)).join(", ")));
  marks.append(svg("circle", { cx, cy, r, fill: "var(--ink)" }),
    svg("text", { x: cx, y: cy - 1, "text-anchor": "middle", "font-size": 13.5, "font-weight": 600, fill: "var(--panel)" }, "document"),
    svg("text", { x: cx, y: cy + 15, "text-anchor": "middle", "font-size": 11.5, fill: "var(--panel)" }, count(graph.documents)));
  return root;
}

function showPatterns({ patterns }) {
  const spread = q => q ? number(q[2], 1) + " (" + number(q[1], 1) + " – " + number(q[3], 1) + ")" : "–";
  fill("patterns-table", tableOf(patterns, [
    { head: "Pattern", row: true, class: "name", cell: row => row.name },
    { head: "Instances", number: true, cell: row => count(row.instances) },
    { head: "Documents", number: true, cell: row => count(row.documents) },
    { head: "Coverage", class: "bar-cell", cell: row => row.share === null ? "–" : meter(row.share, percent(row.share)) },
    { head: "More than chance", number: true, cell: row => row.more === null ? "" : count(row.more) },
    { head: "Chosen for a category", number: true, cell: row => count(row.selected) },
    { head: "Kappa, median (middle half)", number: true, cell: row => spread(row.kappa) },
  ]));
}

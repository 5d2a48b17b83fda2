// The map of the categories and their strongest instances.

function mapHeight(width) { return Math.max(400, Math.min(680, width * .62)); }

const STAR = "path://M50,0 L61,35 L98,35 L68,57 L79,92 L50,70 L21,92 L32,57 L2,35 L39,35 Z";

drawings.map = (map, { categories }) => {
  let size = 7, focus = -1, zoom = 1;
  const button = (id, text, label) => element("button", { type: "button", id, "aria-label": label }, text);
  fill("map-controls", element("div", { class: "controls", role: "group", "aria-label": "Map" },
    element("label", {}, "Instances of each category ", element("select", { id: "map-size" })),
    element("label", {}, "Highlight ", element("select", { id: "map-focus" })),
    element("span", { class: "buttons" }, button("map-in", "+", "Zoom in"), " ", button("map-out", "−", "Zoom out"), " ", button("map-reset", "Whole map"))));
  const largest = Math.max(...map.points.map(point => point[3]));
  options($("map-size"), [3, 7, 20, 50].filter(n => n < largest).concat([largest]).map(n => [n, n]));
  if (largest > 7) $("map-size").value = "7"; else size = largest;
  options($("map-focus"), [[-1, "all categories"], ...categories.map((category, i) => [i, category.name])]);
  const entry = chart("map-chart", mapHeight, width => {
    const faded = i => focus >= 0 && focus !== i ? .1 : 1, small = width < 560;
    const span = 1.08 / zoom, near = focus >= 0 && zoom > 1 ? map.points.find(point => point[2] === focus && point[3] === 0) : [0, 0];
    const stars = map.points.filter(point => point[3] === 0), tall = mapHeight(width);
    const spots = labelSpots(stars.map(([x, y, i]) => ({ x: ((x - near[0]) / span + 1) / 2 * width, y: (1 - (y - near[1]) / span) / 2 * tall,
      width: nameWidth(categories[i].name, small ? 10 : 12.5), shown: faded(i) === 1 })), width, tall);
    const hidden = extra => axis({ type: "value", show: false, ...extra });
    return {
      grid: { left: 6, right: 6, top: 6, bottom: 6 },
      xAxis: hidden({ min: near[0] - span, max: near[0] + span }), yAxis: hidden({ min: near[1] - span, max: near[1] + span }),
      dataZoom: [{ type: "inside", xAxisIndex: 0, zoomOnMouseWheel: "ctrl", filterMode: "none" }, { type: "inside", yAxisIndex: 0, zoomOnMouseWheel: "ctrl", filterMode: "none" }],
      tooltip: tooltip(at => {
        const [, , c, position] = at.data.value, category = categories[c];
        if (!position) return [element("b", {}, category.name), "category, kappa " + number(category.kappa, 1)];
        const row = category.instances[position - 1];
        return row ? [element("b", {}, instance(row.name)), category.name + " · kappa " + number(row.kappa, 1) + " · cosine " + number(row.cosine) + " · " + plural(row.documents, "document")] : category.name;
      }),
      series: categories.flatMap((category, i) => {
        const mine = map.points.filter(point => point[2] === i && point[3] <= size), style = { color: colour(i), opacity: faded(i) * .8 };
        return [
          { type: "scatter", silent: faded(i) < 1, symbolSize: focus === i ? 10 : 8, itemStyle: style, data: mine.filter(point => point[3] > 0).map(value => ({ value })),
            label: { show: focus === i && !small, position: "right", distance: 4, fontSize: 11, color: ink("soft"), formatter: at => cutTo((category.instances[at.data.value[3] - 1] || { name: "" }).name, 26) },
            labelLayout: { hideOverlap: true } },
          { type: "scatter", symbol: STAR, symbolSize: 18, z: 5, itemStyle: { ...style, opacity: faded(i), borderColor: ink("panel"), borderWidth: 1.5 },
            data: mine.filter(point => point[3] === 0).map(value => ({ value })),
            label: { show: spots[i] !== null, position: spots[i] || "top", fontSize: small ? 10 : 12.5, fontWeight: 600, color: ink("ink"), textBorderColor: ink("panel"), textBorderWidth: 3, formatter: () => cutTo(category.name, 48) } }];
      }),
    };
  }, drawn => drawn.on("click", at => { if (at.data && at.data.value) report.chooseCategory(at.data.value[2]); }));
  const change = run => () => { run(); entry.draw(); };
  $("map-size").addEventListener("change", change(() => { size = Number($("map-size").value); }));
  $("map-focus").addEventListener("change", change(() => { focus = Number($("map-focus").value); }));
  $("map-in").addEventListener("click", change(() => { zoom = Math.min(16, zoom * 1.5); }));
  $("map-out").addEventListener("click", change(() => { zoom = Math.max(1, zoom / 1.5); }));
  $("map-reset").addEventListener("click", change(() => { zoom = 1; focus = -1; $("map-focus").value = "-1"; }));
};

/** Where each label goes without covering another or leaving the map; null where there is no room. */
function labelSpots(labels, width, height) {
  const taken = [], high = 15, stars = labels.map(({ x, y }) => [x - 9, y - 9, 18, 18]);
  const meet = ([a, b, w, h], [c, d, v, g]) => a < c + v && c < a + w && b < d + g && d < b + h;
  return labels.map((label, own) => {
    if (!label.shown) return null;
    const inside = x => Math.max(0, Math.min(width - label.width, x)), middle = inside(label.x - label.width / 2);
    const boxes = [[middle, label.y - 12 - high], [middle, label.y + 12], [label.x + 12, label.y - high / 2], [label.x - 12 - label.width, label.y - high / 2],
      [inside(label.x - 4), label.y - 12 - high], [inside(label.x - label.width + 4), label.y - 12 - high],
      [inside(label.x - 4), label.y + 12], [inside(label.x - label.width + 4), label.y + 12]].map(([x, y]) => [x, y, label.width, high]);
    const free = boxes.filter(box => box[0] >= 0 && box[0] + label.width <= width && box[1] >= 0 && box[1] + high <= height && !taken.some(other => meet(box, other)));
    // A name may lie over another category's star only where there is no other room for it.
    const box = free.find(one => !stars.some((star, i) => i !== own && labels[i].shown && meet(one, star))) || free[0];
    if (!box) return null;
    taken.push(box);
    return [box[0] - label.x + 9, box[1] - label.y + 9];
  });
}

/** The width of a category's name on the map, as the browser will draw it. */
function nameWidth(name, size) {
  const pen = nameWidth.pen = nameWidth.pen || document.createElement("canvas").getContext("2d");
  pen.font = "600 " + size + "px system-ui, sans-serif";
  return pen.measureText(cutTo(name, 48)).width + 4;
}

function cutTo(text, width) {
  const plain = text.includes("[") ? partsOf(text).map(([, value]) => value).join(" + ") : text;
  return plain.length > width ? plain.slice(0, width - 1) + "…" : plain;
}

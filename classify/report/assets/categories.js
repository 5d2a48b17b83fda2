// One category at a time: what speaks for it; and the map of all of them.

function categoryMark(i) { return element("span", { class: "dot", style: { background: i < 0 ? "" : colour(i) }, "data-colour": i, "aria-hidden": "true" }); }

/** Marks are coloured by script, so they follow a change of theme here. */
function recolour() {
  for (const mark of document.querySelectorAll("[data-colour]")) {
    const i = Number(mark.dataset.colour);
    if (i >= 0) mark.style.background = colour(i);
  }
}

function showCategories({ categories, patterns }) {
  const list = $("category-list");
  let current = -1;
  fill(list, categories.map((category, i) => element("div", { role: "option", id: "category-" + i, "aria-selected": "false",
    on: { click: () => choose(i) } }, categoryMark(i), element("span", {}, category.name), element("small", {}, count(category.documents)))));
  function choose(i) {
    if (current >= 0) $("category-" + current).setAttribute("aria-selected", "false");
    current = i;
    const chosen = $("category-" + i);
    chosen.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", chosen.id);
    list.scrollTop = Math.max(0, Math.min(list.scrollTop, chosen.offsetTop - list.offsetTop), chosen.offsetTop - list.offsetTop - list.clientHeight + 60);
    fill("category", categoryCard(categories[i], i, patterns));
  }
  list.addEventListener("keydown", event => {
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(categories.length - 1, current + step)));
  });
  report.chooseCategory = i => { choose(i); $("categories").scrollIntoView(); };
  choose(0);
  if (categories.some(category => category.shares.length > 1)) fill("shares-block", sharesTable(categories, patterns));
  fill("print-only", categories.map((category, i) => element("article", {}, element("h3", {}, category.name),
    tableOf(category.instances.slice(0, 10), instanceColumns(patterns)))));
}

function categoryCard(category, i, patterns) {
  const { figures, pseudo } = category, first = 12;
  const parts = [
    element("h3", {}, categoryMark(i), category.name),
    category.note ? element("p", { class: "note" }, category.note) : null,
    element("dl", { class: "facts small-facts" }, facts([
      ["Documents", count(category.documents)],
      category.kappa === null ? null : ["Kappa", number(category.kappa, 1)],
      category.confidence === null ? null : ["Confidence", number(category.confidence)],
      pseudo && pseudo.known ? ["Pseudo labels right", percent(pseudo.right / pseudo.known)] : null,
      figures ? ["Precision", number(figures.precision)] : null, figures ? ["Recall", number(figures.recall)] : null,
      figures ? ["F1", number(figures.f1)] : null])),
  ];
  const used = category.shares.map((share, p) => [share, p]).filter(([share]) => share > 0).sort((a, b) => b[0] - a[0]);
  if (used.length) parts.push(
    element("div", { class: "stack", "aria-hidden": "true" }, used.map(([share, p]) => element("span", { "data-colour": p + 1, style: { flex: String(share), background: colour(p + 1) } }))),
    element("ul", { class: "legend", "aria-label": "Share of each pattern among the indicative instances" }, used.map(([share, p]) =>
      element("li", {}, categoryMark(p + 1), patterns[p].name + " " + percent(share)))));
  if (!category.instances.length) parts.push(element("p", { class: "hint" }, "No instance was selected for this category."));
  else {
    const table = rows => tableOf(rows, instanceColumns(patterns), { class: "cards instances" });
    const place = element("div", {}, table(category.instances.slice(0, first)));
    parts.push(place);
    const rest = category.instances.length - first;
    if (rest > 0) {
      const more = element("button", { type: "button", class: "more", on: { click: () => { fill(place, table(category.instances)); more.remove(); } } },
        "Show the other " + rest);
      parts.push(more);
    }
  }
  if (category.help) parts.push(helpBlock(category.help));
  return parts.filter(Boolean);
}

/** What `hin suggest` says of the category, with a line for the labels file that selects itself to be copied. */
function helpBlock({ problems, words, line }) {
  if (!problems.length && !words.length) return null;
  const copy = element("input", { class: "copy", readonly: "", "aria-label": "A line for the labels file", on: { focus: event => event.target.select() } });
  copy.value = line;
  return element("details", { class: "help", ...(problems.length ? { open: "" } : {}) }, element("summary", {}, "What would help"),
    problems.map(problem => element("p", { class: "note" }, "The name " + problem + ".")),
    words.length ? element("ul", {}, words.map(word => element("li", {}, element("b", {}, word.keyword),
      " in " + count(word.documents) + " documents, " + percent(word.share) + " of them here"))) : null,
    words.length ? element("label", {}, "To copy into the labels file, then take out what does not belong: ", copy) : null);
}

function instanceColumns(patterns) {
  return [
    { head: "#", number: true, class: "rank", cell: (row, i) => i + 1 },
    { head: "Instance", cell: row => [instance(row.name), " ", element("span", { class: "chip" }, patterns[row.pattern].name), examples(row.examples)] },
    { head: "Kappa", number: true, class: "inline", label: "kappa", cell: row => number(row.kappa, 1) },
    { head: "Cosine", class: "bar-cell inline", label: "cosine", cell: row => meter(row.cosine, number(row.cosine)) },
    { head: "Documents", number: true, class: "inline", label: "documents", cell: row => count(row.documents) },
  ];
}

function examples(titles) {
  if (!titles.length) return null;
  const lines = titles.map(title => element("span", { class: "example" }, "“" + title + "”"));
  if (lines.length === 1) return lines[0];
  const rest = titles.length - 1;
  return element("details", {}, element("summary", {}, "“" + titles[0] + "” and " + rest + " more"), lines.slice(1));
}

/** The paper's table 3: what share each pattern has among a category's instances. */
function sharesTable(categories, patterns) {
  const shown = patterns.map((_, p) => p).filter(p => categories.some(category => category.shares[p] > 0));
  const shade = share => ({ background: `rgba(var(--heat), ${(share * .75).toFixed(3)})` });
  const row = (name, shares) => element("tr", {}, element("th", { scope: "row", class: "name" }, name), shown.map(p =>
    element("td", { class: "number", style: shade(shares[p] || 0) }, shares[p] ? shares[p].toFixed(2) : "0")));
  const total = categories.reduce((sum, category) => sum + category.selected, 0) || 1;
  const overall = patterns.map((_, p) => categories.reduce((sum, category) => sum + (category.shares[p] || 0) * category.selected, 0) / total);
  return element("details", { class: "panel scroll" }, element("summary", {}, "Share of each pattern among the indicative instances, all categories"),
    element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Category"), shown.map(p => element("th", { scope: "col", class: "number" }, patterns[p].name)))),
      element("tbody", {}, categories.map(category => row(category.name, category.shares)), row("overall", overall))));
}

function mapHeight(width) { return Math.max(400, Math.min(680, width * .62)); }

const STAR = "path://M50,0 L61,35 L98,35 L68,57 L79,92 L50,70 L21,92 L32,57 L2,35 L39,35 Z";

function showMap({ map, categories }) {
  let size = 7, focus = -1, zoom = 1;
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
            label: { show: spots[i] !== null, position: spots[i] || "top", fontSize: small ? 10 : 12.5, fontWeight: 600, color: ink("ink"), textBorderColor: ink("panel"), textBorderWidth: 3, formatter: () => cutTo(category.name, 28) } }];
      }),
    };
  }, drawn => drawn.on("click", at => { if (at.data && at.data.value) report.chooseCategory(at.data.value[2]); }));
  const change = run => () => { run(); entry.draw(); };
  $("map-size").addEventListener("change", change(() => { size = Number($("map-size").value); }));
  $("map-focus").addEventListener("change", change(() => { focus = Number($("map-focus").value); }));
  $("map-in").addEventListener("click", change(() => { zoom = Math.min(16, zoom * 1.5); }));
  $("map-out").addEventListener("click", change(() => { zoom = Math.max(1, zoom / 1.5); }));
  $("map-reset").addEventListener("click", change(() => { zoom = 1; focus = -1; $("map-focus").value = "-1"; }));
}

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
  return pen.measureText(cutTo(name, 28)).width + 4;
}

function cutTo(text, width) {
  const plain = text.includes("[") ? partsOf(text).map(([, value]) => value).join(" + ") : text;
  return plain.length > width ? plain.slice(0, width - 1) + "…" : plain;
}

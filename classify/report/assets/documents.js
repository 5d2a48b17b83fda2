// The table of documents: searched, filtered and sorted over columns of numbers; only one page is ever in the document tree.

const PAGE = 25;

function showDocuments(index, bytes) {
  const { categories, patterns, abstain_label } = report.data, columns = columnsOf(index.columns, bytes), n = index.shown;
  const sure = columns.confidence, given = columns.category, label = columns.label, second = columns.second;
  const width = columns.reasons ? columns.reasons.length / n : 0;
  const state = { words: [], category: -2, label: -2, kind: "all", sort: "input", down: false, page: 0 };
  let rows = null;

  $("documents-rule").textContent = n === index.total
    ? "All " + plural(n, "document") + ". Choose a title to read its text, with what spoke for its category marked."
    : count(n) + " of " + count(index.total) + " documents, so that this file stays small: half drawn evenly at random, a quarter nearest to the border between two categories, a quarter the surest of each category. Choose a title to read its text, with what spoke for its category marked.";
  const names = [[-2, "any"], ...categories.map((category, i) => [i, category.name])];
  options($("by-category"), given.includes(0) ? [...names, [-1, abstain_label]] : names);
  if (label) { $("by-label-box").hidden = false; options($("by-label"), names); }
  options($("by-kind"), [["all", "all"], ...(label ? [["right", "right"], ["wrong", "wrong"]] : []), ...(second ? [["border", "near a border"]] : []), ["half", "less than half sure"], ["unsure", "the least sure tenth"]]);
  const tenth = Uint16Array.from(sure).sort()[Math.floor(n / 10)];

  /** With several categories the first counts as right where it is one of the true ones. */
  const isRight = i => columns.right ? columns.right[i] === 1 : label[i] === given[i];

  /** A mark for each document that has every word in its title, its id or its reasons. */
  function matching(words) {
    if (!words.length) return null;
    let kept = null;
    for (const word of words) {
      const hits = new Uint8Array(n);
      columns.title.find(word, i => { hits[i] = 1; });
      columns.id.find(word, i => { hits[i] = 1; });
      if (width) {
        const motif = new Uint8Array(columns.motif.length + 1);
        columns.motif.find(word, i => { motif[i + 1] = 1; });
        for (let i = 0; i < columns.reasons.length; i++) if (motif[columns.reasons[i]]) hits[i % n] = 1;
      }
      if (kept) for (let i = 0; i < n; i++) kept[i] &= hits[i]; else kept = hits;
    }
    return kept;
  }

  function select() {
    const kept = matching(state.words), found = [];
    for (let i = 0; i < n; i++) {
      if (kept && !kept[i]) continue;
      if (state.category > -2 && given[i] !== state.category + 1) continue;
      if (label && state.label > -2 && label[i] !== state.label + 1) continue;
      if (state.kind === "right" && !(label[i] && isRight(i))) continue;
      if (state.kind === "wrong" && !(label[i] && !isRight(i))) continue;
      if (state.kind === "border" && !(second[i] && sure[i] - columns.second_confidence[i] < 100)) continue;
      if (state.kind === "half" && !(given[i] && sure[i] < 500)) continue;
      if (state.kind === "unsure" && sure[i] > tenth) continue;
      found.push(i);
    }
    const by = { confidence: sure, category: given, label }[state.sort];
    if (by) found.sort((a, b) => by[a] - by[b] || a - b);
    if (state.sort === "title") found.sort((a, b) => compare(columns.title.get(a), columns.title.get(b)));
    if (state.down) found.reverse();
    return found;
  }
  function compare(a, b) { return a < b ? -1 : a > b ? 1 : 0; }

  function update() {
    rows = select();
    state.page = 0;
    $("found").textContent = rows.length === n ? plural(n, "document") : count(rows.length) + " of " + plural(n, "document");
    draw();
  }

  const name = code => code ? categories[code - 1].name : abstain_label;
  const mark = code => element("span", { class: "category" }, categoryMark(code - 1), name(code));
  function reasonsOf(i) {
    const found = [];
    for (let k = 0; k < width; k++) {
      const motif = columns.reasons[k * n + i];
      if (motif) found.push({ motif: motif - 1, weight: columns.weights[k * n + i] / 1000 });
    }
    return found;
  }
  function verdict(i) {
    if (!label[i]) return "–";
    const right = isRight(i);
    return [element("span", { class: right ? "verdict-right" : "verdict-wrong", "aria-hidden": "true" }, right ? "✓ " : "✗ "), element("span", {}, columns.labels ? columns.labels.get(i) : name(label[i]))];
  }
  function detail(i) {
    const reasons = reasonsOf(i), top = Math.max(...reasons.map(reason => reason.weight), 1e-9);
    return element("tr", { class: "detail" }, element("td", { colspan: label ? 5 : 4 },
      columns.text ? element("p", { class: "document-text" }, marked(columns.text.get(i), reasons.map(reason => columns.motif.get(reason.motif)))) : null,
      reasons.length ? tableOf(reasons, [
        { head: "What speaks for " + name(given[i]), cell: row => [instance(columns.motif.get(row.motif)), " ", element("span", { class: "chip" }, patterns[columns.motif_pattern[row.motif]].name)] },
        { head: "Weight", class: "bar-cell", cell: row => meter(row.weight / top, number(row.weight, 3)) },
        ...(columns.motif_kappa ? [{ head: "Kappa", number: true, cell: row => number(columns.motif_kappa[row.motif] / 10, 1) }] : []),
      ]) : element("p", { class: "hint" }, "No motif instance was recorded for this document."),
      second && second[i] ? element("p", { class: "hint" }, "Next best: " + name(second[i]) + ", " + (columns.second_confidence[i] / 1000).toFixed(2)) : null));
  }
  function rowOf(i) {
    const button = element("button", { type: "button", class: "link", "aria-expanded": "false" }, columns.title.get(i) || "(no text)");
    const row = element("tr", {},
      element("td", {}, button, element("span", { class: "id" }, columns.id.get(i))),
      element("td", { "data-label": "category" }, mark(given[i]), columns.also && columns.also.get(i) ? element("span", { class: "id" }, "also " + columns.also.get(i)) : null),
      element("td", { class: "bar-cell meter-cell", "data-label": "confidence" }, meter(sure[i] / 1000, (sure[i] / 1000).toFixed(2))),
      label ? element("td", { "data-label": "true" }, verdict(i)) : null,
      element("td", { class: "reasons" }, element("span", { class: "tags" }, reasonsOf(i).map(reason => element("span", { class: "chip" }, instance(columns.motif.get(reason.motif)))))));
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) row.nextElementSibling.remove(); else row.after(detail(i));
    });
    return row;
  }
  function head(key, text) {
    if (key === null) return element("th", { scope: "col" }, text);
    const sorted = state.sort === key ? (state.down ? "descending" : "ascending") : "none";
    return element("th", { scope: "col", "aria-sort": sorted }, element("button", { type: "button", on: { click: () => {
      state.down = state.sort === key ? !state.down : key === "confidence";
      state.sort = key;
      update();
      $("table").querySelector("th[aria-sort=" + (state.down ? "descending" : "ascending") + "] button").focus();
    } } }, text));
  }
  function draw() {
    const pages = Math.max(1, Math.ceil(rows.length / PAGE)), shown = rows.slice(state.page * PAGE, (state.page + 1) * PAGE);
    fill("table", shown.length ? element("table", { class: "cards" },
      element("thead", {}, element("tr", {}, head("title", "Document"), head("category", "Category"), head("confidence", "Confidence"), label ? head("label", "True category") : null, head(null, "Because of"))),
      element("tbody", {}, shown.map(rowOf))) : element("p", { class: "hint" }, "No document matches."));
    $("page").textContent = "page " + count(state.page + 1) + " of " + count(pages);
    $("previous").disabled = state.page === 0;
    $("next").disabled = state.page >= pages - 1;
  }

  let waiting = 0;
  $("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { state.words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean); update(); }, 120);
  });
  $("search-form").addEventListener("submit", event => event.preventDefault());
  const pick = (id, key, read) => $(id).addEventListener("change", () => { state[key] = read($(id).value); update(); });
  pick("by-category", "category", Number);
  pick("by-label", "label", Number);
  pick("by-kind", "kind", String);
  const turn = step => { state.page += step; draw(); $("documents").scrollIntoView(); };
  $("previous").addEventListener("click", () => turn(-1));
  $("next").addEventListener("click", () => turn(1));
  report.filterDocuments = ({ label: wanted = -2, category = -2, kind = "all", sort = state.sort }) => {
    Object.assign(state, { label: wanted, category, kind, down: sort === state.sort && state.down, sort, words: [] });
    $("by-label").value = String(wanted); $("by-category").value = String(category); $("by-kind").value = kind; $("search").value = "";
    update();
    $("documents").scrollIntoView();
    $("search").focus({ preventScroll: true });
  };
  /** For the benchmark: milliseconds of a search, drawing included. */
  report.timeSearch = text => {
    const from = performance.now();
    state.words = text.split(" ");
    update();
    return performance.now() - from;
  };
  report.ready.documents = true;
  update();
}

/** A text with the words of its reasons marked; a term stands in it as written or with another ending. */
function marked(text, instances) {
  const terms = instances.flatMap(name => partsOf(name)).filter(([field]) => field === "term").map(([, value]) => value);
  const quote = word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const patterns = terms.map(term => term.split(/\s+/).map(quote).join("[^\\p{L}\\p{N}]+(?:\\p{L}{1,3}[^\\p{L}\\p{N}]+)?"));
  if (!patterns.length) return [text];
  const found = new RegExp("(?<![\\p{L}\\p{N}])(?:" + patterns.join("|") + ")(?:e?s)?(?![\\p{L}\\p{N}])", "giu");
  const parts = [];
  let at = 0;
  for (const hit of text.matchAll(found)) {
    parts.push(text.slice(at, hit.index), element("mark", {}, hit[0]));
    at = hit.index + hit[0].length;
  }
  return [...parts, text.slice(at)];
}

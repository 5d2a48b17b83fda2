// One category at a time: what speaks for it.

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
      pseudo && pseudo.known ? ["Pseudo labels right", ofKnown(pseudo)] : null,
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
    { head: "By chance", number: true, class: "inline", label: "by chance", cell: row => number(row.expected, 1) },
    { head: "Lift", number: true, class: "inline", label: "lift", cell: row => number(row.lift, 1) },
    { head: "q", number: true, class: "inline", label: "q", cell: row => number(row.q, 3) },
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

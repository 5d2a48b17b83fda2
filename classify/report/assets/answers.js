// What the page says first: how many documents went where, how sure that is, and what to look at first.

const MOST = 6;  // the rest is folded: nobody looks at thirty things first

function showAnswers({ answers, categories }) {
  const list = (text, show) => element("button", { type: "button", class: "link", on: { click: () => look(show) } }, text);
  const rows = answers.categories.map((row, i) => ({ ...row, i })).sort((a, b) => b.documents - a.documents);
  const most = Math.max(...rows.map(row => row.share)) || 1;
  fill("answers-table", tableOf(rows, [
    { head: "Category", row: true, cell: row => element("span", { class: "category" }, categoryMark(row.i), list(categories[row.i].name, { category: row.i })) },
    { head: "Documents", class: "bar-cell", label: "documents", cell: row => meter(row.share / most, count(row.documents) + " (" + percent(row.share) + ")") },
    { head: "How sure", number: true, label: "how sure", cell: row => row.confidence === null ? "–" : percent(row.confidence) },
    { head: "Less than half sure", number: true, label: "less than half sure", cell: row => count(row.unsure) },
    { head: "What speaks for it", class: "wide", cell: row => different(row.words).map((name, k) => [k ? ", " : "", values(name)]) },
  ], { class: "cards" }));
  const items = answers.first.map(({ text, show }) => element("li", {}, show ? list(text, show) : text));
  const more = items.length > MOST + 1 ? items.splice(MOST) : [];
  fill("first", items.length
    ? [items, more.length ? element("li", {}, element("details", {}, element("summary", {}, count(more.length) + " more"), element("ul", {}, more))) : ""]
    : element("li", {}, "Nothing stands out: every document has a category, and all of them are more than half sure."));
}

/** An instance as plain words: its values, without the names of the fields. */
function values(name) { return element("span", { title: name }, inWords(name)); }
function inWords(name) { return partsOf(name).map(([, value]) => value).join(" + "); }

/** The instances whose words are not those of a stronger one: a term and a value of metadata may have the same. */
function different(names) {
  const words = names.map(name => inWords(name).toLowerCase());
  return names.filter((_, k) => words.indexOf(words[k]) === k);
}

function look(show) {
  if (show.choose !== undefined) report.chooseCategory(show.choose);
  else if (report.filterDocuments) report.filterDocuments({ sort: "confidence", ...show });
}

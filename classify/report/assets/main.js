// What happens when the page opens.

function showOverview({ graph, patterns, categories, evaluation, notes, answers }) {
  const fields = graph.edges.filter(edge => edge.kind === "field").map(edge => edge.type);
  const about = plural(graph.documents, "document") + (fields.length ? " with " + listed(fields) : "");
  $("lead").textContent = answers
    ? about + ", sorted into " + plural(categories.length, "category", "categories") + ". " + answers.lead
    : about + ". Categories have not been given yet: `hin classify --categories labels.txt` adds them.";
  fill("facts", facts([
    ["Documents", count(graph.documents)],
    categories.length ? ["Categories", count(categories.length)] : null,
    answers ? null : patterns.length ? ["Motif instances", count(patterns.reduce((sum, pattern) => sum + pattern.instances, 0))] : null,
    answers ? null : ["Edges", count(graph.edges.reduce((sum, edge) => sum + edge.count, 0))],
    evaluation && evaluation.micro_f1 !== undefined ? ["Micro-F1", number(evaluation.micro_f1, 3)] : null,
    evaluation && evaluation.macro_f1 !== undefined ? ["Macro-F1", number(evaluation.macro_f1, 3)] : null,
    pseudoRight(evaluation)]));
  if (!notes.length) return;
  $("notes").hidden = false;
  fill("notes", element("summary", {}, plural(notes.length, "remark") + " on this run"), element("ul", {}, notes.map(note => element("li", {}, note))));
}

/** The first names, and how many more there are. */
function listed(names, most = 6) {
  return names.length <= most + 1 ? names.join(", ") : names.slice(0, most).join(", ") + " and " + count(names.length - most) + " fields more";
}

/** How many of the first pseudo labels are right, by the true ones. */
function pseudoRight(evaluation) {
  const first = evaluation && evaluation.pseudo && evaluation.pseudo.find(row => row.accuracy !== null);
  return first ? ["First " + count(first.documents) + " pseudo labels right", percent(first.accuracy)] : null;
}

function showViews({ views, knowledge }) {
  if (!views.length) return [];
  const read = knowledge ? " Knowledge is " + (knowledge.beside ? knowledge.beside + " and, as encoder, " : "") + knowledge.model + ", which read " + plural(knowledge.documents, "document") + " itself; the rest follow from the corpus." : "";
  return [element("div", {}, element("h3", {}, "How much each view counted"),
    element("p", { class: "hint" }, "Views place documents and names side by side; together they gave the first labels, without any true one." + read),
    tableOf(views, [{ head: "View", row: true, cell: row => row.view }, { head: "Share", cell: row => number(100 * row.share, 1) + " %" }]))];
}

function showSettings({ settings, views, knowledge, version, library }) {
  fill("settings", showViews({ views, knowledge }), settings.filter(stage => stage.options.length).map(({ stage, options: rows }) => element("div", {}, element("h3", {}, stage),
    tableOf(rows, [{ head: "Option", row: true, cell: row => row[0] }, { head: "Value", cell: row => row[1] }]))));
  $("colophon").textContent = "Made by hin " + version + " (`hin report`), following MotifClass. Charts: " + library.name + " " + library.version + " (" + library.licence + "). This file asks no server for anything.";
}

function recolourAll(everything) {
  report.inks.clear();
  recolour();
  fill("schema", schema(report.data.graph, report.kinds));
  redraw(everything);
}

function themes() {
  const order = ["auto", "light", "dark"], button = $("theme");
  let chosen = "auto";
  try { chosen = localStorage.getItem("hin-theme") || "auto"; } catch { /* storage may be closed to files */ }
  if (!order.includes(chosen)) chosen = "auto";
  const apply = () => {
    if (chosen === "auto") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = chosen;
    button.textContent = "Theme: " + chosen;
    recolourAll();
  };
  button.addEventListener("click", () => {
    chosen = order[(order.indexOf(chosen) + 1) % order.length];
    try { localStorage.setItem("hin-theme", chosen); } catch { /* then it lasts as long as the page */ }
    apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
}

function sections() {
  const shown = [...document.querySelectorAll("main > section")].filter(section => !section.hidden && section.id !== "overview");
  const links = new Map(shown.map(section => [section, element("a", { href: "#" + section.id }, section.id === "about" ? "About" : section.querySelector("h2").textContent)]));
  fill("sections", [...links.values()].map(link => element("li", {}, link)));
  const watch = new IntersectionObserver(seen => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      for (const [section, link] of links) if (section === target) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-15% 0px -75% 0px" });
  shown.forEach(section => watch.observe(section));
}

async function start() {
  if (typeof DecompressionStream === "undefined") throw new Error("this browser is too old to open the report (it lacks DecompressionStream)");
  const data = report.data = await unpackJson("summary");
  const parts = [
    ["answers", data.answers, showAnswers], ["graph", true, showGraph], ["patterns", data.patterns.length, showPatterns], ["categories", data.categories.length, showCategories],
    ["quality", data.evaluation, showEvaluation], ["about", true, showSettings]];
  showOverview(data);
  for (const [id, there, show] of parts) if (there) { $(id).hidden = false; show(data); }
  for (const [name, numbers] of Object.entries(data.charts)) {
    if (!numbers) continue;
    const block = $(name + "-block");
    block.hidden = block.closest("section").hidden = false;
    drawings[name](numbers, data);
  }
  $("documents").hidden = false;
  themes();
  sections();
  // Paper is white: what scripts colour is drawn anew for it, and back again afterwards.
  addEventListener("beforeprint", () => { report.printing = true; recolourAll(true); });
  addEventListener("afterprint", () => { report.printing = false; recolourAll(); });
  addEventListener("keydown", event => {
    if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    $("search").focus();
  });
  report.times = { drawn: performance.now() };
  // The page is there; the documents, which weigh most, follow once it has been painted.
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const [index, bytes] = await Promise.all([unpackJson("documents-index"), unpack("documents-data")]);
  showDocuments(index, bytes);
  report.times.ready = performance.now();
  document.documentElement.dataset.ready = "true";
}

start().catch(error => {
  $("failure").textContent = "The report could not be drawn: " + error.message;
  $("failure").hidden = false;
  throw error;
});

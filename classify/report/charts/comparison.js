// Systems beside each other: what `hin compare` kept.

drawings.comparison = comparison => {
  const { systems, documents, documents_of_graph } = comparison, done = systems.filter(row => row.micro_f1);
  $("comparison-hint").textContent = plural(documents, "document") + (documents === documents_of_graph ? "" : ", a sample of " + count(documents_of_graph))
    + ". The bars are means over the runs with different seeds; the marks say who is significantly worse (* p < .05, ** p < .01, micro and macro).";
  const bars = (name, measure, color) => ({ name, type: "bar", itemStyle: { color: ink(color) }, data: done.map(row => row[measure].mean) });
  chart("comparison-chart", () => 60 + 34 * done.length, () => ({
    tooltip: tooltip(rows => [element("b", {}, done[rows[0].dataIndex].title), ...rows.map(row => element("div", {}, row.seriesName + " " + row.value.toFixed(3)))], "axis"),
    legend: { top: 0, right: 8, icon: "roundRect", itemWidth: 11, itemHeight: 11, textStyle: { color: ink("soft") } },
    grid: { left: 8, right: 24, top: 32, bottom: 8, containLabel: true },
    xAxis: axis({ type: "value", min: 0, max: 1 }),
    yAxis: axis({ type: "category", inverse: true, data: done.map(row => row.system), splitLine: { show: false } }),
    series: [bars("micro-F1", "micro_f1", "accent"), bars("macro-F1", "macro_f1", "none")],
  }));
  const figure = measure => row => row[measure] ? row[measure].mean.toFixed(3) + (row[measure].spread === null ? "" : " ± " + row[measure].spread.toFixed(3)) : "–";
  const marks = name => row => ["micro_f1", "macro_f1"].map(measure => (row[measure] && row[measure][name] && row[measure][name].marks) || "-").join(" ");
  fill("comparison-after", element("div", { id: "comparison-table", class: "panel scroll" }, tableOf(systems, [
    { head: "System", row: true, class: "name", cell: row => row.system },
    { head: "Micro-F1", number: true, cell: figure("micro_f1") },
    { head: "Macro-F1", number: true, cell: figure("macro_f1") },
    { head: "Against MotifClass", cell: marks("motifclass") },
    { head: "Against the default", cell: marks("hin") },
    { head: "Tested", number: true, cell: row => count(row.documents) },
    { head: "Seconds", number: true, cell: row => number(row.seconds, 1) },
    { head: "MB", number: true, cell: row => count(Math.round(row.megabytes)) },
    { head: "Remark", cell: row => row.status === "done" ? (row.supervision === "labels" ? "learns from true labels" : "") : row.status + ": " + row.message }])));
};

// How sure the categories are, with the line below which a document would rather get none.

drawings.confidence = (confidence, { abstain_label }) => {
  const { bins, right, wrong, unknown } = confidence, labelled = right.some(Boolean) || wrong.some(Boolean);
  let line = confidence.abstain === null ? 0 : confidence.abstain;
  const slider = element("input", { type: "range", id: "threshold", min: 0, max: 1, step: 1 / bins });
  slider.value = line;
  fill("confidence-after", element("div", { class: "controls" },
    element("label", { for: "threshold" }, "Abstain below ", element("output", { id: "threshold-value" })), slider,
    element("p", { id: "threshold-effect", "aria-live": "polite" })));
  const series = (name, data, color) => ({ name, type: "bar", stack: "documents", barCategoryGap: "12%", data: data.map((n, i) => [(i + .5) / bins, n]), itemStyle: { color: ink(color) } });
  const entry = chart("confidence-chart", 300, width => ({
    tooltip: tooltip(rows => {
      const i = rows[0].dataIndex;
      return [element("b", {}, "confidence " + (i / bins).toFixed(2) + " – " + ((i + 1) / bins).toFixed(2)),
        labelled ? count(right[i]) + " right, " + count(wrong[i]) + " wrong" + (unknown[i] ? ", " + count(unknown[i]) + " without a label" : "") : plural(unknown[i], "document")];
    }, "axis"),
    legend: { show: labelled, top: 0, right: 8, icon: "roundRect", itemWidth: 11, itemHeight: 11, textStyle: { color: ink("soft") } },
    grid: { left: 8, right: 16, top: 36, bottom: 34, containLabel: true },
    xAxis: axis({ type: "value", min: 0, max: 1, splitLine: { show: false }, name: "confidence", nameLocation: "middle", nameGap: 26, nameTextStyle: { color: ink("soft") } }),
    yAxis: axis({ type: "value", axisLine: { show: false } }),
    series: (labelled ? [series("right", right, "good"), series("wrong", wrong, "bad"), ...(unknown.some(Boolean) ? [series("no label", unknown, "none")] : [])] : [series("documents", unknown, "accent")])
      .map((one, i) => ({ ...one, barWidth: Math.max(2, (width - 90) / bins - 2), ...(i ? {} : { markLine: { silent: true, symbol: "none", animation: false, data: line > 0 ? [{ xAxis: line }] : [],
        lineStyle: { color: ink("ink"), width: 1.5, type: "dashed" }, label: { formatter: () => "abstain below " + line.toFixed(2), color: ink("ink"), position: "end" } } }) })),
  }));
  const showEffect = () => {
    line = Number(slider.value);
    const from = Math.round(line * bins), sum = values => values.slice(from).reduce((a, b) => a + b, 0), all = values => values.reduce((a, b) => a + b, 0);
    const kept = sum(right) + sum(wrong) + sum(unknown), total = all(right) + all(wrong) + all(unknown), judged = sum(right) + sum(wrong);
    $("threshold-value").textContent = line.toFixed(2);
    $("threshold-effect").textContent = percent(kept / total) + " of the documents keep their category" + (judged ? "; " + percent(sum(right) / judged, 1) + " of those are right" : "")
      + (confidence.without ? ". " + plural(confidence.without, "document") + " " + (confidence.without === 1 ? "has" : "have") + " no category (" + abstain_label + ")." : ".");
    if (entry.drawn) entry.draw();
  };
  slider.addEventListener("input", showEffect);
  showEffect();
};

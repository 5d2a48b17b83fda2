// How long the documents are: `numbers` is what chart_lengths.py returns, `chart` takes the options of ECharts.

drawings.lengths = numbers => chart("lengths-chart", 220, () => ({
  tooltip: tooltip(bar => numbers.edges[bar.dataIndex] + " words and more: " + plural(bar.value, "document")),
  grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
  xAxis: axis({ type: "category", data: numbers.edges.slice(0, -1) }),
  yAxis: axis({ type: "value" }),
  series: [{ type: "bar", data: numbers.counts, itemStyle: { color: ink("accent") } }],
}));

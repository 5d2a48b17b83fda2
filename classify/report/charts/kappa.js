// How kappa is spread in each pattern.

drawings.kappa = (kappa, { patterns }) => {
  const rows = patterns.map((pattern, i) => i).filter(i => patterns[i].instances);
  const tall = 58, middle = kappa.edges.slice(1).map((edge, i) => (edge + kappa.edges[i]) / 2);
  const back = value => kappa.log ? 10 ** value : value;
  chart("kappa-chart", () => rows.length * tall + 64, width => {
    const left = Math.min(170, width * .33), scaled = (bins, top) => bins.map((n, i) => [middle[i], n / top]);
    return {
      tooltip: tooltip(at => {
        const pattern = patterns[rows[at.seriesIndex >> 1]], bin = at.dataIndex;
        const range = number(back(kappa.edges[bin]), 1) + " – " + number(back(kappa.edges[bin + 1]), 1);
        return [element("b", {}, pattern.name), "kappa " + range + ": " + count(kappa.all[rows[at.seriesIndex >> 1]][bin]) + " instances, "
          + count(kappa.selected[rows[at.seriesIndex >> 1]][bin]) + " chosen"];
      }),
      grid: rows.map((_, i) => ({ left, right: 16, top: 12 + i * tall, height: tall - 10 })),
      xAxis: rows.map((_, i) => axis({ gridIndex: i, type: "value", min: kappa.edges[0], max: kappa.edges.at(-1),
        splitLine: { show: false }, axisLabel: { show: i === rows.length - 1, color: ink("soft"), hideOverlap: true, formatter: value => number(back(value), kappa.log && back(value) < 10 ? 1 : 0) },
        name: i === rows.length - 1 ? (kappa.log ? "kappa (logarithmic)" : "kappa") : "", nameLocation: "middle", nameGap: 26, nameTextStyle: { color: ink("soft") } })),
      yAxis: rows.map((row, i) => axis({ gridIndex: i, type: "value", min: 0, max: 1.05, axisLabel: { show: false }, splitLine: { show: false },
        axisLine: { show: false }, name: patterns[row].name, nameLocation: "middle", nameRotate: 0, nameGap: 8,
        nameTextStyle: { align: "right", color: ink("ink"), fontSize: 12.5, width: left - 20, overflow: "truncate" } })),
      series: rows.flatMap((row, i) => {
        const all = kappa.all[row], chosen = kappa.selected[row], bar = { type: "bar", xAxisIndex: i, yAxisIndex: i, barWidth: Math.max(1, (width - left - 16) / middle.length - 1), barGap: "-100%" };
        return [{ ...bar, data: scaled(all, Math.max(1, ...all)), itemStyle: { color: ink("accent"), opacity: .28 } },
          { ...bar, data: scaled(chosen, Math.max(1, ...chosen) * 1.6), itemStyle: { color: ink("accent") } }];
      }),
    };
  });
  $("kappa-chart").setAttribute("aria-label", "Spread of kappa by pattern; the medians are in the table above");
};

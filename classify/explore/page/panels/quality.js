// Quality: how good the labels are by a drawn sample, confidence against truth, confusion, what more answers would do.
import { html, useState, get, post, number, percent, plural, useAsked, Empty, Failed, Waiting } from "../lib.js";

const SIZE = 260, EDGE = 34;
const at = (x) => EDGE + x * (SIZE - 2 * EDGE);

function Calibration({ bins }) {
  const said = bins.map((bin) => `confidence ${percent(bin.confidence)}: ${percent(bin.right)} right of ${bin.answers}`).join("; ");
  return html`<h3>Confidence against truth</h3><figure><svg class="chart" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label=${said}>
      <line x1=${at(0)} y1=${at(1)} x2=${at(1)} y2=${at(1)} /><line x1=${at(0)} y1=${at(0)} x2=${at(0)} y2=${at(1)} /><line class="even" x1=${at(0)} y1=${at(1)} x2=${at(1)} y2=${at(0)} />
      <text x=${at(0.5)} y=${SIZE - 4} text-anchor="middle">confidence</text><text x="12" y=${at(0.5)} text-anchor="middle" transform=${`rotate(-90 12 ${at(0.5)})`}>right</text>
      <text x=${at(0)} y=${at(1) + 14} text-anchor="middle">0</text><text x=${at(1)} y=${at(1) + 14} text-anchor="middle">1</text><text x=${at(0) - 8} y=${at(0) + 4} text-anchor="end">1</text>
      ${bins.map((bin) => html`<circle cx=${at(bin.confidence)} cy=${at(1 - bin.right)} r=${3 + Math.min(9, Math.sqrt(bin.answers))}><title>${plural(bin.answers, "answer")}</title></circle>`)}</svg>
    <figcaption class="soft">${said}. On the dashed line, confidence equals accuracy.</figcaption></figure>`;
}

function Confusion({ names, table, rows, caption }) {
  return html`<h3>${caption}</h3><div class="scroll" tabindex="0" role="region" aria-label=${caption}><table class="rows confusion"><thead><tr><th scope="col">${rows}</th>${names.map((name) => html`<th scope="col">${name || "none"}</th>`)}</tr></thead>
    <tbody>${table.map((line, i) => html`<tr><th scope="row">${names[i] || "none"}</th>${line.map((n, j) => html`<td class=${!n ? "" : i === j ? "right" : "wrong"}>${n ? number(n) : ""}</td>`)}</tr>`)}</tbody></table></div>`;
}

const points = (x) => `${(100 * x).toFixed(1)} points`;

function More({ more, measured }) {
  return html`<h3>What ${more.answers} more answers would do</h3><ul>
    <li>${measured ? `To measure: the interval would shrink from ± ${points(more.half_width)} to about ± ${points(more.half_width_then)}.` : "To measure: they would give the accuracy to about ± 10 points."}</li>
    <li>${more.moves === null ? "To teach: not known before two runs with new answers." : `To teach: they would move about ${plural(more.moves, "document")}, by what the last answers moved.`}</li></ul>`;
}

export function Quality({ app }) {
  const { state } = app;
  const [busy, setBusy] = useState(false);
  const identity = state.classified && state.classified.identity;
  const found = useAsked(() => (identity ? get("/quality") : null), [identity, state.revision]);
  if (!identity) return html`<${Empty}>Run first: there are no labels to measure.<//>`;
  if (found.error) return html`<${Failed} message=${found.error} />`;
  if (!found.value) return html`<${Waiting} what="Measuring" />`;
  const { measured, answers, expected_accuracy: expected, weak, calibration, confusion, more, evaluated } = found.value;
  const draw = async () => {
    setBusy(true);
    await app.attempt(async () => { const drawn = await post("/quality/draw", { number: 50 }); app.show({ queue: "measure" }); app.setMessage(`${plural(drawn.documents, "document")} to answer.`); });
    setBusy(false);
  };
  return html`<section id="quality" aria-label="Quality"><h2>How good the labels are</h2>
    ${measured ? html`<p><span class="big">${percent(measured.accuracy)}</span> right, between ${percent(measured.low)} and ${percent(measured.high)} (95 % interval), from ${plural(measured.answers, "answer")} to a random draw.</p>`
      : html`<p>Not measured yet. ${answers ? `${plural(answers, "answer")} so far; ten are needed. ` : ""}Answer 50 documents that are drawn at random: they give an honest figure, and nothing is learned from them.</p>`}
    <p><button type="button" class=${measured ? "" : "primary"} disabled=${state.read_only || busy} onClick=${draw}>${answers ? "Answer more to measure" : "Answer 50 to measure"}</button></p>
    ${expected !== null && html`<p class="soft">Without answers, the method itself expects ${percent(expected)}; it has been off by ten points and more.</p>`}
    ${weak.length > 0 && html`<h3>Weak categories</h3><ul>${weak.map((line) => html`<li>${line.replace(" with `hin ask`", " here")}</li>`)}</ul>`}
    ${calibration.length > 0 && html`<${Calibration} bins=${calibration} />`}
    ${confusion.names.length > 0 && html`<${Confusion} ...${confusion} rows="answer \\ label" caption="Answers against labels" />`}
    <${More} more=${more} measured=${measured} />
    ${evaluated && html`<h3>Against the labels of the graph</h3><p>Micro-F1 ${evaluated.micro_f1.toFixed(3)}, macro-F1 ${evaluated.macro_f1.toFixed(3)}. Nothing was learned from these labels.</p>
      ${evaluated.confusion && html`<${Confusion} names=${evaluated.categories.map((one) => one.category)} table=${evaluated.confusion} rows="true \\ given" caption="True categories against given" />`}`}
    <p><button type="button" onClick=${() => app.open("Runs")}>History of runs, and what moved between any two</button></p></section>`;
}

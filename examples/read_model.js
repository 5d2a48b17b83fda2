// Label documents with what `model.export("model.json")` wrote: node read_model.js model.json < documents.jsonl
const float = Math.fround; // rounds to float32, as hin computes
const sum = (values) => values.reduce((total, value) => total + value, 0);
const translate = (text, table) => Array.from(text, (letter) => table.get(letter) ?? letter).join("");
const keyOf = (parts) => JSON.stringify(parts.map((part) => [...part].sort()));
const choose = (values, size) => size === 0 ? [[]]
  : values.flatMap((value, at) => choose(values.slice(at + 1), size - 1).map((rest) => [value, ...rest]));

class Model {
  constructor(file) {
    Object.assign(this, { file, token: new RegExp(file.token, "gu"), dropped: new RegExp(file.dropped, "gu") });
    [this.folded, this.written] = [file.fold, file.written].map((table) => new Map(Object.entries(table)));
    [this.idf, this.views] = [file.idf, file.sureness_coefficients ?? []].map((list) => Float32Array.from(list));
    this.rows = file.coefficients.map((row) => Float32Array.from(row));
    this.tables = file.tables.map(({ fields, limit, first, instances }) => {
      const parts = (row, at = 0) => Object.values(fields).map((size) => row.slice(at, (at += size)));
      const numbers = new Map(instances.map((row, n) => [keyOf(parts(row)), first + n]));
      return { fields: Object.entries(fields), limit: limit ?? Infinity, numbers };
    });
    const { first, instances } = file.tables.find(({ fields }) => "term" in fields);
    this.terms = new Map(instances.map(([term], at) => [term, first + at]));
    const starts = (term) => [...term.matchAll(/ |$/g)].map(({ index }) => term.slice(0, index));
    this.starts = new Set([...this.terms.keys()].flatMap(starts));
  }

  // The numbers of the terms, the longest first; a phrase counts for its words, too.
  *readTerms(given) {
    const text = translate(given, this.folded).normalize("NFC").replace(this.dropped, "");
    const found = [...text.matchAll(this.token)], words = found.map(([token]) => translate(token, this.written));
    const gap = (end) => text.slice(found[end - 1].index + found[end - 1][0].length, found[end]?.index);
    const joined = (end) => end < found.length && [...gap(end)].every((letter) => this.file.space.includes(letter));
    for (let at = 0, after = 1; at < found.length; at = after, after += 1) {
      let best = words[at];
      for (let end = after, phrase = best; joined(end); ) {
        phrase += " " + words[end++];
        if (!this.starts.has(phrase)) break;
        if (this.terms.has(phrase)) [best, after] = [phrase, end];
      }
      const parts = [best, ...(after > at + 1 ? best.split(" ") : [])].filter((part) => this.terms.has(part));
      yield* parts.map((part) => this.terms.get(part));
    }
  }

  // The numbers of metadata values and of their combinations.
  *readValues(document) {
    const values = {}, key = (value) => translate(value.replace(/\s+/gu, " ").trim(), this.folded);
    for (const [name, spellings] of Object.entries(this.file.spellings)) {
      const own = [document[name] ?? []].flat().map(String).map((value) => spellings[key(value)] ?? value);
      values[name] = [...new Set(own)];
    }
    for (const { fields, limit, numbers } of this.tables) {
      const choices = fields.map(([name, size]) => choose(values[name] ?? [], size));
      if (choices.reduce((product, some) => product * some.length, 1) > limit) continue;
      const keys = choices.reduce((made, some) => made.flatMap((parts) => some.map((one) => [...parts, one])), [[]]);
      yield* keys.map(keyOf).filter((one) => numbers.has(one)).map((one) => numbers.get(one));
    }
  }

  // The category (null where nothing is known) and the probability of each category.
  label(document) {
    const { categories, damping, intercepts, offsets, sureness, temperature } = this.file, counts = new Map();
    const text = this.file.text_fields.map((name) => document[name] ?? "").join(this.file.joined_by);
    for (const i of [...this.readTerms(text), ...this.readValues(document)]) counts.set(i, (counts.get(i) ?? 0) + 1);
    const scored = (shares) => Object.fromEntries(categories.map((name, n) => [name, shares[n]]));
    if (!counts.size) return { category: null, scores: scored(categories.map(() => 1 / categories.length)) };
    const numbers = [...counts.keys()].sort((a, b) => a - b), total = new Float32Array(categories.length);
    const damped = (count) => float(damping[count - 1] ?? 1 + Math.log(count));
    const weights = numbers.map((i) => float(damped(counts.get(i)) * this.idf[i]));
    const length = Math.sqrt(sum(weights.map((weight) => weight * weight)));
    let views = 0;
    weights.map((weight) => float(weight / length)).forEach((weight, at, _, i = numbers[at]) => {
      this.rows[i].forEach((value, n) => (total[n] += float(weight * value)));
      if (sureness) views = float(views + float(weight * this.views[i]));
    });
    const scores = Array.from(total, (value, n) => value + intercepts[n] + (offsets?.[n] ?? 0));
    const below = scores.map((score) => score - Math.max(...scores));
    const factor = sureness ? this.factor(below, views) : 1 / temperature;
    const shares = below.map((value) => Math.exp(value * factor));
    return { category: categories[below.indexOf(0)], scores: scored(shares.map((share) => share / sum(shares))) };
  }

  // The factor on the scores that gives the best category the confidence of the document.
  factor(below, views) {
    const sure = this.file.sureness, least = (1 + (below.length - 1) * sure.above_chance) / below.length;
    const others = sum(below.map(Math.exp).sort((a, b) => a - b).slice(0, -1));
    const margin = -Math.log(1 + others) - Math.log(Math.max(others / (1 + others), 1e-12));
    const said = (sure.views_weight * (views - sure.views[0])) / sure.views[1];
    const odds = sure.slope * ((margin - sure.margin[0]) / sure.margin[1] + said) + sure.level;
    const chance = Math.min(Math.max(1 / (1 + Math.exp(-odds)), least), sure.most);
    for (let round = 0, low = -12, high = 12, half = 0; ; round++, half = (low + high) / 2) {
      if (round === 44) return Math.exp(half);
      const rest = sum(below.map((value) => Math.exp(value * Math.exp(half))));
      [low, high] = rest > 1 / chance ? [half, high] : [low, half];
    }
  }
}
const [file, input] = [process.argv[2], 0].map((from) => require("fs").readFileSync(from, "utf8"));
const model = new Model(JSON.parse(file));
for (const line of input.split("\n")) if (line.trim()) console.log(JSON.stringify(model.label(JSON.parse(line))));

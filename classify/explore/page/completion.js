// What may stand at the caret of a query: labels and relationships after a colon, properties after a dot.
const ofLabel = (schema, label) => schema.labels.filter((one) => !label || one.label === label).flatMap((one) => Object.keys(one.properties));
const ofType = (schema, type) => schema.relationships.filter((one) => !type || one.type === type).flatMap((one) => Object.keys(one.properties));

// The label or type that a variable was given: `(d:Document`, `[r:CITES`.
const kindOf = (text, variable) => text.match(new RegExp(`[([]\\s*${variable}\\s*:\\s*\`?(\\w+)`));

// The names that continue what is typed, and where that begins; none inside a text in quotes.
export function completions(schema, text, caret) {
  const before = text.slice(0, caret);
  const typed = before.match(/(?:(\w+)\.|[:|&]\s*)(\w*)$/);
  if (!schema || !typed || /\w/.test(text[caret] || "") || (before.match(/'|"/g) || []).length % 2) return { start: caret, names: [] };
  let names;
  if (typed[1]) {
    const kind = (kindOf(text, typed[1]) || [])[1];
    names = kind ? [...ofLabel(schema, kind), ...ofType(schema, kind)] : [...ofLabel(schema), ...ofType(schema)];
  } else names = before.lastIndexOf("[") > before.lastIndexOf("(") ? schema.relationships.map((one) => one.type) : schema.labels.map((one) => one.label);
  const wanted = typed[2].toLowerCase();
  const found = [...new Set(names)].filter((name) => name.toLowerCase().startsWith(wanted) && name !== typed[2]);
  return { start: caret - typed[2].length, names: found.slice(0, 10) };
}

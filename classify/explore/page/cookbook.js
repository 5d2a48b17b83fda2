// Queries to begin with, as docs/cookbook.md has them: F is a metadata field, L a link; one that needs what is not there is left out.
const QUERIES = [
  ["Documents of each category", "MATCH (d:Document)-[a:CLASSIFIED_AS]->(c:Category)\nRETURN c.name AS category, count(*) AS documents, avg(a.confidence) AS confidence\nORDER BY documents DESC, category"],
  ["What indicates each category", "MATCH (m:Motif)-[i:INDICATES]->(c:Category)\nRETURN c.name AS category, i.position AS position, m.pattern AS pattern, m.name AS motif, m.kappa AS kappa, i.cosine AS cosine\nORDER BY category, position, motif\nLIMIT 60"],
  ["A picture of some documents", "MATCH (d:Document)-[r:CLASSIFIED_AS]->(c:Category)\nRETURN d, r, c LIMIT 40"],
  ["Documents in doubt", "MATCH (d:Document)-[a:CLASSIFIED_AS]->(c:Category)\nWHERE a.confidence < 0.5\nRETURN d.id AS document, c.name AS category, a.confidence AS confidence\nORDER BY confidence, document\nLIMIT 20"],
  ["Documents that nothing explains", "MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category)\nWHERE NOT EXISTS { (d)-[:HAS_MOTIF]->(m:Motif)-[:INDICATES]->(c) }\nRETURN d.id AS document, c.name AS category\nORDER BY document\nLIMIT 20"],
  ["Documents whose motifs contradict one another", "MATCH (c:Category)<-[:INDICATES]-(m:Motif)<-[:HAS_MOTIF]-(d:Document)-[:HAS_MOTIF]->(n:Motif)-[:INDICATES]->(e:Category)\nWHERE c.name < e.name\nRETURN d.id AS document, c.name AS one, e.name AS other, count(*) AS pairs\nORDER BY pairs DESC, document, one, other\nLIMIT 20"],
  ["Why the first document got its category", "MATCH (d:Document)-[:HAS_MOTIF]->(m:Motif)-[i:INDICATES]->(c:Category)<-[:CLASSIFIED_AS]-(d)\nWHERE d.number = 0\nRETURN d.id AS document, c.name AS category, m.name AS motif, i.cosine AS cosine, m.kappa AS kappa\nORDER BY cosine DESC, motif"],
  ["Documents most like the first one", "MATCH (d:Document)-[:HAS_MOTIF]->(m:Motif)<-[:HAS_MOTIF]-(e:Document)\nWHERE d.number = 0 AND m.documents < 100\nRETURN e.id AS document, count(*) AS shared, min(m.pattern) AS for_example\nORDER BY shared DESC, document\nLIMIT 20"],
  ["Motif instances that indicate several categories", "MATCH (m:Motif)-[:INDICATES]->(c:Category)\nWITH m, count(*) AS categories, min(c.name) AS one, max(c.name) AS other\nWHERE categories > 1\nRETURN m.name AS motif, m.kappa AS kappa, categories, one, other\nORDER BY categories DESC, kappa, motif"],
  ["Indicative motif instances that occur together", "MATCH (c:Category)<-[:INDICATES]-(m:Motif)<-[:HAS_MOTIF]-(d:Document)-[:HAS_MOTIF]->(n:Motif)-[:INDICATES]->(c)\nWHERE m.number < n.number\nRETURN c.name AS category, m.name AS one, n.name AS other, count(*) AS documents\nORDER BY documents DESC, category, one, other\nLIMIT 20"],
  ["Words of the documents we are sure of", "MATCH (c:Category)<-[a:CLASSIFIED_AS]-(d:Document)-[:HAS_TERM]->(w:Term)\nWHERE a.confidence > 0.6\nWITH c, w, count(*) AS documents\nWHERE documents > 1\nRETURN c.name AS category, w.name AS term, documents\nORDER BY documents DESC, category, term\nLIMIT 30"],
  ["Documents of each value of F", "MATCH (d:Document)-[:HAS_F]->(v:F)\nRETURN v.name AS value, count(*) AS documents\nORDER BY documents DESC, value\nLIMIT 30"],
  ["Values of F in several categories", "MATCH (v:F)<-[:HAS_F]-(d:Document)-[:CLASSIFIED_AS]->(c:Category)\nWITH v, count(DISTINCT c) AS categories, count(DISTINCT d) AS documents\nWHERE categories > 1\nRETURN v.name AS value, categories, documents\nORDER BY categories DESC, documents DESC, value\nLIMIT 20"],
  ["Values of F of which we are least sure", "MATCH (v:F)<-[:HAS_F]-(d:Document)-[a:CLASSIFIED_AS]->(c:Category)\nWITH v, avg(a.confidence) AS sure, count(*) AS documents\nWHERE documents > 2\nRETURN v.name AS value, round(sure, 3) AS confidence, documents\nORDER BY confidence, documents DESC, value\nLIMIT 20"],
  ["Words of the first value of F", "MATCH (v:F)<-[:HAS_F]-(d:Document)-[t:HAS_TERM]->(w:Term)\nWHERE v.number = 0\nRETURN v.name AS value, w.name AS term, sum(t.occurrences) AS occurrences, count(*) AS documents\nORDER BY occurrences DESC, value, term\nLIMIT 20"],
  ["Categories joined by L", "MATCH (c:Category)<-[:CLASSIFIED_AS]-(d:Document)-[:L]->(e:Document)-[:CLASSIFIED_AS]->(f:Category)\nWHERE c.name <> f.name\nRETURN c.name AS one, f.name AS other, count(*) AS times\nORDER BY times DESC, one, other"],
  ["Some documents", "MATCH (d:Document)\nRETURN d LIMIT 10"],
];
const OWN = ["Document", "Term", "Motif", "Category"];

// The queries that the schema of a graph allows, about its first field and its first link.
export function cookbook(schema) {
  if (!schema) return [];
  const known = new Set([...schema.labels.map((one) => one.label), ...schema.relationships.map((one) => one.type)]);
  const joined = schema.relationships.filter((one) => one.from === "Document");
  const field = joined.find((one) => !OWN.includes(one.to)), link = joined.find((one) => one.to === "Document");
  const named = (text) => text.replace(/\b(HAS_F|F|L)\b/g, (all) => (all === "L" ? link && link.type : field && field[all === "F" ? "to" : "type"]) || all);
  return QUERIES.map((pair) => pair.map(named)).filter(([, query]) => [...query.matchAll(/:([A-Z]\w*)/g)].every(([, name]) => known.has(name)));
}

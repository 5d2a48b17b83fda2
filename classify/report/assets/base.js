"use strict";
// Everything a user's data can reach goes through `element`, which sets text and attributes and never parses markup.
const report = { data: null, documents: null, ready: {} };

function $(id) { return document.getElementById(id); }

/** An element with properties, attributes and children; strings become text. */
function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") made.className = value;
    else if (key === "style") Object.assign(made.style, value);
    else if (key === "on") for (const [event, run] of Object.entries(value)) made.addEventListener(event, run);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined).map(
    child => child instanceof Node ? child : String(child)));
  return made;
}

function fill(target, ...children) {
  const place = typeof target === "string" ? $(target) : target;
  place.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
  return place;
}

const whole = new Intl.NumberFormat("en");
function count(n) { return n === null || n === undefined ? "–" : whole.format(n); }
function number(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  return Math.abs(value) >= 100 ? whole.format(Math.round(value)) : value.toFixed(digits);
}
/** A share in percent; one that would round to none is less than one. */
function percent(value, digits = 0) {
  if (value === null || value === undefined) return "–";
  const shown = (100 * value).toFixed(digits);
  return (value > 0 && Number(shown) === 0 ? "< " + (10 ** -digits).toFixed(digits) : shown) + " %";
}
function plural(n, one, many) { return count(n) + " " + (n === 1 ? one : many || one + "s"); }

/** Bytes of a block of the page: base64 of a zlib stream. */
async function unpack(id) {
  const text = $(id).textContent;
  let bytes;
  if (Uint8Array.fromBase64) bytes = Uint8Array.fromBase64(text);
  else {
    const raw = atob(text);
    bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpackJson(id) { return JSON.parse(new TextDecoder().decode(await unpack(id))); }

/** The columns that Python's `pack` laid side by side: arrays of numbers, or one string with its line starts. */
function columnsOf(index, bytes) {
  const columns = Object.create(null); // a field may be called __proto__
  let at = 0;
  for (const { name, type, bytes: length, items } of index) {
    const part = bytes.subarray(at, at + length);
    at += length;
    if (type === "text") { columns[name] = new Lines(new TextDecoder().decode(part), items); continue; }
    const size = Number(type.slice(1));
    if (size === 1) { columns[name] = part; continue; }
    const values = size === 2 ? new Uint16Array(items) : new Uint32Array(items);
    for (let plane = 0; plane < size; plane++) {
      const shift = 8 * plane, bytesOf = part.subarray(plane * items, (plane + 1) * items);
      // The high planes are mostly empty.
      if (bytesOf.every(byte => byte === 0)) continue;
      for (let i = 0; i < items; i++) values[i] |= bytesOf[i] << shift;
    }
    columns[name] = values;
  }
  return columns;
}

/** Many strings as one, so that a search runs through a single text. */
class Lines {
  constructor(text, items) {
    this.text = text;
    this.starts = new Uint32Array(items + 1);
    for (let i = 1, at = 0; i < items; i++) { at = text.indexOf("\n", at) + 1; this.starts[i] = at; }
    this.starts[items] = text.length + 1;
    this.length = items;
  }
  get(i) { return this.text.slice(this.starts[i], this.starts[i + 1] - 1); }
  /** Calls `hit` with the number of each line that holds `word`, which must be lower case. */
  find(word, hit) {
    if (this.folded === undefined) {
      this.folded = this.text.toLowerCase();
      // A few letters change their length in lower case; then positions no longer fit and lines are folded one by one.
      if (this.folded.length !== this.text.length) this.folded = null;
    }
    if (this.folded === null) {
      for (let i = 0; i < this.length; i++) if (this.get(i).toLowerCase().includes(word)) hit(i);
      return;
    }
    let line = 0;
    for (let at = this.folded.indexOf(word); at >= 0; at = this.folded.indexOf(word, at)) {
      while (this.starts[line + 1] <= at) line++;
      hit(line);
      at = this.starts[line + 1];
      if (at >= this.folded.length) break;
    }
  }
}

/** An instance such as VENUE[KDD]-YEAR[2008] as its parts; the grammar is that of motifs/instance_names.py. */
function partsOf(name) {
  const part = /((?:[^[\\]|\\.)*)\[((?:[^\]\\]|\\.)*)\](-|$)/sy, parts = [];
  const plain = text => text.replace(/\\(?:u\{([0-9a-f]{1,6})\}|(.))/gs,
    (_, hex, char) => hex ? String.fromCodePoint(parseInt(hex, 16)) : { n: " ", r: " ", t: " " }[char] || char);
  for (let found; (found = part.exec(name));) {
    parts.push([plain(found[1]).toLowerCase(), plain(found[2])]);
    if (part.lastIndex === name.length) return parts;
  }
  return [["", name]];
}

function instance(name) {
  return element("span", { class: "name", title: name }, partsOf(name).map(([field, value]) =>
    element("span", { class: "part" }, field ? element("small", {}, field) : null, value)));
}

function meter(share, text) {
  const width = Math.max(0, Math.min(1, share || 0)) * 100 + "%";
  return element("span", { class: "meter" }, element("i", { "aria-hidden": "true" }, element("b", { style: { width } })), element("span", {}, text));
}

/** How many of the documents whose true category is known are right; a share would hide that they may be one. */
const ofKnown = ({ right, known }) => count(right) + " of " + count(known);

/** A table from rows; a column is {head, cell, number?, label?}. */
function tableOf(rows, columns, attributes = {}) {
  const kind = column => [column.number ? "number" : "", column.class || ""].join(" ").trim();
  return element("table", attributes,
    element("thead", {}, element("tr", {}, columns.map(column => element("th", { scope: "col", class: kind(column) }, column.head)))),
    element("tbody", {}, rows.map((row, i) => element("tr", {}, columns.map(column =>
      element(column.row ? "th" : "td", { class: kind(column), scope: column.row ? "row" : null, "data-label": column.label }, column.cell(row, i)))))));
}

function facts(rows, small) {
  return rows.filter(Boolean).map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

function options(select, rows) { fill(select, rows.map(([value, text]) => element("option", { value }, text))); }

// The charts: drawn when they come into view, again when the theme changes, and all of them before printing.

report.charts = new Map();

/** How each chart of the report is drawn, by its name: (numbers, the whole summary). */
const drawings = {};

report.inks = new Map();

const PAPER = { paper: "#ffffff", panel: "#ffffff", ink: "#000000", soft: "#444444", faint: "#666666", line: "#cccccc",
  accent: "#2f6f8f", good: "#2c7a50", bad: "#b04c35", none: "#a9adb5" };

/** What fits between the margins of A4 and of letter paper, in CSS pixels. */
const PAPER_WIDTH = 670;

function ink(name) {
  if (report.printing) return PAPER[name];
  // Asked for thousands of times, so it is read once for each theme.
  if (!report.inks.has(name)) report.inks.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  return report.inks.get(name);
}

function isDark() {
  if (report.printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Evenly bright colours however many there are (OKLCH, the hue turned by the golden angle). */
function colour(i, dark = isDark()) {
  const lightness = (dark ? .76 : .57) + [0, -.08, .06][Math.floor(i / 9) % 3], chroma = dark ? .11 : .13;
  const hue = (235 + i * 137.508) * Math.PI / 180, a = chroma * Math.cos(hue), b = chroma * Math.sin(hue);
  const [l, m, s] = [lightness + .3963377774 * a + .2158037573 * b, lightness - .1055613458 * a - .0638541728 * b,
    lightness - .0894841775 * a - 1.291485548 * b].map(v => v ** 3);
  const linear = [4.0767416621 * l - 3.3077115913 * m + .2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - .3413193965 * s,
    -.0041960863 * l - .7034186147 * m + 1.707614701 * s];
  return "#" + linear.map(v => {
    const c = Math.max(0, Math.min(1, v)), g = c <= .0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - .055;
    return Math.round(g * 255).toString(16).padStart(2, "0");
  }).join("");
}

/** Options whose texts no object has by itself: ECharts keeps widths by text, and would write to `__proto__`. */
function ownNames(value) {
  if (typeof value === "string") return value in Object.prototype ? value + "\u2060" : value; // a joiner nobody sees
  if (typeof value === "function") return function (...given) { return ownNames(value.apply(this, given)); };
  if (Array.isArray(value)) return value.map(ownNames);
  if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, ownNames(inside)]));
}

/** A chart in a panel: `options(width)` is asked anew at each drawing. */
function chart(id, height, options, wired) {
  const panel = $(id), place = element("div", {});
  fill(panel, place);
  const entry = { drawn: null, width: 0 };
  entry.draw = () => {
    place.style.width = report.printing ? PAPER_WIDTH + "px" : "";
    const width = place.clientWidth, tall = typeof height === "function" ? height(width) : height;
    if (!width) return;
    place.style.height = tall + "px";
    if (!entry.drawn) {
      entry.drawn = echarts.init(place, null, { renderer: "svg" });
      if (wired) wired(entry.drawn);
    } else entry.drawn.resize();
    entry.width = width;
    entry.drawn.setOption(ownNames(Object.assign({
      animation: false, textStyle: { fontFamily: "system-ui, sans-serif", color: ink("soft") },
      aria: { enabled: false } }, options(width))), { notMerge: true });
  };
  report.charts.set(id, entry);
  // Its room is kept before it is drawn, so that nothing moves under the reader's finger.
  place.style.height = (typeof height === "function" ? height(place.clientWidth) : height) + "px";
  new IntersectionObserver((seen, watcher) => {
    if (seen.some(one => one.isIntersecting)) { watcher.disconnect(); entry.draw(); }
  }, { rootMargin: "500px" }).observe(panel);
  new ResizeObserver(() => { if (entry.drawn && place.clientWidth !== entry.width) entry.draw(); }).observe(place);
  return entry;
}

function redraw(everything) {
  for (const entry of report.charts.values()) if (entry.drawn || everything) entry.draw();
}

function tooltip(formatter, trigger = "item") {
  return { trigger, confine: true, backgroundColor: ink("panel"), borderColor: ink("line"), textStyle: { color: ink("ink") },
    // Returning an element keeps names text: a returned string would be read as markup.
    formatter: at => element("div", { class: "tip" }, formatter(at)) };
}

function axis(extra) {
  return Object.assign({ axisLine: { lineStyle: { color: ink("faint") } }, axisTick: { show: false },
    axisLabel: { color: ink("soft") }, splitLine: { lineStyle: { color: ink("line") } } }, extra);
}

import { progressOf } from "./builds.js";
import { count, make } from "./dom.js";
import { call } from "./rest.js";

const pause = 10000;
const [width, height] = [320, 90];
const minute = 60 * 1000;
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

const number = (value) => Number(value).toLocaleString("en", { maximumFractionDigits: 2 });
const milliseconds = (value) => `${number(value)} ms`;

function bytes(value) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const index = value ? Math.min(Math.floor(Math.log2(value) / 10), units.length - 1) : 0;
  return `${number(value / 1024 ** index)} ${units[index]}`;
}

/** The plots: a title, the form of their values, and lines with the names of their figures. */
const plots = [
  ["Calls a second", number, { calls: (sample) => sample.calls / sample.seconds }],
  ["Latency of calls", milliseconds, {
    "half of them": ({ p50Milliseconds }) => p50Milliseconds,
    "95 of 100": ({ p95Milliseconds }) => p95Milliseconds,
    "99 of 100": ({ p99Milliseconds }) => p99Milliseconds,
  }],
  ["Refusals and failures", number, {
    refused: ({ refused }) => refused, failed: ({ failed }) => failed }],
  ["Listeners and connections", number, {
    listeners: ({ listeners }) => listeners, connections: ({ connections }) => connections }],
  ["Memory", bytes, { memory: ({ memoryBytes }) => memoryBytes }],
  ["Disk, without the latest writes", bytes, { "open databases": ({ diskBytes }) => diskBytes }],
];

/** The page of a server's figures over the last hour. */
export class HealthPage {
  #database;
  #timer = null;
  #isEnded = false;

  constructor(place, database) {
    this.#database = database;
    this.summary = make("p", { class: "quiet" });
    this.plots = make("div", { class: "plots" });
    this.builds = make("div");
    place.append(
      make("h1", {}, "Health"), this.summary, this.plots, make("h2", {}, "Builds that run"),
      this.builds);
  }

  end() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  async show() {
    clearTimeout(this.#timer);
    const [{ samples, seconds }, operations] = await Promise.all([
      call("GET", "/hearth/v1/health"), this.#database.operations()]);
    if (this.#isEnded) return;
    samples.forEach((sample, index) => {
      sample.seconds = index ? (sample.time - samples[index - 1].time) / 1000 : seconds;
    });
    this.#showPlots(samples);
    this.#showBuilds(operations.filter(({ done }) => !done));
    // A page that is shown again meanwhile has one timer.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#poll(), pause);
  }

  #poll() {
    this.show().catch((error) => {
      this.summary.textContent = error.message;
      if (!this.#isEnded) this.#timer = setTimeout(() => this.#poll(), pause);
    });
  }

  #showPlots(samples) {
    const calls = samples.reduce((sum, sample) => sum + sample.calls, 0);
    const refused = samples.reduce((sum, sample) => sum + sample.refused, 0);
    this.summary.textContent = `${count(calls, "call")} and ${count(refused, "refusal")} in the `
      + `last ${count(Math.ceil(samples.length / 6), "minute")}. Streams are not among the calls, `
      + "but refusals of their listeners are told.";
    const end = samples.at(-1)?.time ?? Date.now();
    const span = Math.max(end - (samples[0]?.time ?? end), 5 * minute);
    this.plots.replaceChildren(...plots.map(([title, form, lines]) => plot(
      title, form, { end, span }, Object.entries(lines).map(([name, figure]) => ({
        name, latest: samples.length ? figure(samples.at(-1)) : undefined,
        points: samples.map((sample) => ({ time: sample.time, value: figure(sample) }))
          .filter(({ value }) => value !== undefined),
      })))));
  }

  #showBuilds(operations) {
    if (!operations.length) return this.builds.replaceChildren(make("p", { class: "quiet" }, "None."));
    this.builds.replaceChildren(make("ul", {}, operations.map((operation) => {
      const { metadata } = operation;
      const { share = 0, words } = progressOf(operation);
      const name = metadata?.index ?? metadata?.field ?? "";
      return make(
        "li", {}, make("span", { class: "mono" }, name.split("/collectionGroups/").at(-1)), " ",
        make("progress", { max: 1, value: share, "aria-label": name }), ` ${words}`);
    })));
  }
}

function shape(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** A plot of lines over a span of time, with their latest and greatest values in words. */
function plot(title, form, { end, span }, lines) {
  const top = Math.max(...lines.flatMap(({ points }) => points.map((point) => point.value)), 0);
  const drawing = shape("svg", {
    viewBox: `0 0 ${width} ${height}`, role: "img", preserveAspectRatio: "none",
    "aria-label": `${title} from ${time.format(end - span)} to ${time.format(end)}` });
  lines.forEach(({ points }, index) => {
    const places = points.map((point) => {
      const x = width - (end - point.time) / span * width;
      const y = height - 2 - (top ? point.value / top : 0) * (height - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    // One point alone has no line.
    if (places.length === 1) places.push(places[0].replace(/^[^,]+/, (x) => String(Number(x) - 1)));
    drawing.append(shape("polyline", { points: places.join(" "), class: `line${index}` }));
  });
  const words = lines.map(({ name, latest, points }, index) => make(
    "li", { class: `line${index}` }, `${name}: `,
    latest === undefined ? "none now" : `${form(latest)} now`,
    points.length ? `, at most ${form(Math.max(...points.map(({ value }) => value)))}` : ""));
  const axis = make(
    "p", { class: "axis quiet", "aria-hidden": "true" }, make("span", {}, time.format(end - span)),
    make("span", {}, `to ${form(top)}`), make("span", {}, time.format(end)));
  return make("figure", {}, make("figcaption", {}, title), drawing, axis, make("ul", {}, words));
}

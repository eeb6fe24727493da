import { addressOf } from "./address.js";
import { Channel } from "./channel.js";
import { DataPage } from "./data.js";
import { ask, button, make, notice, say } from "./dom.js";
import { HealthPage } from "./health.js";
import { IndexesPage } from "./indexes.js";
import { QueryPage } from "./query.js";
import { RequestsPage } from "./requests.js";
import { askForMissingToken, call, Database, readSetting } from "./rest.js";
import { RulesPage } from "./rules.js";

const pages = {
  data: ["Data", DataPage], query: ["Query", QueryPage], indexes: ["Indexes", IndexesPage],
  requests: ["Requests", RequestsPage], rules: ["Rules and users", RulesPage],
  health: ["Health", HealthPage],
};
const main = document.getElementById("main");
const chooser = document.getElementById("database");
let setting;
let shown = null;

/** A segment of an address; a broken one as it stands. */
function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The page, the database and the path that the address names. */
function placeOf(hash) {
  const [page, project, database, ...path] = hash.replace(/^#\//, "").split("/").filter(Boolean)
    .map(decoded);
  return {
    page: Object.hasOwn(pages, page ?? "") ? page : "data",
    database: new Database(project ?? setting.project, database ?? setting.database), path,
  };
}

function showFrame({ page, database }) {
  document.getElementById("pages").replaceChildren(...Object.entries(pages).map(([name, [title]]) =>
    make("li", {}, make("a", {
      href: addressOf(name, database),
      "aria-current": name === page && "page" }, title))));
  const value = JSON.stringify([database.project, database.id]);
  if (![...chooser.options].some((option) => option.value === value)) {
    chooser.prepend(make("option", { value }, `${database.project} / ${database.id}`));
  }
  chooser.value = value;
  document.title = `${pages[page][0]} · ${database.project} · Hearth`;
}

async function show() {
  const place = placeOf(location.hash);
  showFrame(place);
  if (shown?.page !== place.page || shown.database.name !== place.database.name) {
    shown?.view.end?.();
    if (shown?.database.name !== place.database.name) {
      shown?.channel.end();
      shown = { channel: new Channel(place.database) };
    }
    main.replaceChildren();
    say("");
    const view = new pages[place.page][1](main, place.database, shown.channel);
    shown = { ...shown, ...place, view };
  }
  main.querySelector(":scope > .notice")?.remove();
  try {
    await askForMissingToken();
    await shown.view.show(place.path);
  } catch (error) {
    main.prepend(notice(error.message, " ", button("Try again", show)));
  }
}

async function readDatabases() {
  const answer = await call("GET", `/v1/projects/${encodeURIComponent(shown.database.project)}/databases`);
  for (const { name } of answer.databases ?? []) {
    const [, project, , id] = name.split("/");
    const value = JSON.stringify([project, id]);
    if ([...chooser.options].some((option) => option.value === value)) continue;
    chooser.append(make("option", { value }, `${project} / ${id}`));
  }
  chooser.append(make("option", { value: "" }, "Another…"));
}

async function choose() {
  if (chooser.value) {
    const [project, id] = JSON.parse(chooser.value);
    location.hash = addressOf(shown.page, { project, id });
    return;
  }
  showFrame(shown);
  const project = make("input", { value: shown.database.project, "aria-label": "Project" });
  const id = make("input", { value: "(default)", "aria-label": "Database" });
  const form = make("div", { class: "row" }, make("label", {}, "Project ", project), make("label", {}, "Database ", id));
  const chosen = await ask("Which database?", "Open", form, () => {
    if (!project.value || !id.value || (project.value + id.value).includes("/")) throw new Error("Both have a name without a slash.");
    return { project: project.value, id: id.value };
  });
  if (chosen) location.hash = addressOf(shown.page, chosen);
}

try {
  setting = await readSetting();
  addEventListener("hashchange", show);
  chooser.addEventListener("change", choose);
  await show();
  await readDatabases();
} catch (error) {
  say(error.message);
}

import { count, make, say } from "./dom.js";
import { inWords } from "./token.js";

const pause = 400;

/** Creates an index and shows its progress in `place`, until it is ready. */
export async function createIndex(database, { collectionGroup, queryScope, fields }, place) {
  const words = `${inWords(fields)} of ${collectionGroup}`;
  const bar = make("progress", { max: 1, "aria-label": `Building ${words}` });
  const note = make("span", { class: "quiet" });
  place.replaceChildren(make("div", { class: "row" }, bar, note));
  let operation = await database.admin(
    "POST", `collectionGroups/${encodeURIComponent(collectionGroup)}/indexes`, { queryScope, fields });
  while (!operation.done) {
    showProgress(operation, bar, note);
    await new Promise((resolve) => setTimeout(resolve, pause));
    operation = await database.admin("GET", `operations/${operation.name.split("/").at(-1)}`);
  }
  if (operation.error) throw new Error(operation.error.message);
  bar.value = 1;
  note.textContent = "Ready.";
  say(`The index ${words} is ready.`);
}

function showProgress({ metadata }, bar, note) {
  const { completedWork = 0, estimatedWork = 0 } = metadata?.progressDocuments ?? {};
  if (Number(estimatedWork)) bar.value = Math.min(Number(completedWork) / Number(estimatedWork), 1);
  note.textContent = `${count(completedWork, "document")} of ${Number(estimatedWork).toLocaleString("en")}`;
}

import { count, make, say } from "./dom.js";
import { inWords } from "./token.js";

const pause = 400;

/** Creates an index and shows its progress in `place`, until it is ready. */
export async function createIndex(database, { collectionGroup, queryScope, fields }, place) {
  const words = `The index ${inWords(fields)} of ${collectionGroup}`;
  await follow(database, words, place, () => database.admin(
    "POST", `${groupAddress(collectionGroup)}/indexes`, { queryScope, fields }));
}

/** Gives a field the indexes and the time to live that an index file tells, and shows how far the
 * builds are in `place`. Indexes of `null` are the usual ones. */
export async function changeField(database, { collectionGroup, fieldPath, indexes, ttl }, place) {
  const change = {};
  if (indexes) {
    change.indexConfig = { indexes: indexes.map(({ queryScope = "COLLECTION", order, arrayConfig }) =>
      ({ queryScope, fields: [{ fieldPath, order, arrayConfig }] })) };
  }
  if (ttl !== undefined) change.ttlConfig = ttl ? {} : undefined;
  const mask = [...(indexes === undefined ? [] : ["indexConfig"]), ...(ttl === undefined ? [] : ["ttlConfig"])];
  const address = `${groupAddress(collectionGroup)}/fields/${encodeURIComponent(fieldPath)}`;
  await follow(database, `The field ${fieldPath} of ${collectionGroup}`, place, () =>
    database.admin("PATCH", `${address}?updateMask=${mask.join(",")}`, change));
}

const groupAddress = (group) => `collectionGroups/${encodeURIComponent(group)}`;

/** Begins an operation and shows its progress, until it has ended. */
async function follow(database, words, place, begin) {
  const bar = make("progress", { max: 1, "aria-label": `${words}: progress` });
  const note = make("span", { class: "quiet" });
  place.replaceChildren(make("div", { class: "row" }, bar, note));
  let operation = await begin();
  while (!operation.done) {
    showProgress(operation, bar, note);
    await new Promise((resolve) => setTimeout(resolve, pause));
    operation = await database.operation(operation.name.split("/").at(-1));
  }
  if (operation.error) throw new Error(operation.error.message);
  bar.value = 1;
  note.textContent = "Ready.";
  say(`${words} is ready.`);
}

/** How far a build is: documents, and their share if it is known. */
export function progressOf(operation) {
  const { completedWork = 0, estimatedWork = 0 } = operation?.metadata?.progressDocuments ?? {};
  const [done, total] = [Number(completedWork), Number(estimatedWork)];
  return {
    share: total ? Math.min(done / total, 1) : undefined,
    words: `${count(done, "document")} of ${total.toLocaleString("en")}` };
}

function showProgress(operation, bar, note) {
  const { share, words } = progressOf(operation);
  if (share !== undefined) bar.value = share;
  note.textContent = words;
}

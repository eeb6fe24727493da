import { button, make, notice } from "./dom.js";
import { createIndex } from "./builds.js";
import { indexIn, inWords } from "./token.js";

/** The plan of a query with its work. */
export function planView(metrics) {
  if (!metrics) return [];
  const used = metrics.planSummary?.indexesUsed ?? [];
  const stats = metrics.executionStats ?? {};
  const { billing_details: _, ...figures } = stats.debugStats ?? {};
  const all = {
    "results": stats.resultsReturned, "read operations": stats.readOperations, ...figures };
  const rows = Object.entries(all)
    .filter(([, value]) => value !== undefined && typeof value !== "object")
    .map(([name, value]) => make(
      "tr", {}, make("th", { scope: "row" }, name.replaceAll("_", " ")),
      make("td", {}, String(value))));
  return make(
    "details", { open: true }, make("summary", {}, "Plan"),
    make("ul", {}, used.map((index) =>
      make("li", { class: "mono" }, Object.values(index).reverse().map(String).join(" · ")))),
    make("table", {}, make("tbody", {}, rows)));
}

/** The other indexes of the collection, each with the reason why the query doesn't read it. They
 * are asked for when they are opened. */
export function unusedView(database, path, structuredQuery) {
  const list = make("ul");
  const ask = async ({ target }) => {
    if (!target.open || list.children.length) return;
    try {
      const answer = await database.inspect(
        "POST", `/${["documents", ...path].map(encodeURIComponent).join("/")}:explain`,
        { structuredQuery });
      const indexes = answer.indexesNotUsed ?? [];
      list.replaceChildren(...indexes.map(({ index, automatic, reason, edit }) => make(
        "li", {}, make("span", { class: "mono" }, index), automatic ? " (automatic)" : "",
        ` ${reason}.`, edit ? ` It would serve after: ${edit}.` : "")));
      if (!indexes.length) list.append(make("li", {}, "There are no others."));
    } catch (error) {
      list.replaceChildren(make("li", { class: "bad" }, error.message));
    }
  };
  return make(
    "details", { ontoggle: ask }, make("summary", {}, "Why other indexes are not used"), list);
}

/** The refusal of a query, with a button that builds the index that it needs and then calls
 * `again`. */
export function refusalView(database, error, again) {
  const index = indexIn(error.message);
  const refusal = notice(error.message.replace(/ ?You can create it here:.*/s, ""));
  if (!index) return refusal;
  const progress = make("div");
  const build = button("Create this index", async () => {
    build.disabled = true;
    try {
      await createIndex(database, index, progress);
      await again();
    } catch (fault) {
      progress.replaceChildren(notice(fault.message));
      build.disabled = false;
    }
  }, { class: "main" });
  const scope = index.queryScope === "COLLECTION" ? "" : ", all collections with the id";
  const words = `${inWords(index.fields)} of ${index.collectionGroup}${scope}`;
  refusal.append(
    make("p", {}, "The index that it needs: ", make("code", {}, words)), make("p", {}, build),
    progress);
  return refusal;
}

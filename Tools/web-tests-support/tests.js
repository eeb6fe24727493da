// The tests, one after another. Each outcome is sent to the server of the pages.
import {
  Bytes, GeoPoint, Timestamp, addDoc, arrayUnion, collection, deleteDoc, deleteField,
  disableNetwork, doc, enableNetwork, getDoc, getDocs, increment, limit, onSnapshot, orderBy,
  query, runTransaction, serverTimestamp, setDoc, terminate, updateDoc, waitForPendingWrites,
  where, writeBatch,
} from "./firebase-firestore.js";
import { open, port, stored } from "./firestore.js";

const tests = [];
const test = (name, body) => tests.push({ name, body });

function check(condition, what) {
  if (!condition) throw new Error(what);
}

function same(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(a === b, `${a} is not ${b}`);
}

/** A listener whose snapshots are awaited by what they show. */
function listen(target, shown, options = {}) {
  const seen = [];
  let wake = () => {};
  let failure;
  const stop = onSnapshot(
    target, options, (snapshot) => { seen.push(shown(snapshot)); wake(); },
    (error) => { failure = error; wake(); });
  return {
    seen, stop,
    async until(expected) {
      for (;;) {
        if (failure) throw failure;
        if (JSON.stringify(seen.at(-1)) === JSON.stringify(expected)) return;
        await new Promise((resolve) => { wake = resolve; });
      }
    },
    async failure() {
      while (!failure) await new Promise((resolve) => { wake = resolve; });
      return failure;
    },
  };
}

const ids = (snapshot) => snapshot.docs.map((document) => document.id);

test("set, get, update and delete", async (database) => {
  const city = doc(database, "basics", "tokyo");
  await setDoc(city, { name: "東京 é😀", population: 9733276 });
  same((await getDoc(city)).data(), { name: "東京 é😀", population: 9733276 });
  await updateDoc(city, { population: increment(1), tags: arrayUnion("a"), name: deleteField() });
  same((await stored("basics/tokyo")).fields, {
    population: { integerValue: "9733277" },
    tags: { arrayValue: { values: [{ stringValue: "a" }] } },
  });
  await deleteDoc(city);
  same(await stored("basics/tokyo"), null);
  check(!(await getDoc(city)).exists(), "the document is gone");
  const error = await updateDoc(city, { a: 1 }).catch((error) => error);
  same(error.code, "not-found");
});

test("every type", async (database) => {
  const all = doc(database, "types", "all");
  await setDoc(all, {
    none: null, yes: true, whole: 42, big: -9007199254740991, half: 0.5, nan: NaN, negative: -0,
    infinite: -Infinity, text: "é😀\u0000\n", bytes: Bytes.fromUint8Array(new Uint8Array([0, 255])),
    time: new Timestamp(1700000000, 123456000), place: new GeoPoint(35.5, -139.25),
    reference: doc(database, "types", "all"), list: [1, "a", { b: [] }], map: { "a.b": {} },
    now: serverTimestamp(),
  });
  const other = open();
  const read = (await getDoc(doc(other, "types", "all"))).data();
  same(
    [read.none, read.yes, read.whole, read.big, read.half, read.text, read.list, read.map],
    [null, true, 42, -9007199254740991, 0.5, "é😀\u0000\n", [1, "a", { b: [] }], { "a.b": {} }]);
  check(Number.isNaN(read.nan) && read.infinite === -Infinity, "the numbers are theirs");
  check(Object.is(read.negative, -0), "the zero is negative");
  same([...read.bytes.toUint8Array()], [0, 255]);
  same([read.time.seconds, read.time.nanoseconds], [1700000000, 123456000]);
  same([read.place.latitude, read.place.longitude], [35.5, -139.25]);
  same(read.reference.path, "types/all");
  check(Math.abs(read.now.toMillis() - Date.now()) < 60000, "the time is the server's");
  await terminate(other);
});

test("a batch, and an id of the client's", async (database) => {
  const batch = writeBatch(database);
  for (let number = 0; number < 300; number += 1) {
    batch.set(doc(database, "batch", `${number}`), { number, text: "x".repeat(2000) });
  }
  await batch.commit();
  const added = await addDoc(collection(database, "batch"), { number: 300 });
  same(added.id.length, 20);
  const other = open();
  const all = await getDocs(collection(other, "batch"));
  same(all.size, 301);
  const last = await getDocs(
    query(collection(other, "batch"), where("number", ">=", 5), orderBy("number", "desc"), limit(2)));
  same(last.docs.map((document) => document.data().number), [300, 299]);
  await terminate(other);
});

test("a large result, which no answer holds at once", async (database) => {
  const text = "é😀".repeat(60000);
  for (let number = 0; number < 12; number += 1) {
    await setDoc(doc(database, "large", `${number}`), { text });
  }
  const other = open();
  const all = await getDocs(collection(other, "large"));
  same(all.docs.map((document) => document.data().text === text), Array(12).fill(true));
  await terminate(other);
});

test("transactions", async (database) => {
  const counter = doc(database, "counters", "one");
  await setDoc(counter, { count: 0 });
  const other = open();
  const add = (from) => runTransaction(from, async (transaction) => {
    const reference = doc(from, "counters", "one");
    const count = (await transaction.get(reference)).data().count;
    transaction.update(reference, { count: count + 1 });
    return count;
  });
  await Promise.all([add(database), add(other), add(database)]);
  same((await stored("counters/one")).fields.count.integerValue, "3");
  const error = await runTransaction(database, async (transaction) => {
    await transaction.get(counter);
    throw new Error("given up");
  }).catch((error) => error);
  same(error.message, "given up");
  await terminate(other);
});

test("a listener of a document", async (database) => {
  const other = open();
  const shown = listen(doc(database, "watched", "a"), (snapshot) => snapshot.data() ?? null);
  await shown.until(null);
  await setDoc(doc(database, "watched", "a"), { by: "this" });
  await shown.until({ by: "this" });
  await setDoc(doc(other, "watched", "a"), { by: "another" });
  await shown.until({ by: "another" });
  await deleteDoc(doc(other, "watched", "a"));
  await shown.until(null);
  shown.stop();
  await terminate(other);
});

test("a listener of a query", async (database) => {
  const other = open();
  const all = collection(other, "scores");
  const best = listen(
    query(collection(database, "scores"), where("points", ">", 1), orderBy("points"), limit(2)),
    ids);
  await best.until([]);
  await Promise.all([1, 2, 3, 4].map((points) => setDoc(doc(all, `${points}`), { points })));
  await best.until(["2", "3"]);
  await deleteDoc(doc(all, "2"));
  await best.until(["3", "4"]);
  await updateDoc(doc(database, "scores", "1"), { points: 2 });
  await best.until(["1", "3"]);
  best.stop();
  await terminate(other);
});

test("a local change shows at once, and then the server's", async (database) => {
  const shown = listen(
    doc(database, "local", "a"),
    (snapshot) => [snapshot.data()?.n ?? null, snapshot.metadata.hasPendingWrites],
    { includeMetadataChanges: true });
  await shown.until([null, false]);
  await setDoc(doc(database, "local", "a"), { n: 1 });
  await shown.until([1, false]);
  check(shown.seen.some(([n, isPending]) => n === 1 && isPending), "the local change shows");
  shown.stop();
});

test("a refused query tells its link", async (database) => {
  const refused = query(collection(database, "cities"), where("a", "==", 1), orderBy("b"));
  const shown = listen(refused, ids);
  const error = await shown.failure();
  same(error.code, "failed-precondition");
  check(
    /The query requires an index.*https:\/\/console\.firebase\.google\.com\/.*create_composite=/s
      .test(error.message), error.message);
  // The other listeners of the page go on.
  const other = listen(doc(database, "cities", "a"), (snapshot) => snapshot.exists());
  await other.until(false);
  await setDoc(doc(database, "cities", "a"), {});
  await other.until(true);
  other.stop();
});

test("offline, and online again", async (database) => {
  const other = open();
  const shown = listen(collection(database, "notes"), ids);
  await shown.until([]);
  await disableNetwork(database);
  const written = setDoc(doc(database, "notes", "mine"), { n: 1 });
  await shown.until(["mine"]);
  same(await stored("notes/mine"), null);
  await setDoc(doc(other, "notes", "theirs"), { n: 2 });
  same(ids(await getDocs(collection(database, "notes"))), ["mine"]);
  await enableNetwork(database);
  await shown.until(["mine", "theirs"]);
  await written;
  await waitForPendingWrites(database);
  check(await stored("notes/mine"), "the write has arrived");
  shown.stop();
  await terminate(other);
});

test("a server that starts again", async (database) => {
  const shown = listen(collection(database, "restarts"), ids);
  await setDoc(doc(database, "restarts", "before"), {});
  await shown.until(["before"]);
  await fetch("/restart", { method: "POST" });
  const written = setDoc(doc(database, "restarts", "after"), {});
  await written;
  const other = open();
  await setDoc(doc(other, "restarts", "theirs"), {});
  await shown.until(["after", "before", "theirs"]);
  shown.stop();
  await terminate(other);
});

test("long polling", async () => {
  const polling = open({ experimentalForceLongPolling: true });
  const other = open();
  const shown = listen(collection(polling, "polled"), ids);
  await shown.until([]);
  await setDoc(doc(polling, "polled", "mine"), {});
  await shown.until(["mine"]);
  await setDoc(doc(other, "polled", "theirs"), {});
  await shown.until(["mine", "theirs"]);
  shown.stop();
  await Promise.all([terminate(polling), terminate(other)]);
});

test("a signed-in user", async () => {
  const user = open({}, { sub: "ann" });
  await setDoc(doc(user, "users", "ann"), { name: "Ann" });
  same((await getDoc(doc(user, "users", "ann"))).data(), { name: "Ann" });
  await terminate(user);
});

test("two tabs", async (database) => {
  const channel = new BroadcastChannel("tabs");
  const seen = [];
  let wake = () => {};
  channel.onmessage = ({ data }) => { if (data.seen) { seen.push(data.seen); wake(); } };
  const until = async (expected) => {
    while (JSON.stringify(seen.at(-1)) !== JSON.stringify(expected)) {
      await new Promise((resolve) => { wake = resolve; });
    }
  };
  const tab = window.open(`./tab.html?port=${port}`);
  check(tab, "the tab opens");
  await until([]);
  const shown = listen(
    collection(database, "tabs"), (snapshot) => snapshot.docs.map((each) => each.data().text));
  for (let turn = 0; turn < 20; turn += 1) {
    await setDoc(doc(database, "tabs", "first"), { text: `a${turn}` });
    channel.postMessage({ write: `b${turn}` });
    await until([`a${turn}`, `b${turn}`]);
    await shown.until([`a${turn}`, `b${turn}`]);
  }
  shown.stop();
  tab.close();
});

async function report(outcome) {
  await fetch("/outcome", { method: "POST", body: JSON.stringify(outcome) });
}

const errors = [];
window.addEventListener("error", (event) => errors.push(event.message));
window.addEventListener("unhandledrejection", (event) => errors.push(`${event.reason}`));

for (const { name, body } of tests) {
  const begun = performance.now();
  let error;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("not done within 60 s")), 60000);
  });
  const database = open();
  try {
    await Promise.race([body(database), late]);
    await terminate(database);
    check(errors.length === 0, errors.join("; "));
  } catch (failure) {
    error = `${failure?.message ?? failure}`;
  }
  clearTimeout(timer);
  await report({ name, error, milliseconds: Math.round(performance.now() - begun) });
}
await report({ isLast: true });

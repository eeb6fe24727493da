// A tab that writes and listens for as long as it is open. The first one opens a second.
import { collection, doc, onSnapshot, setDoc } from "./firebase-firestore.js";
import { open, port } from "./firestore.js";

const tab = new URLSearchParams(location.search).get("tab") ?? "first";
const database = open();
let changes = 0;
onSnapshot(collection(database, "long"), (snapshot) => {
  changes += snapshot.docChanges().length;
});
if (tab === "first") window.open(`long.html?port=${port}&tab=second`);
for (let writes = 1; ; writes += 1) {
  await setDoc(doc(database, "long", `${tab}-${writes % 50}`), { tab, writes });
  await new Promise((resolve) => setTimeout(resolve, 100));
  if (writes % 100) continue;
  // The heap without what is garbage already.
  globalThis.gc();
  const heap = performance.memory.usedJSHeapSize;
  await fetch("/outcome", { method: "POST", body: JSON.stringify({ tab, writes, changes, heap }) });
}

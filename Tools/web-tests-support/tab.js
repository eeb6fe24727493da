// The second tab: it listens to two documents' collection, and writes what it is told to.
import { collection, doc, onSnapshot, setDoc } from "./firebase-firestore.js";
import { open } from "./firestore.js";

const channel = new BroadcastChannel("tabs");
const database = open();
onSnapshot(collection(database, "tabs"), (snapshot) => {
  channel.postMessage({ seen: snapshot.docs.map((document) => document.data().text) });
});
channel.onmessage = async ({ data }) => {
  if (data.write) await setDoc(doc(database, "tabs", "second"), { text: data.write });
};

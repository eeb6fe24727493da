// The database of a page, on the server that the address names.
import { initializeApp } from "./firebase-app.js";
import { connectFirestoreEmulator, initializeFirestore } from "./firebase-firestore.js";

export const project = "demo-web";
export const port = Number(new URLSearchParams(location.search).get("port"));

let count = 0;

/** Opens a database of its own, with a cache of its own. */
export function open(settings = {}, token = "owner") {
  count += 1;
  const app = initializeApp({ projectId: project, apiKey: "none" }, `app-${count}`);
  const database = initializeFirestore(app, settings);
  connectFirestoreEmulator(
    database, "127.0.0.1", port, token === "owner" ? undefined : { mockUserToken: token });
  return database;
}

/** The JSON of a document on the server, by REST; null if it isn't there. */
export async function stored(path) {
  const answer = await fetch(
    `http://127.0.0.1:${port}/v1/projects/${project}/databases/(default)/documents/${path}`);
  return answer.status === 404 ? null : await answer.json();
}

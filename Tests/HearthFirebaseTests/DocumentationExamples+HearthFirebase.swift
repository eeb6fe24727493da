import HearthFirebase

// The code of HearthFirebase.md, word for word: DocumentationTests compares the two.

func tasksOfTheDefaultDatabase() throws -> CollectionReference {
  try Firestore.configure(at: "tasks.hearth")
  let tasks = Firestore.firestore().collection("tasks")
  return tasks
}

/// Marks an error as the reason that the build of an index failed: a document can't be indexed, and
/// the error's message names it.
package struct FailedBuild: DatabaseError.Details {
  package init() {}
}

/// Marks an error as the refusal of a write that the tool asked for: the application that has the
/// database open accepts none.
package struct RefusedToolWrite: DatabaseError.Details {
  package init() {}
}

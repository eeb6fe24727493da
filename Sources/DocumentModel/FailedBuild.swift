/// Marks an error as the reason that the build of an index failed: a document can't be indexed, and
/// the error's message names it.
package struct FailedBuild: DatabaseError.Details {
  package init() {}
}

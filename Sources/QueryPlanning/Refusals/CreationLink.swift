package import HearthDocumentModel

/// The link in production's errors that creates an index in the console (§6.1).
package struct CreationLink: Sendable, CustomStringConvertible {
  /// The whole address.
  package let description: String

  /// - Parameter indexID: the id of a composite index that is being built; `nil` for a new index.
  package init(to index: IndexDefinition, in database: DatabaseID, indexID: UInt64? = nil) {
    var link = "https://console.firebase.google.com/v1/r/project/\(database.project)/firestore"
    if !database.database.utf8Equal("(default)") { link += "/databases/\(database.database)" }
    let parameter = index.singleField == nil ? "create_composite" : "create_exemption"
    let token = CreationToken.text(for: index, in: database, indexID: indexID)
    description = "\(link)/indexes?\(parameter)=\(token)"
  }
}

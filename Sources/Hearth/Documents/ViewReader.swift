import HearthDocumentEngine
package import HearthDocumentModel

/// The readers of one view: a ``DatabaseSnapshot``, a ``Transaction``, or a user of security rules.
package enum ViewReader {
  case snapshot, transaction, user
}

extension Database {
  /// Refuses a reader of this database what is of another one.
  ///
  /// - Throws: `invalidArgument`.
  package func check(
    _ path: ResourcePath, in other: Database, for reader: ViewReader
  ) throws(DatabaseError) {
    guard other === self else {
      throw .invalidArgument("\"\(path)\" is of another database than the \(reader).")
    }
  }

  func read(
    _ reference: DocumentReference, for reader: ViewReader,
    _ document: (ResourcePath) throws(DatabaseError) -> FetchedDocument?
  ) throws(DatabaseError) -> DocumentSnapshot {
    try check(reference.path, in: reference.database, for: reader)
    return try observed(.get) { () throws(DatabaseError) in
      DocumentSnapshot(reference, try document(reference.path))
    }
  }

  func read(
    _ references: [DocumentReference], for reader: ViewReader,
    _ documents: ([ResourcePath]) throws(DatabaseError) -> [(
      path: ResourcePath, record: FetchedDocument?
    )]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    for reference in references {
      try check(reference.path, in: reference.database, for: reader)
    }
    return try observed(.get) { () throws(DatabaseError) in
      try documents(references.map(\.path)).map {
        DocumentSnapshot(DocumentReference(unchecked: $0.path, in: self), $0.record)
      }
    }
  }
}

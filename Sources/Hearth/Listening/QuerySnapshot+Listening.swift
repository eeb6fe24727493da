import HearthDocumentEngine

extension ListenerSnapshot {
  /// Returns the snapshot in the form that users get, of which all listeners of the query share the
  /// parts.
  func querySnapshot(in database: Database) -> QuerySnapshot {
    let lists = shared.value(of: database) { ListenedLists(self, in: database) }
    return QuerySnapshot(
      lists.documents, at: readTime, ExecutionStatistics(), changes: lists.changes)
  }
}

/// The documents and changes of one snapshot, which all listeners of a query share.
private struct ListenedLists: Sendable {
  let database: Database
  let documents: [DocumentSnapshot]
  let changes: [DocumentChange]

  init(_ snapshot: ListenerSnapshot, in database: Database) {
    self.database = database
    let source = ResultSource(database)
    documents = snapshot.documents.map { DocumentSnapshot($0, of: source) }
    changes = snapshot.changes.map {
      DocumentChange(
        DocumentChange.Kind($0.kind), DocumentSnapshot($0.document, of: source),
        oldIndex: $0.oldIndex, newIndex: $0.newIndex)
    }
  }
}

extension DocumentChange.Kind {
  fileprivate init(_ kind: ListenerSnapshot.Change.Kind) {
    switch kind {
    case .added: self = .added
    case .modified: self = .modified
    case .removed: self = .removed
    }
  }
}

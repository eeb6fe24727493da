import Hearth

extension Query {
  // MARK: At values

  /// Starts at the first document that equals `fieldValues` in the fields that the query is sorted
  /// by, or that follows them in the order (§4.6).
  public func start(at fieldValues: [Any]) -> Query {
    refined { try $0.start(at: $0.cursorValues(fieldValues)) }
  }

  /// Starts after all documents that equal `fieldValues`.
  public func start(after fieldValues: [Any]) -> Query {
    refined { try $0.start(after: $0.cursorValues(fieldValues)) }
  }

  /// Ends before the first document that equals `fieldValues`.
  public func end(before fieldValues: [Any]) -> Query {
    refined { try $0.end(before: $0.cursorValues(fieldValues)) }
  }

  /// Ends with the last document that equals `fieldValues`.
  public func end(at fieldValues: [Any]) -> Query {
    refined { try $0.end(at: $0.cursorValues(fieldValues)) }
  }

  // MARK: At documents

  /// Starts at a document of an earlier result. Orders must be set before it, as for the other
  /// cursors at documents.
  public func start(atDocument document: DocumentSnapshot) -> Query {
    refined { try $0.start(atDocument: document.stored) }
  }

  /// Starts after a document of an earlier result, for the next page. Documents with equal sort
  /// values are told apart by their names.
  public func start(afterDocument document: DocumentSnapshot) -> Query {
    refined { try $0.start(afterDocument: document.stored) }
  }

  /// Ends before a document of an earlier result.
  public func end(beforeDocument document: DocumentSnapshot) -> Query {
    refined { try $0.end(beforeDocument: document.stored) }
  }

  /// Ends at a document of an earlier result, which is included.
  public func end(atDocument document: DocumentSnapshot) -> Query {
    refined { try $0.end(atDocument: document.stored) }
  }
}

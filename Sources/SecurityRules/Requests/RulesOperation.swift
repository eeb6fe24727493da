public import HearthDocumentModel
public import HearthQueryPlanning

/// One part of a request that rules judge: a document to read or write, or a query.
public struct RulesOperation: Sendable {
  /// The method that statements must name.
  public let method: RulesMethod
  /// The document's path, or the query.
  let target: Target
  /// The document's fields before the request; `nil` if there is none.
  let before: MapValue?
  /// The document's fields after all writes of the request; `nil` if there is none.
  let after: MapValue?
  /// The fields that a write's mask names; `nil` without a mask.
  let mask: [FieldPath]?

  enum Target: Sendable {
    case document(ResourcePath)
    case query(StructuredQuery)
    /// One document that a query could return.
    case result(ResourcePath, StructuredQuery)
  }

  /// Returns the read of a document, which need not exist.
  public static func get(_ path: ResourcePath, document: MapValue?) -> RulesOperation {
    RulesOperation(
      method: .get, target: .document(path), before: document, after: nil, mask: nil)
  }

  /// Returns a query. It is judged from its conditions, without the documents that it finds: only
  /// of a document to which it is fixed by name, the existence matters.
  public static func list(_ query: StructuredQuery) -> RulesOperation {
    RulesOperation(
      method: .list, target: .query(query), before: nil, after: nil, mask: nil)
  }

  /// Returns a query of which only one result is judged, with all that is known of it.
  package static func list(
    _ query: StructuredQuery, result path: ResourcePath, fields: MapValue
  ) -> RulesOperation {
    RulesOperation(
      method: .list, target: .result(path, query), before: fields, after: nil, mask: nil)
  }

  /// Returns all writes of a request to one document.
  ///
  /// - Parameters:
  ///   - method: `create`, `update` or `delete`. Without a precondition the document's existence
  ///     decides, with one the precondition does.
  ///   - before: the document's fields before the request; `nil` if there is none.
  ///   - after: the document's fields after all writes; `nil` for a delete.
  ///   - mask: the fields that the write's mask names; `nil` without a mask.
  public static func write(
    _ method: RulesMethod, _ path: ResourcePath, before: MapValue?, after: MapValue?,
    mask: [FieldPath]? = nil
  ) -> RulesOperation {
    RulesOperation(
      method: method, target: .document(path), before: before, after: after, mask: mask)
  }
}

extension RulesMethod {
  /// The method as statements name it.
  var set: MethodSet {
    switch self {
    case .get: .get
    case .list: .list
    case .create: .create
    case .update: .update
    case .delete: .delete
    }
  }
}

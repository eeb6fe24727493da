public import HearthDocumentModel

/// The documents around a request, which rules read with `get` and `exists`.
public protocol RulesDocuments {
  /// Returns the fields of a document before the request; `nil` if there is none.
  ///
  /// - Throws: any error, which ends the judgement.
  func fields(at path: ResourcePath) throws -> MapValue?

  /// Returns the fields of a document after all writes of the request; `nil` if there is none.
  ///
  /// - Throws: any error, which ends the judgement.
  func fieldsAfter(at path: ResourcePath) throws -> MapValue?

  /// Whether the request writes a document. Those that it doesn't are read only once.
  func writes(_ path: ResourcePath) -> Bool
}

extension RulesDocuments {
  /// The fields before the request, as for requests that write nothing.
  public func fieldsAfter(at path: ResourcePath) throws -> MapValue? { try fields(at: path) }

  /// Whether the request writes a document: it doesn't.
  public func writes(_ path: ResourcePath) -> Bool { false }
}

import Hearth

/// The place of each imported document.
struct Placement {
  /// The collection to import into.
  let collection: CollectionReference
  private let target: ResourcePath
  /// The collection that the file was exported from.
  private let origin: ResourcePath
  private let isOriginNamed: Bool
  private let idField: FieldPath?
  private let source: String
  /// The collection of the first document that is not below the origin.
  private var otherOrigin: ResourcePath?

  /// - Parameters:
  ///   - origin: the collection that the file was exported from; `nil` if that isn't known.
  ///   - idField: the field that holds ids; `nil` for random ids.
  init(
    in collection: CollectionReference, target: ResourcePath, origin: ResourcePath?,
    idField: FieldPath?, source: String
  ) {
    self.collection = collection
    self.target = target
    self.origin = origin ?? target
    isOriginNamed = origin != nil
    self.idField = idField
    self.source = source
  }

  /// Returns the path of the document that `record` becomes. A document below the origin keeps its
  /// place below it; others must be of one collection.
  ///
  /// - Throws: ``InputError`` if the record has no id or an invalid one, or its place isn't known.
  mutating func path(of record: InputRecord) throws -> ResourcePath {
    guard let path = record.path else {
      guard let idField else { return collection.document().path }
      return try collection.document(record.documentID(in: idField, source: source)).path
    }
    if path.hasPrefix(origin), path.segments.count > origin.segments.count {
      return try ResourcePath(
        segments: target.segments + path.segments.dropFirst(origin.segments.count))
    }
    guard !isOriginNamed, (otherOrigin ?? path.parent) == path.parent else {
      throw InputError(
        .malformed, in: source, line: record.line,
        isOriginNamed
          ? "\(path) is not below \(origin)" : "\(path) is not in \(otherOrigin ?? origin)",
        advice: "--from names the collection that the file was exported from")
    }
    otherOrigin = path.parent
    return try target.appending(path.lastSegment ?? "")
  }
}

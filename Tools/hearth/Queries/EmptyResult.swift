import HearthAdminSocket
import HearthFirestoreJSON
import Hearth

/// A query that found nothing, and the reason, as far as a few index entries tell it.
struct EmptyResult {
  /// The most names that are looked at for one that the user may have meant.
  private static let nameCount = 200

  /// A look-up that no index serves.
  private struct Unserved: Error {}

  let query: StructuredQuery
  let session: AdminSession

  /// Prints a note on standard error if there is a reason to tell.
  func note() throws {
    if let reason = try reason() { StandardError.print("Note: \(reason)") }
  }

  /// Returns the reason as a sentence; `nil` if the documents just don't meet the conditions.
  func reason() throws -> String? {
    guard try first({ _ in }) != nil else { return try missingCollection() }
    for (field, type, value) in query.filter?.comparisons ?? [] where !field.isDocumentID {
      do {
        if let reason = try reason(field, type, value) { return reason }
      } catch is Unserved {
        // The field has no index of its own.
        continue
      }
    }
    return nil
  }

  /// Returns a document of the collection; `nil` if there is none.
  ///
  /// - Complexity: one index entry.
  private func first(_ refine: (inout StructuredQuery) -> Void) throws -> DocumentMessage? {
    var lookup = StructuredQuery(
      collectionID: query.collectionID, below: query.parent,
      allDescendants: query.allDescendants)
    lookup.limit = 1
    refine(&lookup)
    var found: DocumentMessage?
    do {
      _ = try session.run(QueryCall(RunnableQuery(lookup))) { found = $0 }
    } catch let error as DatabaseError where error.missingIndex != nil {
      throw Unserved()
    }
    return found
  }
}

extension EmptyResult {
  private func missingCollection() throws -> String {
    let parent = query.allDescendants ? .root : query.parent
    var names: [String] = []
    struct Enough: Error {}
    do {
      _ = try session.run(CollectionsCall(below: parent)) { page in
        names += page.elements
        if names.count >= EmptyResult.nameCount { throw Enough() }
      }
    } catch is Enough {}
    let start = parent == .root ? "" : "\(parent)/"
    let like = Suggestion.names(like: query.collectionID, among: names).map { start + $0 }
    let name =
      query.allDescendants ? "of the id \(query.collectionID)" : start + query.collectionID
    return "there is no collection \(name).\(Suggestion.question(like))"
  }

  /// Returns the reason why no document has a value of a type in a field; `nil` if some have.
  ///
  /// - Parameter type: the type that the condition asks for; `nil` for any.
  private func reason(_ field: FieldPath, _ type: Value.TypeClass?, _ value: Value) throws
    -> String?
  {
    guard let least = try edge(of: field, .ascending) else { return try missingField(field) }
    guard let type, let greatest = try edge(of: field, .descending) else { return nil }
    let types = (least.typeClass, greatest.typeClass)
    guard types != (type, type) else { return nil }
    if types.0 != types.1, let bound = type.least {
      let other = try first { $0.filter = .field(field, .greaterThanOrEqual, bound) }
      if other != nil { return nil }
    } else if types.0 <= type, type <= types.1 {
      return nil
    }
    let only = types.0 == types.1 ? ", only \(types.0.plural)" : ""
    return "no document of \(query.collectionID) has \(type.phrase) in \(field)\(only)."
      + (value.spelling(as: types.0).map { " Write it as \($0)." } ?? "")
  }

  /// Returns the smallest or the largest value of a field.
  private func edge(of field: FieldPath, _ direction: SortDirection) throws -> Value? {
    try first { $0.orders = [Order(field, direction)] }.flatMap { $0.fields[field] }
  }

  private func missingField(_ field: FieldPath) throws -> String {
    var names: Set<String> = []
    if field.names.count == 1 {
      let sample = StructuredQuery(
        collectionID: query.collectionID, below: query.parent,
        allDescendants: query.allDescendants, limit: EmptyResult.nameCount)
      _ = try session.run(QueryCall(RunnableQuery(sample))) { document in
        for present in document.fields { names.insert(present.name) }
      }
    }
    let like = Suggestion.names(like: field.names[0], among: names)
    return "no document of \(query.collectionID) has the field \(field)."
      + Suggestion.question(like)
  }
}

extension Filter {
  /// The fields that all have to meet a condition, with the type of the values that meet it and a
  /// value to compare with.
  fileprivate var comparisons: [(FieldPath, Value.TypeClass?, Value)] {
    switch self {
    case .field(let field, let comparison, let value):
      switch comparison {
      case .arrayContains, .arrayContainsAny: [(field, .array, value)]
      case .notEqual, .notIn: [(field, nil, value)]
      case .in:
        if case .array(let values) = value, let first = values.first,
          values.allSatisfy({ $0.typeClass == first.typeClass })
        {
          [(field, first.typeClass, first)]
        } else {
          [(field, nil, value)]
        }
      case .lessThan, .lessThanOrEqual, .equal, .greaterThanOrEqual, .greaterThan:
        [(field, value.typeClass, value)]
      }
    case .unary(let field, _): [(field, nil, .null)]
    case .and(let filters): filters.flatMap(\.comparisons)
    case .or: []
    }
  }
}

extension Value {
  /// Returns the value as a condition would have it in another type, if its text allows that.
  fileprivate func spelling(as type: TypeClass) -> String? {
    switch (self, type) {
    case (.string(let text), .timestamp):
      (try? Timestamp(rfc3339: text)) == nil
        ? "timestamp(\"2026-01-31T09:30:00Z\")" : "timestamp(\"\(text)\")"
    case (.string(let text), .number): Double(text) == nil ? nil : "\(text), without quotes"
    case (.integer, .string), (.double, .string):
      "\"\(ValueText.text(of: self, in: NameScope(.default, collection: nil)))\", with quotes"
    default: nil
    }
  }
}

extension Value.TypeClass {
  /// The least value of the type that a condition may compare with; `nil` if there is none.
  fileprivate var least: Value? {
    switch self {
    case .boolean: .boolean(false)
    case .number: .double(-.infinity)
    case .timestamp: .timestamp(.minimum)
    case .string: .string("")
    case .bytes: .bytes([])
    case .geoPoint: (try? GeoPoint(latitude: -90, longitude: -180)).map { .geoPoint($0) }
    case .array: .array([])
    case .map: .map(MapValue())
    case .null, .reference, .vector: nil
    }
  }

  private var noun: String { self == .geoPoint ? "geopoint" : "\(self)" }

  fileprivate var plural: String { self == .bytes ? noun : noun + "s" }

  fileprivate var phrase: String {
    switch self {
    case .null, .bytes: noun
    case .array: "an array"
    default: "a \(noun)"
    }
  }
}

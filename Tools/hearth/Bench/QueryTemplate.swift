import HearthFirestoreJSON
import Hearth

/// A query with places for values: the `?` of its conditions and of its cursors.
///
/// A place is the text `"?"`. A `?` outside of quotes is read as that text.
struct QueryTemplate {
  static let place = "?"

  let query: StructuredQuery
  /// Number of results of a query that is limited to its last ones; `nil` for any other query.
  let lastCount: Int?

  /// - Throws: ``ToolFailure`` for a place in a list: no document has a value for it.
  init(_ query: StructuredQuery, lastCount: Int? = nil) throws(ToolFailure) {
    self.query = query
    self.lastCount = lastCount
    guard !query.hasPlaceInList else {
      throw ToolFailure.badInput(
        "a ? stands for one value of a field: it can't stand in a list or a map.")
    }
  }

  /// Reads the query that the options give.
  init(_ options: QueryOptions, in database: Database) throws {
    var options = options
    options.conditions = options.conditions.map(QueryTemplate.withPlaces)
    options.plainConditions = options.plainConditions.map(QueryTemplate.withPlaces)
    options.startAt = options.startAt.map(QueryTemplate.withPlaces)
    options.startAfter = options.startAfter.map(QueryTemplate.withPlaces)
    options.endAt = options.endAt.map(QueryTemplate.withPlaces)
    options.endBefore = options.endBefore.map(QueryTemplate.withPlaces)
    let lastCount = options.limitToLast
    options.limitToLast = nil
    try self.init(options.query(in: database).structuredQuery, lastCount: lastCount)
  }

  /// Fields that are compared with places.
  var fields: [FieldPath] {
    let cursors = [query.start, query.end].compactMap { $0?.values }
    return (query.filter?.places ?? [])
      + cursors.flatMap { zip($0, query.orders).filter { $0.0.isPlace }.map(\.1.field) }
  }

  /// Returns the query as a line of text.
  func text(in database: DatabaseID) -> String {
    QueryText.text(of: query, in: database) + (lastCount.map { " limit to last \($0)" } ?? "")
  }

  /// Returns the query with a document's values in its places; `nil` if the document lacks one.
  func filled(
    from document: DocumentSnapshot, using random: inout SplitMix
  ) throws(DatabaseError) -> StructuredQuery? {
    var filled = query
    if let filter = query.filter {
      guard let values = try filter.filled(from: document, using: &random) else { return nil }
      filled.filter = values
    }
    guard try fill(&filled.start, from: document), try fill(&filled.end, from: document) else {
      return nil
    }
    return filled
  }

  /// Fills the places of a cursor; returns whether the document has all of their values.
  private func fill(
    _ cursor: inout Cursor?, from document: DocumentSnapshot
  ) throws(DatabaseError) -> Bool {
    guard var values = cursor?.values else { return true }
    for (index, value) in values.enumerated() where value.isPlace && index < query.orders.count {
      guard let drawn = try value.drawn(query.orders[index].field, of: document) else {
        return false
      }
      values[index] = drawn
    }
    cursor?.values = values
    return true
  }

  /// Returns the text with `"?"` for every `?` outside of quotes and backticks.
  static func withPlaces(_ text: String) -> String {
    var result: [UInt8] = []
    var quote: UInt8?
    var isEscaped = false
    for byte in text.utf8 {
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if byte == .backslash {
          isEscaped = true
        } else if byte == open {
          quote = nil
        }
        result.append(byte)
      } else if byte == UInt8(ascii: "?") {
        result += "\"\(place)\"".utf8
      } else {
        if byte == .quote || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") { quote = byte }
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension StructuredQuery {
  fileprivate var hasPlaceInList: Bool {
    let cursors = [start, end].compactMap { $0?.values }
    return filter?.hasPlaceInList ?? false || cursors.joined().contains(where: \.holdsPlace)
  }
}

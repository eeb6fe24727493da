import Hearth

/// A query with places for values: the `?` of its conditions.
///
/// A place is the text `"?"`: a `?` outside of quotes is read as that.
struct QueryTemplate {
  private static let place = "?"
  /// The documents that are looked at for values, and the sets of values that are kept of them.
  private static let documentsRead = 200_000
  private static let setCount = 2_000

  private let source: Query
  private let filter: Filter?
  private let rest: QueryOptions
  private let collection: String

  init(_ options: QueryOptions, in database: Database) throws {
    var options = options
    collection = options.collection ?? ""
    options.conditions = options.conditions.map(QueryTemplate.withPlaces)
    filter = try options.query(in: database).structuredQuery.filter
    source =
      options.group
      ? try database.collectionGroup(collection) : try database.collection(collection).query
    options.conditions = []
    rest = options
  }

  /// The queries that the template stands for: one where it has no places, else one for each of the
  /// documents that values are drawn from.
  ///
  /// - Throws: ``ToolFailure`` where no document has values for all places.
  func queries(in database: Database, seed: UInt64?) throws -> [Query] {
    let query = try rest.query(in: database)
    guard let filter else { return [query] }
    let fields = filter.places(marked: QueryTemplate.place)
    guard !fields.isEmpty else { return [query.whereFilter(filter)] }
    let filters = try drawnFilters(filter, seed: seed)
    guard !filters.isEmpty else {
      let names = fields.map(\.description).joined(separator: ", ")
      throw ToolFailure(
        .badInput, .invalidArgument,
        "no document of \(collection) has values for \(names), which ? stands for.")
    }
    return filters.map(query.whereFilter)
  }

  /// The filter with the values of documents drawn at random, each as likely as any other.
  private func drawnFilters(_ filter: Filter, seed: UInt64?) throws(DatabaseError) -> [Filter] {
    var random = SplitMix(seed: seed ?? .random(in: 0 ... .max))
    var filters: [Filter] = []
    var candidateCount = 0
    var documentCount = 0
    try source.forEachDocument { document throws(DatabaseError) in
      let filled = try filter.filled(from: document, mark: QueryTemplate.place, using: &random)
      if let filled {
        candidateCount += 1
        if filters.count < QueryTemplate.setCount {
          filters.append(filled)
        } else {
          let index = Int.random(in: 0..<candidateCount, using: &random)
          if index < filters.count { filters[index] = filled }
        }
      }
      documentCount += 1
      return documentCount < QueryTemplate.documentsRead
    }
    return filters.shuffled(using: &random)
  }

  /// The text with `"?"` for every `?` that stands outside of quotes and backticks.
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

extension Filter {
  /// The fields that are compared with a place.
  fileprivate func places(marked mark: String) -> [FieldPath] {
    switch self {
    case .field(let field, _, let value): value.isPlace(mark) ? [field] : []
    case .unary: []
    case .and(let filters), .or(let filters): filters.flatMap { $0.places(marked: mark) }
    }
  }

  /// The filter with a document's values in its places; `nil` where it lacks one.
  fileprivate func filled(
    from document: DocumentSnapshot, mark: String, using random: inout SplitMix
  ) throws(DatabaseError) -> Filter? {
    switch self {
    case .field(let field, let comparison, let value):
      guard value.isPlace(mark) else { return self }
      if case .reference(let name) = value {
        let own = try DocumentName(document.reference.path, in: name.database)
        return .field(field, comparison, .reference(own))
      }
      guard let drawn = try document.value(field) else { return nil }
      switch (comparison, drawn) {
      case (.arrayContains, .array(let elements)):
        guard let element = elements.randomElement(using: &random) else { return nil }
        return .field(field, comparison, element)
      // Nothing equals null or NaN (§2.4), and only an array contains anything.
      case (.arrayContains, _), (_, .null): return nil
      case (_, .double(let number)) where number.isNaN: return nil
      default: return .field(field, comparison, drawn)
      }
    case .unary: return self
    case .and(let filters):
      return try Filter.filled(filters, from: document, mark: mark, using: &random).map { .and($0) }
    case .or(let filters):
      return try Filter.filled(filters, from: document, mark: mark, using: &random).map { .or($0) }
    }
  }

  private static func filled(
    _ filters: [Filter], from document: DocumentSnapshot, mark: String,
    using random: inout SplitMix
  ) throws(DatabaseError) -> [Filter]? {
    var filled: [Filter] = []
    for filter in filters {
      guard let part = try filter.filled(from: document, mark: mark, using: &random) else {
        return nil
      }
      filled.append(part)
    }
    return filled
  }
}

extension Value {
  /// Whether the value is a place; where a document's id is asked for, a place names a document.
  fileprivate func isPlace(_ mark: String) -> Bool {
    switch self {
    case .string(let text): text.utf8Equal(mark)
    case .reference(let name): name.path.lastSegment?.utf8Equal(mark) ?? false
    default: false
    }
  }
}

/// Random numbers that a seed repeats (Steele, Lea and Flood: Fast Splittable Pseudorandom Number
/// Generators, 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

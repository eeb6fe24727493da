import HearthDocumentModel

/// A map: fields of a document, one made by an expression, or an object of the request.
enum RulesMap: Sendable {
  /// A key and its value.
  typealias Entry = (key: String, value: RulesValue)

  case stored(MapValue)
  /// Entries in the order of the expression, each key once.
  case made([Entry], weight: Int)
  case object(any MemberSource)

  /// Creates a map of entries in any order. The last of several with one key wins.
  init(_ entries: [Entry]) {
    guard entries.count > RulesMap.linearLimit || !RulesMap.areDistinct(entries) else {
      self.init(distinct: entries)
      return
    }
    var places: [UTF8Key: Int] = [:]
    var distinct: [Entry] = []
    distinct.reserveCapacity(entries.count)
    for entry in entries {
      if let place = places[UTF8Key(entry.key)] {
        distinct[place] = entry
      } else {
        places[UTF8Key(entry.key)] = distinct.count
        distinct.append(entry)
      }
    }
    self.init(distinct: distinct)
  }

  /// Creates a map of entries whose keys are known to differ.
  init(distinct entries: [Entry]) {
    self = .made(entries, weight: entries.reduce(1) { $0 + $1.value.weight })
  }

  /// The number of entries up to which each key is compared with all others.
  private static let linearLimit = 8

  private static func areDistinct(_ entries: [Entry]) -> Bool {
    for (index, entry) in entries.enumerated() {
      for other in entries[..<index] where other.key.utf8Equal(entry.key) { return false }
    }
    return true
  }

  /// The number of values in the map, those inside of others included.
  var weight: Int {
    switch self {
    case .stored(let fields): fields.count
    case .made(_, let weight): weight
    case .object: 1
    }
  }

  /// Returns the value of a key; `nil` if the map surely has no such key.
  ///
  /// - Throws: `unknown` if documents that a query may return differ in it.
  func value(of key: String) throws(RulesError) -> RulesValue? {
    switch self {
    case .stored(let fields): fields[key].map { RulesValue($0) }
    case .made(let entries, _): entries.first { $0.key.utf8Equal(key) }?.value
    case .object(let object): try object.value(of: key)
    }
  }

  /// Returns all entries in the order of their keys.
  ///
  /// - Throws: `unknown` if documents that a query may return differ in them.
  func entries() throws(RulesError) -> [Entry] {
    switch self {
    case .stored(let fields): fields.map { ($0.name, RulesValue($0.value)) }
    case .made(let entries, _): entries.sorted { $0.key.utf8Compare($1.key) == .less }
    case .object(let object): try object.entries()
    }
  }

  /// Returns all values, in the order of an expression or of a document's keys.
  ///
  /// - Throws: `unknown` as for `entries()`.
  func values() throws(RulesError) -> [RulesValue] {
    if case .made(let entries, _) = self { return entries.map(\.value) }
    return try entries().map(\.value)
  }

  /// Returns the number of entries.
  ///
  /// - Throws: `unknown` as for `entries()`.
  func count() throws(RulesError) -> Int {
    if case .stored(let fields) = self { return fields.count }
    return try entries().count
  }
}

/// An object whose members are made when an expression asks for them, such as `request`.
protocol MemberSource: AnyObject, Sendable {
  /// Returns the value of a member; `nil` if there is surely none of this name.
  ///
  /// - Throws: `unknown` if documents that a query may return differ in it.
  func value(of name: String) throws(RulesError) -> RulesValue?

  /// Returns all members in the order of their names.
  ///
  /// - Throws: `unknown` if documents that a query may return differ in them.
  func entries() throws(RulesError) -> [RulesMap.Entry]
}

/// The difference of two maps, by their own keys.
struct MapDifference: Sendable {
  let added: RulesSet
  let removed: RulesSet
  let changed: RulesSet
  let unchanged: RulesSet

  /// Compares a map with the one that it follows.
  init(from old: RulesMap, to new: RulesMap) throws(RulesError) {
    let (before, after) = (try old.entries(), try new.entries())
    var (added, removed, changed, unchanged) = (
      [RulesValue](), [RulesValue](), [RulesValue](), [RulesValue]()
    )
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      let order: Ordering =
        left == before.count
        ? .greater
        : right == after.count ? .less : before[left].key.utf8Compare(after[right].key)
      switch order {
      case .less: removed.append(.string(before[left].key))
      case .greater: added.append(.string(after[right].key))
      case .equal:
        let isSame = try before[left].value.equals(after[right].value, mixing: .everywhere)
        if isSame { unchanged.append(.string(after[right].key)) }
        if !isSame { changed.append(.string(after[right].key)) }
      }
      if order != .greater { left += 1 }
      if order != .less { right += 1 }
    }
    (self.added, self.removed) = (RulesSet(distinct: added), RulesSet(distinct: removed))
    (self.changed, self.unchanged) = (RulesSet(distinct: changed), RulesSet(distinct: unchanged))
  }
}

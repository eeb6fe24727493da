import Workbench

/// A reader of a `LayoutStore`. It walks the entries of a query's range and fetches each document
/// in one of several ways.
final class LayoutReader: Reader {
  /// A way to find the document of an entry.
  enum Fetch: String {
    /// One point read per document.
    case get = "point reads"
    /// One cursor for all documents of a query: it steps to a document that is close ahead, and
    /// seeks any other.
    case cursor = "moving cursor"
    /// The record is in the entry itself.
    case entry = "record in the entry"
    /// An array of shared documents by number, filled before the query.
    case cache = "dense cache"
    /// No fetch: the cost of the entries alone.
    case none = "entries only"
  }

  let name: String
  let yieldsDocuments: Bool
  var ordersTiesByName: Bool { store.layout != .numbersInKey }
  private let store: LayoutStore
  private let fetch: Fetch
  private let cache: [SampleDocument?]

  /// - Parameter decodes: whether documents are decoded or their bytes returned.
  init(_ store: LayoutStore, _ fetch: Fetch, decodes: Bool = true, cache: [SampleDocument?] = []) {
    self.store = store
    self.fetch = fetch
    self.cache = cache
    yieldsDocuments = decodes && fetch != .none
    name = "\(store.name), \(fetch.rawValue)\(decodes ? "" : ", bytes only")"
  }

  func answer(_ query: StudyQuery, into answer: inout Answer) throws {
    switch query {
    case .get(let id):
      try get(id: id, into: &answer)
    case .newest(let userId):
      try scan(.userNewest, equal: [.string(userId)], limit: 20, into: &answer)
    case .open(let userId):
      let values: [SampleValue] = [.string(userId), .boolean(false)]
      try scan(.userCompleted, equal: values, limit: 20, into: &answer)
    case .byTime(let time, let limit):
      try scan(
        .byTime, equal: [], start: store.entryPrefix(of: .byTime, [.integer(time)]), limit: limit,
        into: &answer)
    case .byTitle(let title, let limit):
      try scan(
        .byTitle, equal: [], start: store.entryPrefix(of: .byTitle, [.string(title)]), limit: limit,
        into: &answer)
    case .openByName(let id, let limit):
      // Entries that end in numbers are not in order of name, so a scan can't start at a name.
      let name = ordersTiesByName ? id : nil
      let start = store.entryPrefix(of: .byCompleted, [.boolean(false)], name: name)
      try scan(.byCompleted, equal: [.boolean(false)], start: start, limit: limit, into: &answer)
    case .byName(let id, let limit):
      try list(from: id, limit: limit, into: &answer)
    }
  }

  private func get(id: String, into answer: inout Answer) throws {
    if store.layout.findsDocumentsByNumber {
      let number = try store.numberOfDocument(id: id)
      try receive(number, nil, into: &answer)
    } else {
      try receivePointRead(store.documentKey(id: id), into: &answer)
    }
  }

  /// Walks the entries that begin with `equal`, from the key `start` on.
  private func scan(
    _ index: SampleIndex, equal: [SampleValue], start: [UInt8]? = nil, limit: Int,
    into answer: inout Answer
  ) throws {
    let prefix = store.entryPrefix(of: index, equal)
    let entries = LevelCursor(store.database)
    entries.seek(to: start ?? prefix)
    try collect(entries, prefix: prefix, isDescending: index.isDescending, limit, into: &answer)
  }

  private func collect(
    _ entries: LevelCursor, prefix: [UInt8], isDescending: Bool, _ limit: Int,
    into answer: inout Answer
  ) throws {
    let documents = fetch == .cursor ? LevelCursor(store.database) : nil
    let moving = documents.map { MovingDocuments($0) }
    var remaining = limit
    while remaining > 0, entries.isValid, entries.key.begins(with: prefix) {
      try receiveEntry(entries, isDescending: isDescending, moving, into: &answer)
      remaining -= 1
      if remaining > 0 { entries.next() }
    }
    try entries.throwIfFailed()
    try documents?.throwIfFailed()
  }

  private func receiveEntry(
    _ entries: LevelCursor, isDescending: Bool, _ moving: MovingDocuments?,
    into answer: inout Answer
  ) throws {
    switch store.layout {
    case .names,
      .namesNumbered where fetch == .get || fetch == .cursor:
      // The sample's ids have one length, so the name is found from the key's end.
      let key = store.documentKey(
        storedName: entries.key.suffix(idByteCount + 1), isInverted: isDescending)
      guard let moving else { return try receivePointRead(key, into: &answer) }
      try receive(record: moving.seek(to: key), into: &answer)
    case .numbersInKey:
      let number = entries.key.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
      try receive(number, moving, into: &answer)
    default:
      var reader = RecordReader(bytes: entries.value)
      let number = try reader.varint()
      if fetch == .entry {
        try receive(bytes: reader.rest, into: &answer)
      } else {
        try receive(number, moving, into: &answer)
      }
    }
  }

  /// Walks the names of the collection: the documents themselves, or the entries from names to
  /// numbers.
  private func list(from id: String, limit: Int, into answer: inout Answer) throws {
    let names = LevelCursor(store.database)
    guard !store.layout.findsDocumentsByNumber else {
      let start = store.nameKey(id: id)
      let collection = Array(start.prefix(3))
      names.seek(to: start)
      let steps = fetch == .cursor || fetch == .entry
      let documents = steps ? LevelCursor(store.database) : nil
      let moving = documents.map { MovingDocuments($0) }
      var remaining = limit
      while remaining > 0, names.isValid, names.key.begins(with: collection) {
        var reader = RecordReader(bytes: names.value)
        try receive(try reader.varint(), moving, into: &answer)
        remaining -= 1
        names.next()
      }
      try documents?.throwIfFailed()
      return try names.throwIfFailed()
    }
    let start = store.documentKey(id: id)
    let collection = Array(start.prefix(3))
    names.seek(to: start)
    var remaining = limit
    while remaining > 0, names.isValid, names.key.begins(with: collection) {
      try receive(record: names.value, into: &answer)
      remaining -= 1
      names.next()
    }
    try names.throwIfFailed()
  }

  // MARK: Documents

  private func receive(
    _ number: UInt64, _ moving: MovingDocuments?, into answer: inout Answer
  ) throws {
    switch fetch {
    case .none:
      answer.count += 1
    case .cache:
      guard let document = cache[Int(number)] else { throw StudyError("the cache has a gap") }
      answer.receive(document)
    case .get, .cursor, .entry:
      let key = store.documentKey(number: number)
      guard let moving else { return try receivePointRead(key, into: &answer) }
      try receive(bytes: moving.move(to: number, key), into: &answer)
    }
  }

  private func receivePointRead(_ key: [UInt8], into answer: inout Answer) throws {
    let found: Void? = try store.database.withValue(of: key) { bytes in
      if store.layout.findsDocumentsByNumber {
        try receive(bytes: bytes, into: &answer)
      } else {
        try receive(record: bytes, into: &answer)
      }
    }
    guard found != nil else { throw StudyError("an entry has no document") }
  }

  /// Receives a record. The value under a document's name may begin with the document's number.
  private func receive(record: UnsafeRawBufferPointer, into answer: inout Answer) throws {
    guard store.layout == .namesNumbered else { return try receive(bytes: record, into: &answer) }
    var reader = RecordReader(bytes: record)
    _ = try reader.varint()
    try receive(bytes: reader.rest, into: &answer)
  }

  private func receive(bytes: UnsafeRawBufferPointer, into answer: inout Answer) throws {
    if yieldsDocuments {
      answer.receive(try TaskRecord.decode(bytes))
    } else {
      answer.receive(bytes: bytes)
    }
  }
}

/// A cursor over all documents of a query.
private final class MovingDocuments {
  /// A step forward costs about a tenth of a seek.
  private static let stepLimit: UInt64 = 8
  private let cursor: LevelCursor
  private var position: UInt64?
  private var stepsToTry = 0

  init(_ cursor: LevelCursor) {
    self.cursor = cursor
  }

  /// Returns the value under a name, which may be close ahead: a step is tried first, and more
  /// steps if the last name was reached by stepping.
  func seek(to key: [UInt8]) throws -> UnsafeRawBufferPointer {
    var steps = stepsToTry
    while steps > 0, cursor.isValid, cursor.key.precedes(key) {
      cursor.next()
      steps -= 1
    }
    let isReached = cursor.isValid && cursor.key.count == key.count && cursor.key.begins(with: key)
    if !isReached { cursor.seek(to: key) }
    stepsToTry = isReached ? 4 : 1
    return try value(of: key)
  }

  /// Returns the record of the document with this number, whose key is `key`.
  func move(to number: UInt64, _ key: [UInt8]) throws -> UnsafeRawBufferPointer {
    if let position, number > position, number - position <= Self.stepLimit {
      repeat { cursor.next() } while cursor.isValid && cursor.key.precedes(key)
    } else if position != number {
      cursor.seek(to: key)
    }
    position = number
    return try value(of: key)
  }

  private func value(of key: [UInt8]) throws -> UnsafeRawBufferPointer {
    guard cursor.isValid, cursor.key.count == key.count, cursor.key.begins(with: key) else {
      throw StudyError("an entry has no document")
    }
    return cursor.value
  }
}

// Keys, as a straightforward program on LevelDB would write them:
//
//   D id -> record (as TaskRecord has it)
//   I index values id -> (empty)

import Workbench

/// A contestant on raw LevelDB, written by hand: an index scan and one point read per result. It is
/// the floor of an engine that does no more than that.
final class LevelContestant: Contestant {
  let name = "LevelDB by hand"
  private let database: LevelDatabase
  private let indexes: [SampleIndex]
  private let isDurable: Bool
  private let batch = LevelBatch()
  private var key = OrderedKey()
  /// Number of bytes of the keys and values of the last commit.
  private(set) var lastBatchByteCount = 0

  init(_ settings: StoreSettings) throws {
    var levelSettings = LevelSettings()
    levelSettings.cacheMebibytes = settings.memory.cacheMebibytes
    database = try LevelDatabase(at: settings.path, settings: levelSettings)
    indexes = settings.indexes.sampleIndexes
    isDurable = settings.isDurable
  }

  // MARK: Reading

  /// Returns the index that serves a question, and the values of its first columns.
  private static func range(
    of question: Question
  ) throws -> (index: SampleIndex, values: [SampleValue]) {
    switch question {
    case .newest(let userId): (SampleIndex.userNewest, [.string(userId)])
    case .oldestOpen(let userId), .openCount(let userId):
      (SampleIndex.userCompleted, [.string(userId), .boolean(false)])
    case .byPriority(let userId): (SampleIndex.userPriority, [.string(userId)])
    case .openUrgent(let userId):
      (SampleIndex.userUrgent, [.string(userId), .boolean(false), .integer(2)])
    case .everything, .oldest: (SampleIndex.byTime, [])
    case .task: throw StudyError("a task is got, not queried")
    }
  }

  private static func limit(of question: Question) -> Int {
    switch question {
    case .newest, .oldestOpen, .byPriority, .oldest: 20
    case .task, .openCount, .openUrgent, .everything: .max
    }
  }

  /// Calls `body` with each entry's index until the limit.
  private func forEachEntry(
    _ question: Question, _ body: (UnsafeRawBufferPointer, SampleIndex) throws -> Void
  ) throws {
    let (index, values) = try Self.range(of: question)
    var start = OrderedKey()
    start.begin(.entry)
    start.append(small: index.number)
    for (component, value) in zip(index.components, values) {
      start.append(value, descending: component.descending)
    }
    let prefix = start.bytes
    if case .byPriority = question { start.append(.integer(1), descending: false) }
    let cursor = LevelCursor(database)
    cursor.seek(to: start.bytes)
    var rest = Self.limit(of: question)
    while rest > 0, cursor.isValid, cursor.key.begins(with: prefix) {
      try body(cursor.key, index)
      rest -= 1
      if rest > 0 { cursor.next() }
    }
    try cursor.throwIfFailed()
  }

  /// Calls `body` with each document's id bytes and record.
  private func forEachDocument(
    _ question: Question,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if case .task(let id) = question {
      key.begin(.documentByName)
      key.append(name: id, descending: false)
      return try fetch(body)
    }
    try forEachEntry(question) { entry, index in
      key.begin(.documentByName)
      key.append(
        storedName: entry.suffix(idByteCount + 1), isInverted: index.isDescending)
      try fetch(body)
    }
  }

  private func fetch(
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let found: Void? = try database.withValue(of: key.bytes) { record in
      try key.bytes.withUnsafeBytes { key in
        try body(UnsafeRawBufferPointer(rebasing: key.dropFirst().dropLast()), record)
      }
    }
    guard found != nil else { throw StudyError("an entry's task is missing") }
  }

  func answer(_ question: Question, into tally: inout Tally) throws {
    var read = tally
    switch question {
    case .openCount:
      var count = 0
      try forEachEntry(question) { _, _ in count += 1 }
      read.add(count: count)
    case .everything:
      try forEachDocument(question) { _, record in try read.read(ParsedDocument(record: record)) }
    default:
      var page: [ParsedDocument] = []
      page.reserveCapacity(20)
      try forEachDocument(question) { id, record in
        page.append(try ParsedDocument(record: record, id: id))
      }
      for document in page { try read.read(document) }
    }
    tally = read
  }

  func tasks(answering question: Question) throws -> [SampleTask] {
    var tasks: [SampleTask] = []
    try forEachDocument(question) { id, record in
      tasks.append(
        try ParsedDocument(record: record).task(id: String(decoding: id, as: UTF8.self)))
    }
    return tasks
  }

  // MARK: Writing

  private func entryKey(_ index: SampleIndex, _ task: SampleTask) -> [UInt8] {
    key.begin(.entry)
    key.append(small: index.number)
    for component in index.components {
      key.append(task.value(of: component.field), descending: component.descending)
    }
    key.append(name: task.id, descending: index.isDescending)
    return key.bytes
  }

  private func documentKey(_ id: String) -> [UInt8] {
    key.begin(.documentByName)
    key.append(name: id, descending: false)
    return key.bytes
  }

  private func commit() throws {
    lastBatchByteCount = batch.byteCount
    try database.write(batch, sync: isDurable)
    batch.clear()
  }

  func insert(_ tasks: ArraySlice<PreparedTask>) throws {
    for prepared in tasks {
      batch.put(documentKey(prepared.task.id), prepared.record)
      for index in indexes { batch.put(entryKey(index, prepared.task), []) }
    }
    try commit()
  }

  private func task(_ id: String) throws -> SampleTask {
    guard let task = try tasks(answering: .task(id: id)).first else {
      throw StudyError("no task \(id)")
    }
    return task
  }

  func setCompleted(_ completed: Bool, of id: String) throws {
    let old = try task(id)
    var new = old
    new.completed = completed
    let document = SampleDocument(
      fields: TaskField.allCases.map { Field(name: $0.rawValue, value: new.value(of: $0)) })
    batch.put(documentKey(id), TaskRecord.encode(document))
    for index in indexes where index.components.contains(where: { $0.field == .completed }) {
      batch.delete(entryKey(index, old))
      batch.put(entryKey(index, new), [])
    }
    try commit()
  }

  func remove(id: String) throws {
    let task = try task(id)
    batch.delete(documentKey(id))
    for index in indexes { batch.delete(entryKey(index, task)) }
    try commit()
  }

  func buildIndex() throws {
    let cursor = LevelCursor(database)
    cursor.seek(to: [KeyPrefix.documentByName.rawValue])
    var count = 0
    while cursor.isValid, cursor.key.first == KeyPrefix.documentByName.rawValue {
      let id = String(decoding: cursor.key.dropFirst().dropLast(), as: UTF8.self)
      let task = try ParsedDocument(record: cursor.value).task(id: id)
      batch.put(entryKey(SampleIndex.userOldest, task), [])
      count += 1
      if count % 500 == 0 { try commit() }
      cursor.next()
    }
    try cursor.throwIfFailed()
    try commit()
  }

  func dropBuiltIndex() throws {
    var start = OrderedKey()
    start.begin(.entry)
    start.append(small: SampleIndex.userOldest.number)
    let cursor = LevelCursor(database)
    cursor.seek(to: start.bytes)
    while cursor.isValid, cursor.key.begins(with: start.bytes) {
      batch.delete(Array(cursor.key))
      cursor.next()
    }
    try cursor.throwIfFailed()
    try commit()
  }

  func settle() throws {
    database.compact()
  }
}

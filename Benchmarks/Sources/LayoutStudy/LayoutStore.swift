// The keys and values of the layouts compared. c is the interned number of the parent collection, i
// an index, v its encoded values, id the document's id, # the document's number.
//
//                 documents               names          entries
// names         D c id -> record        -              I i c v id -> (empty) namesNumbered D c id
// -> # record      -              I i c v id -> # numbers       d #    -> record        n c id -> #
// I i c v id -> # covering      d #    -> record        n c id -> #    I i c v id -> # record
// numbersInKey  d #    -> record        n c id -> #    I i c v # (8 bytes) -> (empty)
//
// numbersInKey orders ties by insertion, which the semantics forbid (§4.4). It is measured only to
// show the cost of the name in the key.

import Workbench

enum Layout: String, CaseIterable {
  case names, namesNumbered, numbers, covering, numbersInKey

  var findsDocumentsByNumber: Bool { self != .names && self != .namesNumbered }
}

/// The ways to keep a collection group's names beside the collection's own.
enum GroupKeys: String, CaseIterable {
  /// Collection scope only.
  case none
  /// One more entry per document, with its whole path.
  case keyIndex
  /// The composite indexes in group scope instead, with the whole path in every entry.
  case allEntries
}

/// A LevelDB database in one of the layouts.
final class LayoutStore: Writer {
  let name: String
  let path: String
  let layout: Layout
  let database: LevelDatabase
  let indexes: [SampleIndex]
  private let groupKeys: GroupKeys
  private let batch = LevelBatch()
  private(set) var lastBatchByteCount = 0
  private var key = OrderedKey()

  init(
    at path: String, layout: Layout, indexes: [SampleIndex], settings: LevelSettings,
    groupKeys: GroupKeys = .none, name: String? = nil
  ) throws {
    self.name = name ?? layout.rawValue
    self.path = path
    self.layout = layout
    self.indexes = indexes
    self.groupKeys = groupKeys
    database = try LevelDatabase(at: path, settings: settings)
  }

  func insert(_ tasks: ArraySlice<PreparedTask>, sync: Bool) throws {
    batch.clear()
    for prepared in tasks {
      putDocument(prepared.task, prepared.record)
      for index in indexes { putEntries(of: index, prepared.task, prepared.record) }
    }
    lastBatchByteCount = batch.byteCount
    try database.write(batch, sync: sync)
  }

  private func putDocument(_ task: SampleTask, _ record: [UInt8]) {
    let number = Self.encoded(task.number)
    if layout.findsDocumentsByNumber {
      beginName(of: task.id, .numberOfName)
      batch.put(key.bytes, number)
      putRecord(task.number, record)
    } else {
      beginName(of: task.id, .documentByName)
      batch.put(key.bytes, layout == .namesNumbered ? number + record : record)
    }
    if groupKeys == .keyIndex {
      key.begin(.groupName)
      key.append(small: 1)
      appendPath(of: task, descending: false)
      batch.put(key.bytes, number)
    }
  }

  private func putRecord(_ number: UInt64, _ record: [UInt8]) {
    key.begin(.documentByNumber)
    key.append(number: number)
    batch.put(key.bytes, record)
  }

  private func putEntries(of index: SampleIndex, _ task: SampleTask, _ record: [UInt8]) {
    let value: [UInt8] =
      switch layout {
      case .names, .numbersInKey: []
      case .namesNumbered, .numbers: Self.encoded(task.number)
      case .covering: Self.encoded(task.number) + record
      }
    forEachKey(of: index, task) { batch.put($0, value) }
  }

  private func forEachKey(of index: SampleIndex, _ task: SampleTask, _ body: ([UInt8]) -> Void) {
    guard index.isArrayContains else {
      beginEntry(of: index, index.components.map { task.value(of: $0.field) })
      finishEntry(of: index, task)
      return body(key.bytes)
    }
    for element in task.tags {
      beginEntry(of: index, [.string(element)])
      finishEntry(of: index, task)
      body(key.bytes)
    }
  }

  private func finishEntry(of index: SampleIndex, _ task: SampleTask) {
    if layout == .numbersInKey {
      key.append(fixed: task.number)
    } else if groupKeys == .allEntries {
      appendPath(of: task, descending: index.isDescending)
    } else {
      key.append(name: task.id, descending: index.isDescending)
    }
  }

  /// Appends `teams/<list>/tasks/<id>`, so that neighbours in time are not neighbours in the group.
  private func appendPath(of task: SampleTask, descending: Bool) {
    for segment in ["teams", task.listId, "tasks", task.id] {
      key.append(name: segment, descending: descending)
    }
  }

  func toggleCompleted(id: String) throws {
    var (number, task) = try task(id: id)
    batch.clear()
    let isCovering = layout == .covering
    let rewritten = indexes.filter { index in
      isCovering || index.components.contains { $0.field == .completed }
    }
    for index in rewritten where index.components.contains(where: { $0.field == .completed }) {
      forEachKey(of: index, task) { batch.delete($0) }
    }
    task.completed.toggle()
    let record = TaskRecord.encode(task.document)
    for index in rewritten { putEntries(of: index, task, record) }
    if layout.findsDocumentsByNumber {
      putRecord(number, record)
    } else {
      beginName(of: id, .documentByName)
      batch.put(
        key.bytes, layout == .namesNumbered ? Self.encoded(number) + record : record)
    }
    try database.write(batch, sync: false)
  }

  private func task(id: String) throws -> (UInt64, SampleTask) {
    var number: UInt64 = 0
    func decode(_ bytes: UnsafeRawBufferPointer) throws -> SampleTask {
      try SampleTask(number: number, document: TaskRecord.decode(bytes))
    }
    let task: SampleTask?
    if layout.findsDocumentsByNumber {
      number = try numberOfDocument(id: id)
      task = try database.withValue(of: documentKey(number: number), decode)
    } else {
      task = try database.withValue(of: documentKey(id: id)) { bytes in
        guard layout == .namesNumbered else { return try decode(bytes) }
        var reader = RecordReader(bytes: bytes)
        number = try reader.varint()
        return try decode(reader.rest)
      }
    }
    guard let task else { throw StudyError("no task has the id \(id)") }
    return (number, task)
  }
}

extension LayoutStore {
  func numberOfDocument(id: String) throws -> UInt64 {
    let number = try database.withValue(of: nameKey(id: id)) { bytes in
      var reader = RecordReader(bytes: bytes)
      return try reader.varint()
    }
    guard let number else { throw StudyError("no number belongs to the id \(id)") }
    return number
  }

  func nameKey(id: String) -> [UInt8] {
    beginName(of: id, .numberOfName)
    return key.bytes
  }

  func documentKey(id: String) -> [UInt8] {
    beginName(of: id, .documentByName)
    return key.bytes
  }

  /// Returns the key of the document whose id is at the end of an entry's key.
  func documentKey(storedName: Slice<UnsafeRawBufferPointer>, isInverted: Bool) -> [UInt8] {
    key.begin(.documentByName)
    key.append(small: 1)
    key.append(storedName: storedName, isInverted: isInverted)
    return key.bytes
  }

  func documentKey(number: UInt64) -> [UInt8] {
    key.begin(.documentByNumber)
    key.append(number: number)
    return key.bytes
  }

  /// Returns the bytes with which all entries of `index` with these first values begin, or the
  /// place of a name among them.
  func entryPrefix(of index: SampleIndex, _ values: [SampleValue], name: String? = nil) -> [UInt8] {
    beginEntry(of: index, values)
    if let name { key.append(name: name, descending: index.isDescending) }
    return key.bytes
  }

  private func beginName(of id: String, _ prefix: KeyPrefix) {
    key.begin(prefix)
    key.append(small: 1)
    key.append(name: id, descending: false)
  }

  private func beginEntry(of index: SampleIndex, _ values: [SampleValue]) {
    key.begin(.entry)
    key.append(small: index.number)
    key.append(small: 1)
    for (component, value) in zip(index.components, values) {
      key.append(value, descending: component.descending)
    }
  }

  private static func encoded(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(number)
    return bytes
  }
}

import HearthOrderedStore

/// LevelDB's list of its live files, after all edits of its MANIFEST.
///
/// A MANIFEST is a log of edits. An edit is a row of fields, each after its varint tag:
///
/// | tag | field |
/// |---|---|
/// | 1 | name of the order of keys |
/// | 2, 9 | number of the oldest live log; of one more, from old versions (0: none) |
/// | 3, 4 | next number of a file; last number of an operation |
/// | 5 | level, key: the point where compaction goes on |
/// | 6 | level, number of a removed table |
/// | 7 | level, number, byte count, first key, last key of an added table |
struct Manifest: Equatable {
  private(set) var logNumber: UInt64 = 0
  private(set) var previousLogNumber: UInt64 = 0
  private(set) var lastSequence: UInt64 = 0
  private(set) var tables: [UInt64: Table] = [:]

  /// The facts of a table that are known without its file.
  struct Table: Equatable {
    /// Level of the table. The versions of a key on lower levels are newer; on level 0 those in
    /// tables of higher numbers are.
    var level: UInt64
    var byteCount: UInt64
    /// First and last key.
    var smallest: InternalKey
    var largest: InternalKey
  }

  /// Applies the edit in a record.
  ///
  /// - Returns: `false` if `record` is no edit; the manifest is then of no use.
  mutating func apply(_ record: borrowing RawSpan) -> Bool {
    guard let edit = ManifestEdit(record) else { return false }
    apply(edit)
    return true
  }

  mutating func apply(_ edit: ManifestEdit) {
    logNumber = edit.logNumber ?? logNumber
    previousLogNumber = edit.previousLogNumber ?? previousLogNumber
    lastSequence = edit.lastSequence ?? lastSequence
    for number in edit.removed { tables[number] = nil }
    for (number, table) in edit.added { tables[number] = table }
  }
}

/// One record of a MANIFEST: a change of the list.
struct ManifestEdit {
  private(set) var logNumber: UInt64?
  private(set) var previousLogNumber: UInt64?
  private(set) var lastSequence: UInt64?
  /// Numbers of removed tables. A table that moves to another level is added again.
  private(set) var removed: [UInt64] = []
  private(set) var added: [(number: UInt64, table: Manifest.Table)] = []

  /// Reads an edit; `nil` if `record` is none.
  init?(_ record: borrowing RawSpan) {
    var reader = WireOffset()
    while reader.position < record.byteCount {
      guard let tag = reader.readVarint(in: record), readField(tag, in: record, from: &reader)
      else { return nil }
    }
  }

  private mutating func readField(
    _ tag: UInt64, in record: borrowing RawSpan, from reader: inout WireOffset
  ) -> Bool {
    switch tag {
    case 1: return reader.skipPrefixed(in: record)
    case 2: return reader.read(into: &logNumber, in: record)
    case 3: return reader.readVarint(in: record) != nil
    case 4: return reader.read(into: &lastSequence, in: record)
    case 5: return reader.readVarint(in: record) != nil && reader.skipPrefixed(in: record)
    case 6:
      guard reader.readVarint(in: record) != nil, let number = reader.readVarint(in: record)
      else { return false }
      removed.append(number)
      return true
    case 7:
      guard let level = reader.readVarint(in: record),
        let number = reader.readVarint(in: record),
        let byteCount = reader.readVarint(in: record),
        let smallest = reader.readKey(in: record), let largest = reader.readKey(in: record)
      else { return false }
      let table = Manifest.Table(
        level: level, byteCount: byteCount, smallest: smallest, largest: largest)
      added.append((number, table))
      return true
    case 9: return reader.read(into: &previousLogNumber, in: record)
    default: return false
    }
  }
}

extension WireOffset {
  fileprivate mutating func read(into target: inout UInt64?, in bytes: borrowing RawSpan) -> Bool {
    guard let number = readVarint(in: bytes) else { return false }
    target = number
    return true
  }

  fileprivate mutating func readKey(in bytes: borrowing RawSpan) -> InternalKey? {
    guard let range = readPrefixed(in: bytes) else { return nil }
    return InternalKey([UInt8](copying: bytes.extracting(range)))
  }
}

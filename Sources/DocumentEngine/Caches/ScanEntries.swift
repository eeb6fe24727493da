import HearthDocumentModel
import HearthOrderedStore

/// All entries of one small scan in the order of their keys. Each is the key's suffix, the bytes
/// after the prefix, and the document's number.
struct ScanEntries: Sendable {
  /// The most entries that are kept. Larger scans are read from the store.
  static let countLimit = 1024

  private var bytes: [UInt8] = []
  /// The end of each suffix in `bytes`.
  private var ends: [UInt32] = []
  private(set) var documents: [UInt64] = []

  init() {}

  var count: Int { documents.count }
  /// The approximate memory that they take.
  var byteCount: Int { bytes.count + ends.count * 12 + 96 }

  func documentNumber(at index: Int) -> UInt64 { documents[index] }

  /// Returns the place of an entry's suffix in `bytes`.
  private func place(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// Appends the suffix of an entry.
  func appendSuffix(at index: Int, to other: inout [UInt8]) { other += bytes[place(index)] }

  /// Returns the number of entries with suffixes before `suffix`.
  func endIndex(before suffix: RawSpan) -> Int {
    let all = bytes.span.bytes
    return (0..<count).first(reaching: { all.extracting(place($0)).compare(suffix) != .less })
  }

  /// Whether the document has an entry.
  func contains(_ document: UInt64) -> Bool {
    // Comparing all of them, in vectors, is quicker than stopping early.
    var found = false
    for number in documents { found = found || number == document }
    return found
  }

  /// Adds an entry after all others.
  mutating func append(_ suffix: RawSpan, _ document: UInt64) {
    bytes.append(suffix)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    documents.append(document)
  }

  /// Puts an entry at the place of its suffix. Replaces the entry with the same suffix.
  mutating func put(_ suffix: [UInt8], _ document: UInt64) {
    let index = endIndex(before: suffix.span.bytes)
    if index < count, bytes[place(index)].elementsEqual(suffix) {
      return documents[index] = document
    }
    let start = index == 0 ? 0 : Int(ends[index - 1])
    bytes.insert(contentsOf: suffix, at: start)
    ends.insert(UInt32(truncatingIfNeeded: start), at: index)
    for later in index..<ends.count { ends[later] += UInt32(truncatingIfNeeded: suffix.count) }
    documents.insert(document, at: index)
  }

  mutating func remove(_ suffix: [UInt8]) {
    let index = endIndex(before: suffix.span.bytes)
    guard index < count, bytes[place(index)].elementsEqual(suffix) else { return }
    bytes.removeSubrange(place(index))
    ends.remove(at: index)
    for later in index..<ends.count { ends[later] -= UInt32(truncatingIfNeeded: suffix.count) }
    documents.remove(at: index)
  }
}

/// The cached content of a scan: all entries of a small one, or the documents that a large one
/// finds.
enum ScanContent: Sendable {
  case entries(ScanEntries)
  case documents(DocumentBitmap)

  var byteCount: Int {
    switch self {
    case .entries(let run): run.byteCount
    case .documents(let bitmap): bitmap.byteCount
    }
  }

  /// Number of documents that the scan finds.
  var count: Int {
    switch self {
    case .entries(let run): run.count
    case .documents(let bitmap): bitmap.count
    }
  }

  func contains(_ document: UInt64) -> Bool {
    switch self {
    case .entries(let run): run.contains(document)
    case .documents(let bitmap): bitmap.contains(document)
    }
  }

  /// Puts or deletes one entry.
  mutating func apply(_ change: EntryChange) {
    switch self {
    case .entries(var run):
      self = .documents(DocumentBitmap())
      if change.isPut {
        run.put(change.suffix, change.document)
      } else {
        run.remove(change.suffix)
      }
      self = .entries(run)
    case .documents(var bitmap):
      self = .entries(ScanEntries())
      if change.isPut { bitmap.insert(change.document) } else { bitmap.remove(change.document) }
      self = .documents(bitmap)
    }
  }
}

/// An entry that a commit puts or deletes.
struct EntryChange: Sendable {
  /// The bytes of its key after the prefix of the scan.
  let suffix: [UInt8]
  let document: UInt64
  let isPut: Bool
}

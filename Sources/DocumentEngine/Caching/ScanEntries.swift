import DocumentModel

/// All entries of one small scan, in the order of their keys: what is behind the prefix, and the
/// document's number.
struct ScanEntries: Sendable {
  /// Scans with more entries are read from the store.
  static let countLimit = 1024

  private var bytes: [UInt8] = []
  /// Where each suffix ends.
  private var ends: [UInt32] = []
  private(set) var documents: [UInt64] = []

  init() {}

  var count: Int { documents.count }
  /// About the memory that it takes.
  var byteCount: Int { bytes.count + ends.count * 12 + 96 }

  func documentNumber(at index: Int) -> UInt64 { documents[index] }

  /// Where the suffix of an entry lies in `suffixBytes`.
  private func place(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// Appends the suffix of an entry.
  func appendSuffix(at index: Int, to other: inout [UInt8]) { other += bytes[place(index)] }

  /// How many entries have suffixes before `suffix`.
  func endIndex(before suffix: RawSpan) -> Int {
    let all = bytes.span.bytes
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if all.extracting(place(middle)).compare(suffix) == .less {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Whether the document has an entry.
  func contains(_ document: UInt64) -> Bool {
    // All are compared, in vectors, which is quicker than to stop.
    var found = false
    for number in documents { found = found || number == document }
    return found
  }

  /// Adds an entry behind all others.
  mutating func append(_ suffix: RawSpan, _ document: UInt64) {
    bytes.append(suffix)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    documents.append(document)
  }

  /// Puts an entry where its suffix belongs, or in place of the one that has the same.
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

/// What is kept of a scan: of a small one all its entries, of a large one which documents it finds.
enum ScanContent: Sendable {
  case entries(ScanEntries)
  case documents(DocumentBitmap)

  var byteCount: Int {
    switch self {
    case .entries(let run): run.byteCount
    case .documents(let bitmap): bitmap.byteCount
    }
  }

  /// How many documents the scan finds.
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
  /// What its key has behind the prefix of the scan.
  let suffix: [UInt8]
  let document: UInt64
  let isPut: Bool
}

/// A list of puts and deletes that a store applies as one, in order: a later operation on a key
/// wins.
///
/// The operations follow each other in one growing buffer. So filling a batch rarely allocates, and
/// handing it to a store copies each byte once.
package struct StoreBatch: Sendable {
  package enum Operation {
    case put
    case delete
    /// A delete of a key that no reader reads again, in any view. It does no harm if the store
    /// brings the key back: checks pass over keys of an id that was given and that the catalogue no
    /// longer names.
    case discard
  }

  struct Entry {
    var operation: Operation
    var keyEnd: Int
    var valueEnd: Int
  }

  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []

  package init() {}

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }
  /// Number of operations that aren't puts.
  package var deleteCount: Int { entries.count { $0.operation != .put } }
  /// Bytes of all keys and values.
  package var byteCount: Int { bytes.count }

  package mutating func put(_ key: [UInt8], _ value: [UInt8]) {
    put(key[...], value[...])
  }

  package mutating func put(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    bytes.append(contentsOf: key)
    let keyEnd = bytes.count
    bytes.append(contentsOf: value)
    entries.append(Entry(operation: .put, keyEnd: keyEnd, valueEnd: bytes.count))
  }

  package mutating func put(_ key: RawSpan, _ value: RawSpan) {
    unsafe key.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    let keyEnd = bytes.count
    unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    entries.append(Entry(operation: .put, keyEnd: keyEnd, valueEnd: bytes.count))
  }

  /// Puts a key and a value that `body` appends to the buffer one after the other. `body` returns
  /// the length of the buffer with the key.
  package mutating func put<Failure: Error>(
    appending body: (inout [UInt8]) throws(Failure) -> Int
  ) throws(Failure) {
    let keyEnd = try body(&bytes)
    entries.append(Entry(operation: .put, keyEnd: keyEnd, valueEnd: bytes.count))
  }

  package mutating func delete(_ key: [UInt8]) {
    delete(key[...])
  }

  package mutating func delete(_ key: ArraySlice<UInt8>) {
    append(.delete, key)
  }

  /// Deletes a key that no caller reads again.
  package mutating func discard(_ key: [UInt8]) {
    append(.discard, key[...])
  }

  private mutating func append(_ operation: Operation, _ key: ArraySlice<UInt8>) {
    bytes.append(contentsOf: key)
    entries.append(Entry(operation: operation, keyEnd: bytes.count, valueEnd: bytes.count))
  }

  /// Whether the last operation puts `key`.
  package func endsByPutting(_ key: [UInt8]) -> Bool {
    guard let last = entries.last, last.operation == .put else { return false }
    let start = entries.count > 1 ? entries[entries.count - 2].valueEnd : 0
    return bytes[start..<last.keyEnd].elementsEqual(key)
  }

  /// Whether an operation puts `value`.
  package func puts(_ value: [UInt8]) -> Bool {
    let all = bytes.span.bytes
    let entries = entries.span
    for index in entries.indices {
      let entry = entries[index]
      guard entry.valueEnd - entry.keyEnd == value.count, entry.operation == .put else { continue }
      if all.extracting(entry.keyEnd..<entry.valueEnd).equals(value.span.bytes) { return true }
    }
    return false
  }

  /// The extent of a batch at one moment, to return to.
  package struct Mark: Sendable {
    fileprivate let byteCount: Int
    fileprivate let count: Int
  }

  package var mark: Mark { Mark(byteCount: bytes.count, count: entries.count) }

  /// Removes the operations since `mark`.
  package mutating func removeAll(since mark: Mark) {
    bytes.removeLast(bytes.count - mark.byteCount)
    entries.removeLast(entries.count - mark.count)
  }

  /// Makes room for `count` further operations with `byteCount` bytes of keys and values.
  package mutating func reserveCapacity(count: Int, byteCount: Int) {
    entries.reserveCapacity(entries.count + count)
    bytes.reserveCapacity(bytes.count + byteCount)
  }

  package mutating func removeAll(keepingCapacity: Bool = true) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
    entries.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Calls `body` with the key of each operation in order, or of those since `mark`. The span is
  /// valid during the call.
  package func forEachKey<Failure: Error>(
    since mark: Mark? = nil, _ body: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let all = bytes.span.bytes
    var start = mark?.byteCount ?? 0
    for entry in entries[(mark?.count ?? 0)...] {
      try body(all.extracting(start..<entry.keyEnd))
      start = entry.valueEnd
    }
  }

  /// Calls `body` with each operation in order, or with those since `mark`. The spans are valid
  /// during the call.
  package func forEach<Failure: Error>(
    since mark: Mark? = nil,
    _ body: (Operation, _ key: RawSpan, _ value: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let all = bytes.span.bytes
    var start = mark?.byteCount ?? 0
    for entry in entries[(mark?.count ?? 0)...] {
      try body(
        entry.operation, all.extracting(start..<entry.keyEnd),
        all.extracting(entry.keyEnd..<entry.valueEnd))
      start = entry.valueEnd
    }
  }
}

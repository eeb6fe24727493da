import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Entries of many documents, gathered to be sorted and written. A store takes ascending keys with
/// half the work of keys in any order.
struct EntryRun: Sendable {
  /// An entry's place in `bytes` and the number of its document.
  struct Entry: Sendable {
    let documentNumber: UInt64
    fileprivate var start: UInt32
    fileprivate var keyEnd: UInt32
    fileprivate var end: UInt32
  }

  private var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []

  var byteCount: Int { bytes.count }

  /// Adds an entry. `body` appends its key and then its value, and returns the number of bytes up
  /// to the key's end.
  mutating func append<Failure: Error>(
    of documentNumber: UInt64, _ body: (inout [UInt8]) throws(Failure) -> Int
  ) throws(Failure) {
    let start = bytes.count
    let keyEnd = try body(&bytes)
    entries.append(
      Entry(
        documentNumber: documentNumber, start: UInt32(start), keyEnd: UInt32(keyEnd),
        end: UInt32(bytes.count)))
  }

  /// Adds all of `list`.
  mutating func append(_ list: EntryList, of documentNumber: UInt64) {
    for index in 0..<list.count {
      append(of: documentNumber) { bytes in
        bytes.append(contentsOf: list.key(index))
        let keyEnd = bytes.count
        bytes.append(contentsOf: list.value(index))
        return keyEnd
      }
    }
  }

  func key(_ entry: Entry) -> ArraySlice<UInt8> { bytes[Int(entry.start)..<Int(entry.keyEnd)] }
  func value(_ entry: Entry) -> ArraySlice<UInt8> { bytes[Int(entry.keyEnd)..<Int(entry.end)] }
}

// MARK: - Order

extension EntryRun {
  /// An entry with the sixteen bytes of its key after the bytes that all keys share.
  private struct Ranked {
    let high: UInt64
    let low: UInt64
    let entry: Entry
  }

  /// Sorts by key.
  ///
  /// The keys of one index begin alike. The bytes after that are compared as two integers. Only
  /// keys that agree in these are compared as bytes.
  mutating func sort() {
    let bytes = bytes
    let all = bytes.span.bytes
    let shared = sharedByteCount(all)
    var ranked: [Ranked] = []
    ranked.reserveCapacity(entries.count)
    for entry in entries {
      let start = Int(entry.start) &+ shared
      ranked.append(
        Ranked(
          high: all.integer(from: start, to: Int(entry.keyEnd)),
          low: all.integer(from: start &+ 8, to: Int(entry.keyEnd)), entry: entry))
    }
    ranked.sort { left, right in
      if left.high != right.high { return left.high < right.high }
      if left.low != right.low { return left.low < right.low }
      return all.key(of: left.entry).compare(all.key(of: right.entry)) == .less
    }
    entries = ranked.map(\.entry)
  }

  /// Returns the length of the longest prefix that all keys share.
  private func sharedByteCount(_ all: RawSpan) -> Int {
    guard let first = entries.first else { return 0 }
    var shared = Int(first.keyEnd &- first.start)
    for entry in entries.dropFirst() {
      let limit = Swift.min(shared, Int(entry.keyEnd &- entry.start))
      var count = 0
      while count < limit, all.byte(first.start, count) == all.byte(entry.start, count) {
        count &+= 1
      }
      shared = count
    }
    return shared
  }
}

extension RawSpan {
  @_lifetime(copy self)
  fileprivate func key(of entry: EntryRun.Entry) -> RawSpan {
    extracting(Int(entry.start)..<Int(entry.keyEnd))
  }

  fileprivate func byte(_ start: UInt32, _ offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: Int(start) &+ offset, as: UInt8.self)
  }

  /// Returns the eight bytes from `start` as an integer, the first in the highest place, with zeros
  /// from `end` on.
  fileprivate func integer(from start: Int, to end: Int) -> UInt64 {
    if end &- start >= 8 {
      return unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self).bigEndian
    }
    var integer: UInt64 = 0
    for offset in 0..<8 {
      let byte =
        start &+ offset < end
        ? unsafeLoad(fromUncheckedByteOffset: start &+ offset, as: UInt8.self) : 0
      integer = integer &<< 8 | UInt64(byte)
    }
    return integer
  }
}

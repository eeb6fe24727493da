import DocumentModel
import OrderedStore
import StorageFormat

/// Which keys of a damaged store can be read, and vouched for.
///
/// Where a block can't be read, it may have held newer values of keys that are elsewhere, too, or
/// that these were deleted. So all that lies in the block's range is taken for unreadable with it.
struct ReadableKeys {
  /// Keys in a row, all of which can be read.
  private struct Stretch {
    let first: [UInt8]
    let last: [UInt8]

    var range: KeyRange { KeyRange(lower: first, upper: last + [0]) }
  }

  /// What can't be read: all between two keys that can; `nil` is an end of the store.
  struct Gap {
    let after: [UInt8]?
    let before: [UInt8]?
  }

  private let snapshot: any StoreSnapshot
  private var stretches: [Stretch] = []
  private(set) var gaps: [Gap] = []

  /// Reads all of a snapshot.
  ///
  /// - Complexity: every key, one by one, and a seek for each that is in the range of what can't be
  ///   read.
  /// - Throws: what the store reports, but for damage.
  init(_ snapshot: any StoreSnapshot) throws(StoreError) {
    self.snapshot = snapshot
    var (start, isBehindDamage): ([UInt8]?, Bool) = ([], false)
    while let key = start {
      // Once a cursor has met damage, it can't tell of more.
      let cursor = try snapshot.makeCursor()
      if try cursor.seekReadable(to: key) {
        isBehindDamage = true
        start = try ReadableKeys.key(behind: key, cursor)
        continue
      }
      if isBehindDamage { addGap(before: cursor.isValid ? [UInt8](copying: cursor.key) : nil) }
      guard cursor.isValid else { return }
      (start, isBehindDamage) = try addStretch(cursor)
    }
    if isBehindDamage { addGap(before: nil) }
  }

  private mutating func addGap(before key: [UInt8]?) {
    gaps.append(Gap(after: stretches.last?.last, before: key))
  }

  /// Adds the keys from that under the cursor up to the last before damage.
  ///
  /// - Returns: the next key that is known, and whether there is damage before it.
  private mutating func addStretch(
    _ cursor: any StoreCursor
  ) throws(StoreError) -> (next: [UInt8]?, isBehindDamage: Bool) {
    let first = [UInt8](copying: cursor.key)
    var last = first
    defer { stretches.append(Stretch(first: first, last: last)) }
    while true {
      var next: [UInt8]?
      do throws(StoreError) {
        try cursor.next()
        guard cursor.isValid else { return (nil, false) }
        next = [UInt8](copying: cursor.key)
        try cursor.checkReads()
      } catch {
        guard error.code == .corrupt else { throw error }
        return (next, true)
      }
      if let next { last = next }
    }
  }

  /// A key above `key`, that which a cursor that met damage knows; `nil` at the end.
  private static func key(
    behind key: [UInt8], _ cursor: any StoreCursor
  ) throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      if cursor.isValid, cursor.key.compare(key.span.bytes) == .equal { try cursor.next() }
    } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
    return cursor.isValid ? [UInt8](copying: cursor.key) : nil
  }

  // MARK: Reading

  func contains(_ key: [UInt8]) -> Bool {
    stretches.contains { $0.range.contains(key.span.bytes) }
  }

  /// Calls `body` with the entries of `range` that can be read, in order.
  func forEachEntry(
    in range: KeyRange, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
  ) throws {
    for stretch in stretches {
      let part = range.intersection(stretch.range)
      guard !part.isEmpty else { continue }
      try snapshot.forEachEntry(in: part) { key, value in
        try body(key, value)
        // A step from the last key is one into what can't be read.
        return key.compare(stretch.last.span.bytes) != .equal
      }
    }
  }
}

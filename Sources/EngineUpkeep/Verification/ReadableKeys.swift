import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The keys of a damaged store that can be read and trusted.
///
/// A block that can't be read may have held newer values of keys that are in other blocks too, or
/// their deletions. So all keys in the block's range count as unreadable.
struct ReadableKeys {
  /// A run of keys, all of which can be read.
  private struct Stretch {
    let first: [UInt8]
    let last: [UInt8]

    var range: KeyRange { KeyRange(lower: first, upper: last + [0]) }
  }

  /// An unreadable range between two keys that can be read; `nil` for an end of the store.
  struct Gap {
    let after: [UInt8]?
    let before: [UInt8]?
  }

  private let snapshot: any StoreSnapshot
  private var stretches: [Stretch] = []
  private(set) var gaps: [Gap] = []

  /// Reads all keys of a snapshot.
  ///
  /// - Complexity: every key, one by one, and a seek for each key in an unreadable range.
  /// - Throws: errors of the store other than damage.
  init(_ snapshot: any StoreSnapshot) throws(StoreError) {
    self.snapshot = snapshot
    var (start, isBehindDamage): ([UInt8]?, Bool) = ([], false)
    while let key = start {
      // Once a cursor has met damage, it can't detect more.
      let cursor = try snapshot.makeCursor()
      if try cursor.seekReadable(to: key) {
        isBehindDamage = true
        start = try ReadableKeys.key(after: key, cursor)
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

  /// Adds the keys from the cursor's key up to the last one before damage.
  ///
  /// - Returns: the next known key, and whether there is damage before it.
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

  /// Returns a key above `key` that a cursor knows after it met damage; `nil` at the end.
  private static func key(
    after key: [UInt8], _ cursor: any StoreCursor
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

  /// Calls `body` with the readable entries of `range` in order.
  func forEachEntry(
    in range: KeyRange, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
  ) throws {
    for stretch in stretches {
      let part = range.intersection(stretch.range)
      guard !part.isEmpty else { continue }
      try snapshot.forEachEntry(in: part) { key, value in
        try body(key, value)
        // A step from the last key would lead into the unreadable range.
        return key.compare(stretch.last.span.bytes) != .equal
      }
    }
  }
}

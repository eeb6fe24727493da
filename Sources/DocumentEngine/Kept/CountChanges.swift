import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The changes that the requests of a commit make to kept counts, by key. A change that would make
/// a count negative is a fault.
package struct CountChanges: Derivation {
  private struct Change {
    var difference = 0
    /// The stored count; `nil` until it was read.
    var before: Int?

    /// Returns the count after the change; `nil` if it is negative or too large.
    func after(_ before: Int) -> Int? {
      let (after, overflow) = before.addingReportingOverflow(difference)
      return overflow || after < 0 ? nil : after
    }
  }

  private let extent: CountedExtent
  private var changes: [[UInt8]: Change] = [:]
  /// All additions in order, so that they can be taken back.
  private var additions: [(key: [UInt8], number: Int)] = []
  /// The counts that change, with their new values, in the order of their keys. Empty until the
  /// commit is sealed.
  private(set) var results: [(key: [UInt8], count: Int)] = []

  init(_ view: ReadView) throws { extent = try CountedExtent(view) }

  package mutating func add(_ number: Int, to key: [UInt8]) {
    changes[key, default: Change()].difference &+= number
    additions.append((key, number))
  }

  /// Number of additions.
  var mark: Int { additions.count }

  mutating func note(
    _ change: DocumentChange, _ catalog: Catalog, into batch: inout StoreBatch,
    since start: StoreBatch.Mark
  ) {
    guard !catalog.tunings.counts.isEmpty, let id = change.path.collectionID else { return }
    for counts in catalog.counts(of: id) where extent.holds(change.path, in: counts) {
      let encoder = ValueEncoder(own: catalog.databaseID)
      let old = change.old.flatMap { counts.key(of: $0, encoder) }
      let new = change.new.flatMap { counts.key(of: $0, encoder) }
      guard old != new else { continue }
      if let old { add(-1, to: old) }
      if let new { add(1, to: new) }
    }
  }

  /// - Throws: `dataLoss` if a stored count can't be read, or would become negative.
  mutating func check(since mark: Int, in view: ReadView) throws {
    for (key, _) in additions[mark...] {
      guard var change = changes[key] else { continue }
      let before = try change.before ?? stored(key, in: view)
      if change.before == nil {
        change.before = before
        changes[key] = change
      }
      guard change.after(before) == nil else { continue }
      throw damaged(
        "\(view.catalog.describe(key)) is \(before), fewer than the documents that go.")
    }
  }

  private func stored(_ key: [UInt8], in view: ReadView) throws -> Int {
    view.recorder?.record { $0.insert(key) }
    do {
      return try view.keptCount(at: key)
    } catch let error as CorruptBytes {
      throw damaged("\(view.catalog.describe(key)) can't be read: \(error)")
    }
  }

  private func damaged(_ what: String) -> DatabaseError {
    .damaged("\(what) Drop these counts and keep them again.")
  }

  mutating func rollBack(to mark: Int) {
    for (key, number) in additions[mark...] { changes[key]?.difference &-= number }
    additions.removeSubrange(mark...)
  }

  /// Calls `body` with the key of each addition since `mark`.
  func forEachKey(since mark: Int, _ body: ([UInt8]) -> Void) {
    for (key, _) in additions[mark...] { body(key) }
  }

  /// Whether a request so far changes a count that was read.
  func touches(_ reads: ReadSet.Merged) -> Bool {
    changes.contains { $0.value.difference != 0 && reads.contains($0.key.span.bytes) }
  }

  /// Appends each count that changes. The changes that all requests make to one count are one
  /// write.
  mutating func seal(into batch: inout StoreBatch) {
    guard !changes.isEmpty else { return }
    results = changes.compactMap { key, change in
      guard change.difference != 0, let before = change.before else { return nil }
      return change.after(before).map { (key, $0) }
    }
    results.sort { $0.key.lexicographicallyPrecedes($1.key) }
    for (key, count) in results {
      if count == 0 {
        batch.delete(key)
      } else {
        batch.put(key, StorageKey.numberValue(UInt64(count)))
      }
    }
  }
}

extension ReadView {
  /// Returns the count under a key; 0 if there is none.
  func keptCount(at key: [UInt8]) throws -> Int {
    if let count = caches.counts?.count(key, at: commitNumber) { return count }
    let count = try storedCount(at: key)
    caches.counts?.insert(count, key, readAt: commitNumber)
    return count
  }

  private func storedCount(at key: [UInt8]) throws -> Int {
    guard let bytes = try snapshot.value(of: key) else { return 0 }
    let number = try StorageKey.number(of: bytes.span.bytes)
    guard let count = Int(exactly: number) else { throw CorruptBytes("count", at: 0) }
    return count
  }
}

package import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
package import HearthStorageFormat

extension KeptCounts {
  /// Returns the key of the count that includes a document; `nil` if the document lacks one of the
  /// fields.
  package func key(of document: StoredDocument, _ encoder: ValueEncoder) -> [UInt8]? {
    var key = prefix(collection: document.collectionNumber)
    for field in definition.fields {
      guard let value = document.fields[field] else { return nil }
      encoder.append(value, .ascending, to: &key)
    }
    return key
  }

  /// Returns the key of the count of documents with the given values, in the order of the fields;
  /// `nil` if the key holds only a part of a value, and so counts documents with other values too.
  func key(
    collection: UInt64, values: some Sequence<Value>, _ encoder: ValueEncoder
  ) -> [UInt8]? {
    var key = prefix(collection: collection)
    for value in values {
      guard !encoder.append(value, .ascending, to: &key) else { return nil }
    }
    return key
  }

  private func prefix(collection: UInt64) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(48)
    StorageKey.appendKeptCountPrefix(
      id: id, collection: definition.scope == .collection ? collection : nil, to: &key)
    return key
  }
}

/// The documents that kept counts include already: all, or those that the first counting has
/// passed.
package struct CountedExtent {
  /// The keys, in the group's key index, at which the documents begin that the first counting has
  /// not passed, by the id of the counts.
  private var checkpoints: [UInt64: [UInt8]] = [:]

  package init(_ view: ReadView) throws {
    for counts in view.catalog.tunings.counts where counts.state == .creating {
      let key = StorageKey.checkpoint(countsID: counts.id)
      checkpoints[counts.id] = try view.snapshot.value(of: key)
    }
  }

  package func holds(_ path: ResourcePath, in counts: KeptCounts) -> Bool {
    switch counts.state {
    case .ready: true
    case .retiring: false
    case .creating:
      checkpoints[counts.id].map {
        StorageKey.groupName(of: path).byteCompare($0) == .less
      } ?? false
    }
  }
}

/// The changes of kept counts, by key. A change that would make a count negative is a fault.
package struct CountChanges {
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

  private var changes: [[UInt8]: Change] = [:]
  /// All additions in order, so that they can be taken back.
  private var additions: [(key: [UInt8], number: Int)] = []

  package mutating func add(_ number: Int, to key: [UInt8]) {
    changes[key, default: Change()].difference &+= number
    additions.append((key, number))
  }

  /// A mark to go back to, the number of additions.
  var mark: Int { additions.count }

  /// Takes back the additions since `mark`.
  mutating func removeAll(since mark: Int) {
    for (key, number) in additions[mark...] { changes[key]?.difference &-= number }
    additions.removeSubrange(mark...)
  }

  /// Calls `wrong` with each count that the additions since `mark` make impossible.
  ///
  /// - Parameter stored: reads a stored count. Called once for each.
  mutating func check(
    since mark: Int, stored: (_ key: [UInt8]) throws -> Int,
    wrong: (_ key: [UInt8], _ before: Int) throws -> Void
  ) throws {
    for (key, _) in additions[mark...] {
      guard var change = changes[key] else { continue }
      let before = try change.before ?? stored(key)
      if change.before == nil {
        change.before = before
        changes[key] = change
      }
      if change.after(before) == nil { try wrong(key, before) }
    }
  }

  /// The counts that change, with their new values. All have been checked.
  var results: [(key: [UInt8], count: Int)] {
    changes.compactMap { key, change in
      guard change.difference != 0, let before = change.before else { return nil }
      return change.after(before).map { (key, $0) }
    }
  }

  /// The keys of the counts that change.
  var changedKeys: some Sequence<[UInt8]> {
    changes.lazy.filter { $0.value.difference != 0 }.map(\.key)
  }
}

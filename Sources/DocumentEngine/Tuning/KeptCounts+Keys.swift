import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

extension KeptCounts {
  /// The key of the count that a document is part of; `nil` if it lacks one of the fields.
  func key(of document: StoredDocument, _ encoder: ValueEncoder) -> [UInt8]? {
    var key = prefix(collection: document.collectionNumber)
    for field in definition.fields {
      guard let value = document.fields[field] else { return nil }
      encoder.append(value, .ascending, to: &key)
    }
    return key
  }

  /// The key of the count of documents with the given values, in the order of the fields; `nil`
  /// where the key holds only a part of a value, and so counts documents with other ones too.
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

/// Which documents kept counts hold already: all, or those that the first counting has passed.
struct CountedExtent {
  /// What the first counting has not passed begins here, in the key index of the group; by the id
  /// of counts that are being made.
  private var checkpoints: [UInt64: [UInt8]] = [:]

  init(_ view: ReadView) throws {
    for counts in view.catalog.tunings.counts where counts.state == .creating {
      let key = StorageKey.checkpoint(countsID: counts.id)
      checkpoints[counts.id] = try view.snapshot.value(of: key)
    }
  }

  func holds(_ path: ResourcePath, in counts: KeptCounts) -> Bool {
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

/// What is added to kept counts, by key; less than nothing is taken from them.
struct CountChanges {
  private struct Change {
    var difference = 0
    /// The count as it is stored, once it was read.
    var before: Int?

    /// What the count becomes; `nil` for nothing that a count can be.
    func after(_ before: Int) -> Int? {
      let (after, overflow) = before.addingReportingOverflow(difference)
      return overflow || after < 0 ? nil : after
    }
  }

  private var changes: [[UInt8]: Change] = [:]
  /// All that was added, in order, to be taken back.
  private var additions: [(key: [UInt8], number: Int)] = []

  mutating func add(_ number: Int, to key: [UInt8]) {
    changes[key, default: Change()].difference &+= number
    additions.append((key, number))
  }

  /// How much was added, to go back to.
  var mark: Int { additions.count }

  /// Takes back what was added since `mark`.
  mutating func removeAll(since mark: Int) {
    for (key, number) in additions[mark...] { changes[key]?.difference &-= number }
    additions.removeSubrange(mark...)
  }

  /// Calls `wrong` with a count that what was added since `mark` makes impossible.
  ///
  /// - Parameter stored: reads a count; called once for each.
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

  /// The counts that become others, each with what it becomes; all have been checked.
  var results: [(key: [UInt8], count: Int)] {
    changes.compactMap { key, change in
      guard change.difference != 0, let before = change.before else { return nil }
      return change.after(before).map { (key, $0) }
    }
  }

  /// The keys of counts that become others.
  var changedKeys: some Sequence<[UInt8]> {
    changes.lazy.filter { $0.value.difference != 0 }.map(\.key)
  }
}

package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

extension Engine {
  /// Turns the keeping of sums of index entries on or off. When it is turned on, the existing
  /// entries are summed before this returns.
  ///
  /// - Complexity: every document and entry is read once.
  /// - Throws: the same as `countSums`.
  package func keepSums(
    _ keepsSums: Bool, _ progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) {
    try commitExclusively { draft in
      guard draft.catalog.tunings.keepsSums != keepsSums else { return }
      draft.updateTunings { $0.keepsSums = keepsSums }
    }
    if keepsSums { try countSums(progress) }
  }

  /// Sums the entries that have come in line with the documents since the last call: those of
  /// indexes that were built or changed, or all after a repair.
  ///
  /// It reads one view of the database while writers go on. They record the difference from that
  /// view, and both together are the sums. If it is interrupted, it begins again with the next
  /// call.
  ///
  /// - Parameter progress: called now and then with the number of documents read.
  /// - Complexity: every document is read once, and every entry of these indexes. If all of them
  ///   are composite indexes, only their entries are made.
  /// - Throws: `dataLoss` for bytes that can't be read; `failedPrecondition` if the database is
  ///   closed.
  package func countSums(_ progress: (Int) -> Void = { _ in }) throws(DatabaseError) {
    try process.check()
    try buildState.summing.take { () throws(DatabaseError) in try countSumsAlone(progress) }
  }

  private func countSumsAlone(_ progress: (Int) -> Void) throws(DatabaseError) {
    while lacksSums {
      let count = try commitExclusively { draft -> SumCount? in
        let spaces = draft.derived.sums.table.incompleteSpaces(of: draft.catalog)
        guard !spaces.isEmpty else { return nil }
        draft.derived.sums.begin(spaces, with: draft.commitNumber)
        return SumCount(draft.view, spaces, begun: draft.commitNumber)
      }
      guard var count else { return }
      try count.run(buildState, progress)
      try commitExclusively { [count] draft in
        draft.derived.sums.complete(
          count.spaces, begun: count.begun, ofDocuments: count.ofDocuments,
          ofBatches: count.ofBatches)
      }
    }
  }
}

/// Sums the entries of one view.
private struct SumCount: Sendable {
  let spaces: [EntrySpace]
  let begun: UInt64
  private(set) var ofDocuments = SumTally()
  /// The sums of the stored entries, which stand for all batches before the view.
  private(set) var ofBatches = SumTally()
  private let view: ReadView
  /// The indexes of the spaces, if all are composite indexes. Then only documents of their groups
  /// have entries, and only these are made.
  private let composites: [CompositeIndex]?

  init(_ view: ReadView, _ spaces: [EntrySpace], begun: UInt64) {
    self.view = view
    self.spaces = spaces
    self.begun = begun
    let all = view.catalog.indexes.composites + view.catalog.timesToLive.map(\.index)
    let due = all.filter { spaces.contains(.composite($0.id)) }
    composites = due.count == spaces.count ? due : nil
  }

  mutating func run(_ state: BuildState, _ progress: (Int) -> Void) throws(DatabaseError) {
    try reportingErrors {
      try addDocuments(state, progress)
      try addEntries(state)
    }
  }

  private mutating func addDocuments(_ state: BuildState, _ progress: (Int) -> Void) throws {
    let documents = KeyRange.prefix(StorageKey.documentsPrefix)
    var count = 0
    try view.snapshot.forEachEntry(in: documents) { key, value in
      let number = try StorageKey.documentNumber(of: key)
      try add(DocumentRecord(value, own: view.databaseID), number)
      count += 1
      if count % 1000 == 0 {
        guard !state.isStopped else { throw IndexBuilds.interruption }
        progress(count)
      }
      return true
    }
  }

  private mutating func add(_ record: DocumentRecord, _ number: UInt64) throws {
    let parent = record.path.parent
    let due = composites?.filter { index in
      parent.lastSegment.map { index.definition.collectionGroup.utf8Equal($0) } ?? false
    }
    if let due, due.isEmpty { return }
    guard let collection = try view.collectionNumber(of: parent) else {
      throw DatabaseError.damaged("The collection of \(record.path) has no number.")
    }
    let stored = StoredDocument(
      number: number, collectionNumber: collection, document: try record.document())
    guard let due else {
      try stored.forEachExpectedEntry(view.catalog, .complete) { key, value throws(CorruptBytes) in
        guard let space = try EntrySpace(ofKey: key) else { return }
        ofDocuments.add(EntrySum(ofEntry: key, value), in: space)
      }
      return
    }
    for index in due {
      let entries = IndexEntries(of: stored, catalog: view.catalog, .composite(index)).list()
      for place in 0..<entries.count {
        let sum = EntrySum(
          ofEntry: entries.key(place).span.bytes, entries.value(place).span.bytes)
        ofDocuments.add(sum, in: .composite(index.id))
      }
    }
  }

  private mutating func addEntries(_ state: BuildState) throws {
    var count = 0
    for space in spaces {
      try view.snapshot.forEachEntry(in: .prefix(space.prefix)) { key, value in
        ofBatches.add(EntrySum(ofEntry: key, value), in: space)
        count += 1
        guard count % 10_000 != 0 || !state.isStopped else { throw IndexBuilds.interruption }
        return true
      }
    }
  }
}

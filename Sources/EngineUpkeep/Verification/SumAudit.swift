import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// Compares the kept sums with each other and with the stored entries.
struct SumAudit {
  private let view: ReadView
  private let table: SumTable
  private var ofDocuments = SumTally()
  private var ofEntries = SumTally()

  init(_ view: ReadView) throws {
    self.view = view
    table = try SumTable.read(view.snapshot)
  }

  var isEmpty: Bool { table.isEmpty }

  /// The spaces whose sums are complete.
  var completeSpaces: [EntrySpace] {
    table.spaces.filter { table[$0]?.isComplete == true }
  }

  /// The spaces whose two sums differ.
  var differingSpaces: [EntrySpace] {
    completeSpaces.filter { table[$0].map { $0.ofDocuments != $0.ofBatches } ?? false }
  }

  /// The spaces that could have sums but aren't counted yet.
  var uncountedSpaces: [EntrySpace] {
    table.incompleteSpaces(of: view.catalog)
  }

  mutating func addExpected(_ key: [UInt8], _ value: [UInt8]) throws(CorruptBytes) {
    guard let space = try EntrySpace(ofKey: key.span.bytes) else { return }
    ofDocuments.add(EntrySum(ofEntry: key.span.bytes, value.span.bytes), in: space)
  }

  mutating func addStored(_ key: RawSpan, _ value: RawSpan) throws(CorruptBytes) {
    guard let space = try EntrySpace(ofKey: key) else { return }
    ofEntries.add(EntrySum(ofEntry: key, value), in: space)
  }

  /// The spaces with a sum that differs from the sum of all added entries.
  var wrongSpaces: [EntrySpace] {
    completeSpaces.filter { space in
      table[space]?.ofDocuments != ofDocuments[space] || table[space]?.ofBatches != ofEntries[space]
    }
  }

  /// Returns a space in words.
  func describe(_ space: EntrySpace) -> String {
    switch space {
    case .names: return "names in collections"
    case .groupNames: return "names in collection groups"
    case .automatic: return "single-field indexes of collections"
    case .groupAutomatic: return "single-field indexes of collection groups"
    case .composite(let id):
      if let index = view.catalog.indexes.composites.first(where: { $0.id == id }) {
        return "index \(index.definition) of \(index.definition.collectionGroup)"
      }
      let policy = view.catalog.timesToLive.first { $0.index.id == id }
      return policy.map { "time to live of \($0.collectionGroup) by \($0.field)" } ?? "index \(id)"
    }
  }
}

import HearthDocumentModel
package import HearthOrderedStore
import HearthQueryPlanning
package import HearthStorageFormat

/// Sums over some entries, space by space.
package struct SumTally: Sendable {
  private var names = EntrySum()
  private var groupNames = EntrySum()
  private var automatic = EntrySum()
  private var groupAutomatic = EntrySum()
  private var composites: [(id: UInt64, sum: EntrySum)] = []
  /// The place in `composites` of the last entry. The entries of one index come in a row.
  private var place = 0

  package init() {}

  package mutating func add(_ entry: EntrySum, in space: EntrySpace) {
    update(space) { $0 += entry }
  }
  package mutating func subtract(_ entry: EntrySum, in space: EntrySpace) {
    update(space) { $0 -= entry }
  }

  private mutating func update(_ space: EntrySpace, _ body: (inout EntrySum) -> Void) {
    switch space {
    case .names: body(&names)
    case .groupNames: body(&groupNames)
    case .automatic: body(&automatic)
    case .groupAutomatic: body(&groupAutomatic)
    case .composite(let id):
      if place >= composites.count || composites[place].id != id {
        place = composites.firstIndex { $0.id == id } ?? composites.count
        if place == composites.count { composites.append((id, EntrySum())) }
      }
      body(&composites[place].sum)
    }
  }

  package subscript(space: EntrySpace) -> EntrySum {
    switch space {
    case .names: names
    case .groupNames: groupNames
    case .automatic: automatic
    case .groupAutomatic: groupAutomatic
    case .composite(let id): composites.first { $0.id == id }?.sum ?? EntrySum()
    }
  }

  /// The spaces with a sum that may not be zero.
  var spaces: [EntrySpace] {
    [.names, .groupNames, .automatic, .groupAutomatic] + composites.map { .composite($0.id) }
  }
}

/// The kept sums of the spaces whose entries are in line with the documents.
///
/// Each space has two sums, made by code that has little in common. One is made from the documents
/// before and after each commit, with all of their entries made anew as a check makes them. The
/// other is made from the operations that a commit batches, which concern only the entries that
/// differ between two versions. While both agree, no write has forgotten an entry or left one
/// behind.
package struct SumTable: Sendable {
  private var sums: [EntrySpace: EntrySums] = [:]

  package init() {}

  package var isEmpty: Bool { sums.isEmpty }
  /// The spaces with sums, in the order of their keys.
  package var spaces: [EntrySpace] { SumTable.ordered(sums.keys) }

  package subscript(space: EntrySpace) -> EntrySums? {
    get { sums[space] }
    set { sums[space] = newValue }
  }

  /// Returns the number of entries in a space; `nil` if its sums aren't kept, aren't complete
  /// yet, or differ.
  package func entryCount(in space: EntrySpace) -> Int? {
    guard let sums = sums[space], sums.isComplete, sums.ofDocuments == sums.ofBatches else {
      return nil
    }
    return Int(exactly: sums.ofBatches.count)
  }

  /// Returns the spaces that `catalog` keeps in line with the documents and whose sums are missing
  /// or incomplete, in the order of their keys.
  package func incompleteSpaces(of catalog: Catalog) -> [EntrySpace] {
    SumTable.ordered(catalog.summedSpaces.filter { sums[$0]?.isComplete != true })
  }

  /// Returns the spaces in the order of their keys.
  static func ordered(_ spaces: some Sequence<EntrySpace>) -> [EntrySpace] {
    spaces.sorted { $0.prefix.lexicographicallyPrecedes($1.prefix) }
  }

  mutating func add(ofDocuments: SumTally, ofBatches: SumTally) {
    for space in ofDocuments.spaces where sums[space] != nil {
      sums[space]?.ofDocuments += ofDocuments[space]
    }
    for space in ofBatches.spaces where sums[space] != nil {
      sums[space]?.ofBatches += ofBatches[space]
    }
  }

  mutating func keep(_ spaces: Set<EntrySpace>) {
    sums = sums.filter { spaces.contains($0.key) }
  }

  /// Puts the sums that differ from those in `old`, and deletes those that are gone.
  func appendChanges(from old: SumTable, into batch: inout StoreBatch) {
    for space in spaces {
      guard let sums = sums[space], sums != old[space] else { continue }
      batch.put { bytes in
        bytes += StorageKey.sums(of: space)
        let keyEnd = bytes.count
        sums.append(to: &bytes)
        return keyEnd
      }
    }
    for space in old.spaces where sums[space] == nil {
      batch.delete(StorageKey.sums(of: space))
    }
  }

  package static func read(_ snapshot: any StoreSnapshot) throws -> SumTable {
    var table = SumTable()
    try snapshot.forEachEntry(in: .prefix(StorageKey.sumsPrefix)) { key, value in
      table[try StorageKey.space(ofSums: key)] = try EntrySums(value)
      return true
    }
    return table
  }
}

extension Catalog {
  /// The spaces whose entries are in line with the documents, if sums are kept. Spaces of indexes
  /// that are being built, changed or given up are left out.
  package var summedSpaces: Set<EntrySpace> {
    guard tunings.keepsSums else { return [] }
    var spaces: Set<EntrySpace> = [.names, .groupNames]
    if !indexes.overrides.contains(where: isUnfinished) {
      spaces.formUnion([.automatic, .groupAutomatic])
    }
    for index in indexes.composites where index.state == .ready {
      let covering = tunings.covering[index.id]
      if covering == nil || covering == .ready { spaces.insert(.composite(index.id)) }
    }
    for policy in timesToLive where policy.index.state == .ready {
      spaces.insert(.composite(policy.index.id))
    }
    return spaces
  }
}

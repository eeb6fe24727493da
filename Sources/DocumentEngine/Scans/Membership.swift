import HearthDocumentModel
import HearthStorageFormat

/// The scans of a branch that are kept in memory, and are asked only whether they have a document.
/// A bit or a vector of numbers answers that for a hundredth of a seek.
struct Membership {
  /// All scans of the branch.
  let scans: [ScanBytes]
  /// The index of the branch in the plan.
  private let branch: Int
  /// The index of the scan whose entries carry their documents; `nil` if there is none.
  private let coveringScan: Int?
  let view: ReadView
  /// The contents of the scans that are asked; `nil` for the others.
  private var contents: [ScanContent?]
  private var testCounts: [Int]
  /// The key of the last entry that each scan was asked for, if reads are recorded.
  private var lastKeys: [[UInt8]]
  /// The scans in the store in which entries were looked up.
  private var found: [StoreScan] = []
  /// Whether any scan is asked.
  let isAsked: Bool

  /// - Parameter contents: the contents of the scans to ask; `nil` for the others; empty for none.
  init(
    _ contents: [ScanContent?], of scans: [ScanBytes], ofBranch branch: Int,
    covering coveringScan: Int?, in view: ReadView
  ) {
    self.scans = scans
    self.branch = branch
    self.coveringScan = coveringScan
    self.view = view
    isAsked = contents.contains { $0 != nil }
    self.contents = isAsked ? contents : []
    testCounts = self.contents.map { _ in 0 }
    lastKeys = self.contents.map { _ in [] }
  }

  // MARK: Asking

  /// Whether all scans have the document.
  ///
  /// - Parameter suffix: the entry's suffix, if reads are recorded; otherwise `nil`.
  mutating func contains(_ document: UInt64, at suffix: [UInt8]?) throws -> Bool {
    for index in contents.indices {
      if case nil = contents[index] { continue }
      if let suffix { lastKeys[index] = try scans[index].key(ofJoined: suffix) }
      testCounts[index] += 1
      guard contents[index]?.contains(document) ?? true else { return false }
    }
    return true
  }

  /// Removes the positions of documents that a scan doesn't have. It asks one scan after the other
  /// for all of them, which is quicker than all scans for one after the other.
  mutating func filter(_ positions: inout [Int], of entries: ScanEntries) {
    for index in contents.indices {
      switch contents[index] {
      case .documents(let bitmap)?:
        testCounts[index] += positions.count
        positions.removeAll { !bitmap.contains(entries.documents[$0]) }
      case .entries(let run)?:
        testCounts[index] += positions.count
        positions.removeAll { !run.contains(entries.documents[$0]) }
      case nil: break
      }
    }
  }

  /// Asks the scan at this index of the branch no more, and returns a cursor over it. The result
  /// still depends on the entries that it was asked for.
  mutating func release(_ index: Int) throws -> StoreScan {
    contents[index] = nil
    return try open(index)
  }

  /// Returns a new cursor over the scan at this index of the branch.
  func open(_ index: Int, lendingTo lender: ScanCache? = nil) throws -> StoreScan {
    try StoreScan(
      scans[index], at: ScanPlace(branch: branch, scan: index), in: view,
      carryingDocuments: index == coveringScan, lendingTo: lender)
  }

  // MARK: Looking up

  /// Returns the value of a field in the entry with this suffix, which is known from memory only.
  ///
  /// - Complexity: a seek.
  mutating func value(
    of field: FieldPath, at suffix: [UInt8]
  ) throws -> (isHeld: Bool, value: Value?) {
    guard let index = scans.firstIndex(where: { $0.layout.column(of: field) != nil }) else {
      return (false, nil)
    }
    var deadline = Deadline(nil)
    let known = found.first { $0.place.scan == index }
    let scan = try known ?? open(index)
    if known == nil {
      found.append(scan)
      _ = try scan.next(&deadline)
    }
    if try !scan.stands(at: suffix) {
      _ = try scan.advance(toSuffix: suffix, stepLimit: 0, &deadline)
    }
    guard try scan.stands(at: suffix) else {
      throw DatabaseError.damaged("An index entry that is kept in memory is not in the store.")
    }
    return try scan.value(of: field)
  }

  // MARK: The end

  func checkReads() throws {
    for scan in found { try scan.checkReads() }
  }

  /// Adds the keys of each scan up to the last entry that it was asked for.
  func appendReads(to reads: inout ReadSet) {
    for (scan, key) in zip(scans, lastKeys) where !key.isEmpty {
      scan.appendReads(through: key, to: &reads)
    }
  }

  func forEachWork(_ body: (ScanPlace, ScanStatistics) -> Void) {
    for (index, count) in testCounts.enumerated() {
      body(ScanPlace(branch: branch, scan: index), ScanStatistics(testCount: count))
    }
    for scan in found { scan.forEachWork(body) }
  }
}

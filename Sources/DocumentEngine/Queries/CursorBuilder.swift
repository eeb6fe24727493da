import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// Makes the cursor of a plan over the entries of a view.
///
/// All choices between one scan and several, and between memory and the store, are made here. The
/// caches are asked once.
struct CursorBuilder {
  private let query: PlannedQuery
  private let view: ReadView
  private let encoder: ValueEncoder
  /// The number of the plan's collection, for a collection query.
  private let collectionNumber: UInt64?
  /// The indices of the branches that can have results.
  private let branches: [Int]
  /// Whether some entries carry their documents.
  let carriesDocuments: Bool

  init(_ query: PlannedQuery, in view: ReadView) throws {
    self.query = query
    self.view = view
    encoder = ValueEncoder(own: view.databaseID)
    let plan = query.plan
    var number = query.prepared?.collectionNumber
    var isEmpty = false
    if number == nil, case .collection(let path) = plan.source {
      number = try view.collectionNumber(of: path)
      // A collection in which no document was ever written has no entries at all.
      isEmpty = number == nil
    }
    collectionNumber = number
    branches = isEmpty ? [] : plan.branches.indices.filter { !plan.branches[$0].isEmpty }
    carriesDocuments = branches.contains { view.coveringScan(of: plan.branches[$0]) != nil }
  }

  /// Whether the plan can't have results.
  var isEmpty: Bool { branches.isEmpty }

  /// Returns the cursor of the plan; `nil` if there can't be results.
  ///
  /// - Parameter fetching: whether documents are needed too. If entries carry them, the entries in
  ///   the store are better than memory, which knows only which entries exist.
  func makeCursor(fetching: Bool) throws -> (any EntryCursor)? {
    guard branches.count > 1 else {
      return try branches.first.map { try makeCursor(of: self.scans(of: $0), of: $0, fetching) }
    }
    let lists = branches.map { scans(of: $0) }
    let keys = zip(branches, lists).map { branch, scans in
      UnionKeys(of: query.plan.branches[branch], query.plan.orders, encoder, scans)
    }
    let mayRecheck = lists.joined().contains(where: \.hasCutBound)
    return Union(keys, mayRecheck: mayRecheck) {
      try makeCursor(of: lists[$0], of: branches[$0], fetching)
    }
  }

  // MARK: A branch

  private func makeCursor(
    of scans: [ScanBytes], of branch: Int, _ fetching: Bool
  ) throws -> any EntryCursor {
    if case .everyCollection(below: let parent, let allDescendants) = query.plan.source {
      return try NameWalk(
        query.plan.branches[branch], at: ScanPlace(branch: branch, scan: 0), below: parent,
        allDescendants: allDescendants, encoder: encoder, in: view)
    }
    guard usesMemory(scans, of: branch, fetching), let cache = view.caches.scans else {
      return try walk(scans, of: branch)
    }
    var (contents, stamps) = cache.contents(
      of: scans.lazy.map(\.prefix), at: view.commitNumber)
    let kept = contents.indices.filter { contents[$0] != nil }
    let smallest = kept.min { contents[$0].size < contents[$1].size }
    guard let smallest, kept.count == scans.count else {
      let reserve = smallest.map { (scan: $0, entryCount: contents[$0].size) }
      return try walk(scans, of: branch, asking: contents, reserve, lendingTo: cache)
    }
    let content = contents[smallest]
    contents[smallest] = nil
    guard case .entries(let entries)? = content, scans[smallest].filter == nil else {
      return try walk(scans, of: branch, asking: contents, lendingTo: cache)
    }
    return MemoryScan(
      entries, at: ScanPlace(branch: branch, scan: smallest),
      asking: Membership(contents, of: scans, ofBranch: branch, covering: nil, in: view),
      stamps: stamps)
  }

  /// Returns a cursor that walks the scans that have no kept contents, and asks the others.
  private func walk(
    _ scans: [ScanBytes], of branch: Int, asking contents: [ScanContent?] = [],
    _ reserve: (scan: Int, entryCount: Int)? = nil, lendingTo lender: ScanCache? = nil
  ) throws -> any EntryCursor {
    let kept = Membership(
      contents, of: scans, ofBranch: branch,
      covering: view.coveringScan(of: query.plan.branches[branch]), in: view)
    guard scans.count > 1 else { return try kept.open(0, lendingTo: lender) }
    let walked = scans.indices.filter { contents.isEmpty || contents[$0] == nil }
    return Intersection(
      walking: try walked.map { try kept.open($0) }, asking: kept, reserve: reserve,
      lendingTo: lender)
  }

  /// Whether scans that are kept in memory may be used. They tell only which entries exist, and
  /// mostly that is enough.
  private func usesMemory(_ scans: [ScanBytes], of branch: Int, _ fetching: Bool) -> Bool {
    // The index of names is not among the entries that commits maintain in memory.
    guard case nil = query.plan.nearest, !scans.contains(where: \.hasCutBound),
      query.plan.branches[branch].scans.allSatisfy({ $0.source != .key })
    else { return false }
    if scans.count > 1 { return true }
    let isCovered = fetching && view.coveringScan(of: query.plan.branches[branch]) != nil
    return query.aggregatedFields.isEmpty && !isCovered
  }

  // MARK: Scans

  /// Returns the scans of a branch. A kindless query has none, since it reads names.
  private func scans(of branch: Int) -> [ScanBytes] {
    let source = query.plan.source
    if case .everyCollection = source { return [] }
    let branch = query.plan.branches[branch]
    return branch.scans.indices.map { index in
      let prepared = query.prepared?.scans[index]
      return ScanBytes(
        branch.scans[index], of: branch, source: source, collectionNumber: collectionNumber,
        encoder: encoder, prepared: (prepared?.layout, prepared?.indexPrefix))
    }
  }
}

extension ScanContent? {
  /// Number of documents; more than any number for contents that aren't kept.
  fileprivate var size: Int { self?.count ?? .max }
}

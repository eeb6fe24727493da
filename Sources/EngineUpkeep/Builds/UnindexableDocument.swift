import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning

/// The part of an error that says for which targets a document can't be indexed, and which must be
/// given up.
struct UnindexableDocument: DatabaseError.Details {
  let blamed: [BuildName]
}

extension Catalog {
  /// Returns the unfinished targets for which a document can't be indexed (§1.2): those whose own
  /// entry is too large, or else the newest of those whose entries are too many together.
  func targetsToBlame(for document: StoredDocument, in collectionGroup: String) -> [BuildName] {
    let unfinished = unfinishedTargets.filter { $0.collectionGroup.utf8Equal(collectionGroup) }
    let tooLarge = unfinished.filter { $0.makesTooLargeEntry(of: document, self) }
    guard tooLarge.isEmpty else { return tooLarge.map(\.name) }
    // It isn't recorded when an unfinished override began. One that adds entries is taken to be the
    // newest.
    let override = unfinished.first { target in
      if case .override(_, let building, _) = target { !building.isEmpty } else { false }
    }
    let newest = unfinished.last { if case .index = $0 { true } else { false } }
    return [override ?? newest].compactMap { $0?.name }
  }
}

extension BuildTarget {
  fileprivate func makesTooLargeEntry(of document: StoredDocument, _ catalog: Catalog) -> Bool {
    let selection: EntrySelection
    switch self {
    case .index(let index): selection = .composite(index)
    case .covering, .timeToLive: return false
    case .override(let override, let building, _):
      selection = .governed(by: OverrideName(override), building)
    }
    let entries = IndexEntries(of: document, catalog: catalog, selection).list()
    return entries.logicalSize.largestByteCount > Limits.indexEntryByteCount
  }
}

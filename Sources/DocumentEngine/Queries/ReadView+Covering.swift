import HearthQueryPlanning

extension ReadView {
  /// Returns the index of the branch's scan whose entries carry their documents, except for
  /// documents that are too long; `nil` if there is none.
  func coveringScan(of branch: Plan.Branch) -> Int? {
    guard !catalog.tunings.isEmpty, caches.settings.usesCoveringEntries else { return nil }
    return branch.scans.firstIndex { scan in
      guard case .composite(let id) = scan.source else { return false }
      return catalog.tunings.readsRecords(ofIndex: id)
    }
  }
}

import QueryPlanning

extension ReadView {
  /// The scan of a branch whose entries all carry their documents, as far as these aren't too long.
  func coveringScan(of branch: Plan.Branch) -> Int? {
    guard !catalog.tunings.isEmpty, caches.settings.usesCoveringEntries else { return nil }
    return branch.scans.firstIndex { scan in
      guard case .composite(let id) = scan.source else { return false }
      return catalog.tunings.readsRecords(ofIndex: id)
    }
  }
}

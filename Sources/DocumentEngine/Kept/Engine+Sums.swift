import HearthStorageFormat

extension Engine {
  /// Whether there are entries that are to be summed and aren't yet.
  package var lacksSums: Bool {
    !latest.catalog.tunings.keepsSums ? false : !uncountedSpaces.isEmpty
  }

  private var uncountedSpaces: [EntrySpace] {
    let (catalog, table) = latestSums
    return catalog.summedSpaces.filter { table[$0]?.isComplete != true }
  }
}

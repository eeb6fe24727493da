import HearthDocumentModel

// The order in which the Firebase tool writes an index file (§6.5). With it, Hearth and the tool
// write the same file for the same indexes.
extension IndexFile {
  /// The file in the order of the Firebase tool: indexes by collection group, scope and columns,
  /// overrides by collection group, time to live and field.
  public var sorted: IndexFile {
    IndexFile(
      composites: composites.sorted { $0.compareInFile($1) == .less },
      overrides: overrides.map { override in
        var override = override
        let present = Set(override.indexes)
        override.indexes = SingleFieldIndex.all.filter(present.contains)
        return override
      }
      .sorted { $0.compareInFile($1) == .less })
  }
}

extension IndexDefinition {
  /// Compares by the file's order: group scope before collection scope, and an index before longer
  /// ones that begin with its columns.
  fileprivate func compareInFile(_ other: IndexDefinition) -> Ordering {
    let order = collectionGroup.compareAsWord(other.collectionGroup)
    if order != .equal { return order }
    if scope != other.scope { return scope == .collectionGroup ? .less : .greater }
    let (fields, others) = (fieldsInFile, other.fieldsInFile)
    for (left, right) in zip(fields, others) {
      let order = left.compare(right)
      if order != .equal { return order }
    }
    return Ordering(fields.count, others.count)
  }

  private var fieldsInFile: [FieldInFile] {
    columns.map { FieldInFile(path: $0.field.description, rank: $0.mode.rankInFile) }
      + (vector.map {
        [FieldInFile(path: $0.field.description, rank: 3, dimension: $0.dimension)]
      } ?? [])
  }
}

/// One field of an index, in the form for comparison.
private struct FieldInFile {
  let path: String
  let rank: Int
  var dimension = 0

  func compare(_ other: FieldInFile) -> Ordering {
    let order = path.compareAsWord(other.path)
    if order != .equal { return order }
    return rank != other.rank
      ? Ordering(rank, other.rank) : Ordering(dimension, other.dimension)
  }
}

extension IndexMode {
  fileprivate var rankInFile: Int {
    switch self {
    case .ascending: 0
    case .descending: 1
    case .contains: 2
    }
  }
}

extension FieldIndexes {
  /// Compares by the file's order. Fields with a time to live come last: one is disabled before
  /// another is enabled.
  fileprivate func compareInFile(_ other: FieldIndexes) -> Ordering {
    let order = collectionGroup.compareAsWord(other.collectionGroup)
    if order != .equal { return order }
    let (isLast, isOtherLast) = (isTimeToLive == true, other.isTimeToLive == true)
    if isLast != isOtherLast { return isLast ? .greater : .less }
    return (field?.description ?? "*").compareAsWord(other.field?.description ?? "*")
  }
}

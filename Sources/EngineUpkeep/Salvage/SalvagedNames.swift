import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The names in the key index of a damaged database. They tell whether a document existed, if its
/// own record doesn't.
///
/// A document keeps its number until it is deleted, and no other document ever gets it. So a name
/// that has a higher number, or that was deleted after the document was last written, shows that
/// the document is gone.
final class SalvagedNames {
  enum Verdict {
    case exists
    case deleted
    case unknown
  }

  private let store: any SalvagedStore
  /// The collection that was looked up last. Documents in doubt often come many of one collection
  /// in a row.
  private var lastCollection: (path: ResourcePath, number: UInt64?)?
  private lazy var paths = Result { try collectionPaths() }

  init(_ store: any SalvagedStore) {
    self.store = store
  }

  /// Returns whether the document existed before the damage.
  ///
  /// - Parameter sequence: the sequence of a version of its record, or of a known name.
  func verdict(
    of path: ResourcePath, _ number: UInt64, since sequence: UInt64
  ) throws -> Verdict {
    var verdict = Verdict.unknown
    for key in try keys(of: path) {
      guard let version = try store.newestVersion(of: key) else { continue }
      guard let value = version.value else {
        if version.sequence > sequence { return .deleted }
        continue
      }
      guard let named = try? EntryValue.documentNumber(value.span.bytes) else { continue }
      if named > number { return .deleted }
      if named == number, version.doubt == nil { verdict = .exists }
    }
    return verdict
  }

  private func keys(of path: ResourcePath) throws -> [[UInt8]] {
    let groupKey = StorageKey.groupName(of: path)
    guard let id = path.lastSegment, let collection = try collectionNumber(of: path.parent) else {
      return [groupKey]
    }
    return [groupKey, StorageKey.name(collection: collection, id: id)]
  }

  private func collectionNumber(of path: ResourcePath) throws -> UInt64? {
    if let lastCollection, lastCollection.path == path { return lastCollection.number }
    let value = try store.newestVersion(of: StorageKey.collection(path))?.value
    // A number that can't be read names nothing.
    let number = value.flatMap { try? StorageKey.number(of: $0.span.bytes) }
    lastCollection = (path, number)
    return number
  }

  /// Calls `body` with each readable name. Passes its path, `nil` if the path of its collection is
  /// not known; the name in words; the document's number; and the version.
  ///
  /// - Complexity: every name twice, once for each scope.
  func forEachName(
    _ body: (_ path: ResourcePath?, _ words: String, UInt64, SalvagedVersion) throws -> Void
  ) throws {
    for prefix in [StorageKey.groupNamesPrefix, StorageKey.namesPrefix] {
      let range = KeyRange.prefix(prefix)
      try store.forEachVersion(from: range.lower, to: range.upper) { version in
        guard let value = version.value,
          let number = try? EntryValue.documentNumber(value.span.bytes)
        else { return true }
        if prefix == StorageKey.groupNamesPrefix {
          if let path = try? StorageKey.path(ofGroupName: version.key.span.bytes) {
            try body(path, path.description, number, version)
          }
        } else if let name = try? StorageKey.name(of: version.key.span.bytes) {
          let path = try paths.get()[name.collection]?.appending(unchecked: name.id)
          let words = path?.description ?? "document \(name.id) of collection \(name.collection)"
          try body(path, words, number, version)
        }
        return true
      }
    }
  }

  private func collectionPaths() throws -> [UInt64: ResourcePath] {
    let range = KeyRange.prefix(StorageKey.collectionsPrefix(below: .root))
    var paths: [UInt64: ResourcePath] = [:]
    try store.forEachVersion(from: range.lower, to: range.upper) { version in
      if let value = version.value, let number = try? StorageKey.number(of: value.span.bytes),
        let path = try? StorageKey.collectionPath(of: version.key.span.bytes)
      {
        paths[number] = path
      }
      return true
    }
    return paths
  }
}

package import HearthDocumentModel

/// The documents among which a query searches (§4.1).
package enum QuerySource: Sendable, Hashable {
  case collection(ResourcePath)
  /// All collections of an id below a document.
  case collectionGroup(String, below: ResourcePath)
  /// The collections of every id directly below a document, or at any depth: a kindless query.
  case everyCollection(below: ResourcePath, _ allDescendants: Bool)

  package var scope: QueryScope {
    switch self {
    case .collection, .everyCollection(_, false): .collection
    case .collectionGroup, .everyCollection(_, true): .collectionGroup
    }
  }

  /// The collection id; empty for `everyCollection`.
  package var collectionGroup: String {
    switch self {
    case .collection(let path): path.lastSegment ?? ""
    case .collectionGroup(let id, below: _): id
    case .everyCollection: ""
    }
  }
}

/// The position of a name among the documents of a query's source (§4.8).
enum NamePosition: Equatable {
  case beforeAll
  /// At the document of this name.
  case at(ResourcePath)
  /// Between this document and the next one.
  case after(ResourcePath)
  case afterAll
}

extension QuerySource {
  /// Whether the source contains the document at `path`.
  package func contains(_ path: ResourcePath) -> Bool {
    switch self {
    case .collection(let collection): path.parent == collection
    case .collectionGroup(let id, below: let ancestor):
      path.segments.count > ancestor.segments.count && path.hasPrefix(ancestor)
        && path.isDocument && path.collectionID?.utf8Equal(id) == true
    case .everyCollection(below: let ancestor, let allDescendants):
      path.isDocument && path.hasPrefix(ancestor)
        && (allDescendants
          ? path.segments.count > ancestor.segments.count
          : path.segments.count == ancestor.segments.count + 2)
    }
  }

  func position(of path: ResourcePath) -> NamePosition {
    switch self {
    case .collection(let collection):
      let depth = collection.segments.count
      guard path.hasPrefix(collection), path.segments.count > depth else {
        return path < collection ? .beforeAll : .afterAll
      }
      // A document below another one sorts directly after it (§2.3).
      return path.segments.count == depth + 1
        ? .at(path) : .after(ResourcePath(unchecked: Array(path.segments.prefix(depth + 1))))
    case .collectionGroup(_, below: let ancestor), .everyCollection(below: let ancestor, _):
      if path.hasPrefix(ancestor), path != ancestor { return .at(path) }
      return path <= ancestor ? .beforeAll : .afterAll
    }
  }

  /// Returns the part of a range of references that documents of the source can be in; `nil` if
  /// there is none. Its bounds are names below the source.
  func names(in range: ValueRange) -> ValueRange? {
    if case .reference(let name)? = range.point, !contains(name.path) { return nil }
    var result = ValueRange(.reference)
    if let lower = range.lower, case .reference(let name) = lower.value {
      switch position(of: name.path) {
      case .beforeAll: break
      case .at: result.lower = lower
      case .after(let path): result.lower = bound(path, name, isInclusive: false)
      case .afterAll: return nil
      }
    }
    if let upper = range.upper, case .reference(let name) = upper.value {
      switch position(of: name.path) {
      case .beforeAll: return nil
      case .at: result.upper = upper
      case .after(let path): result.upper = bound(path, name, isInclusive: true)
      case .afterAll: break
      }
    }
    return result.isEmpty ? nil : result
  }

  private func bound(
    _ path: ResourcePath, _ name: DocumentName, isInclusive: Bool
  ) -> ValueRange.Bound {
    ValueRange.Bound(
      .reference(DocumentName(unchecked: path, in: name.database)), isInclusive: isInclusive)
  }
}

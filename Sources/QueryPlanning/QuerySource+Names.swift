package import DocumentModel

/// Where a name stands among the documents that a query looks at (§4.8).
enum NamePosition: Equatable {
  case beforeAll
  /// On the name itself.
  case at(ResourcePath)
  /// Between the document and the one after it.
  case behind(ResourcePath)
  case behindAll
}

extension QuerySource {
  /// Whether a document of that name is one that the query looks at.
  package func contains(_ path: ResourcePath) -> Bool {
    switch self {
    case .collection(let collection): path.parent == collection
    case .collectionGroup(let id, below: let ancestor):
      path.segments.count > ancestor.segments.count && path.hasPrefix(ancestor)
        && path.isDocument && path.parent.lastSegment?.utf8Equal(id) == true
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
        return path < collection ? .beforeAll : .behindAll
      }
      // A document below another one sorts right behind it (§2.3).
      return path.segments.count == depth + 1
        ? .at(path) : .behind(ResourcePath(unchecked: Array(path.segments.prefix(depth + 1))))
    case .collectionGroup(_, below: let ancestor), .everyCollection(below: let ancestor, _):
      if path.hasPrefix(ancestor), path != ancestor { return .at(path) }
      return path <= ancestor ? .beforeAll : .behindAll
    }
  }

  /// The part of a range of references that documents of the source can lie in, its bounds being
  /// names below the source; `nil` where there is none.
  func names(in range: ValueRange) -> ValueRange? {
    if case .reference(let name)? = range.point, !contains(name.path) { return nil }
    var result = ValueRange(.reference)
    if let lower = range.lower, case .reference(let name) = lower.value {
      switch position(of: name.path) {
      case .beforeAll: break
      case .at: result.lower = lower
      case .behind(let path): result.lower = bound(path, name, isInclusive: false)
      case .behindAll: return nil
      }
    }
    if let upper = range.upper, case .reference(let name) = upper.value {
      switch position(of: name.path) {
      case .beforeAll: return nil
      case .at: result.upper = upper
      case .behind(let path): result.upper = bound(path, name, isInclusive: true)
      case .behindAll: break
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

package import HearthDocumentModel

extension QueryMatcher {
  /// A result of a query for the nearest vectors.
  package struct Neighbor: Sendable {
    package let document: Document
    package let distance: Double
  }

  /// Returns the nearest of `documents`, nearest first; equally near ones by name (§4.10). Empty
  /// for a query that doesn't search for vectors.
  ///
  /// - Complexity: looks at every document, and sorts those that match.
  /// - Throws: `failedPrecondition` for the cosine with a vector of zeros.
  package func nearest(on documents: [Document]) throws(DatabaseError) -> [Neighbor] {
    guard let nearest = query.nearest else { return [] }
    var neighbors: [Neighbor] = []
    for document in documents where matches(document) {
      guard case .vector(let vector)? = document[nearest.field] else { continue }
      let distance = try nearest.distance(to: vector)
      guard nearest.isNearEnough(distance) else { continue }
      neighbors.append(Neighbor(document: document, distance: distance))
    }
    neighbors.sort { left, right in
      switch nearest.compare(left.distance, right.distance) {
      case .less: true
      case .equal: left.document.path < right.document.path
      case .greater: false
      }
    }
    return Array(neighbors.prefix(nearest.limit))
  }
}

extension NearestNeighbors {
  /// Whether an index for the query's vector would hold the document.
  func finds(_ document: Document) -> Bool {
    guard case .vector(let elements)? = document[field] else { return false }
    return elements.count == vector.count
  }
}

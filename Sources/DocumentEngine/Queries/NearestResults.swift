import HearthDocumentModel
import HearthQueryPlanning

/// The results of a query for the nearest vectors: the nearest of its matches, one after another
/// (§4.10).
struct NearestResults {
  private let nearest: NearestNeighbors
  /// The fields whose numbers are kept.
  private let fields: [FieldPath]
  /// The neighbors that weren't returned yet, the nearest last.
  private var left: [Neighbor]
  /// The current result; `nil` before the first and after the last.
  private var current: Neighbor?

  /// Compares the vectors of all matches.
  ///
  /// - Parameters:
  ///   - nextMatch: moves to the next match and returns its entry; `nil` at the end.
  ///   - number: returns the number of a field of the match.
  init(
    _ nearest: NearestNeighbors, summing fields: [FieldPath],
    nextMatch: () throws -> StoreScan?, number: (FieldPath) throws -> Value?
  ) throws {
    self.nearest = nearest
    self.fields = fields
    var heap = NeighborHeap(nearest)
    var vector = [Double](repeating: 0, count: nearest.vector.count)
    while let entry = try nextMatch() {
      try entry.readVector(into: &vector)
      let distance = try nearest.distance(to: vector)
      guard heap.mayKeep(distance) else { continue }
      heap.add(
        Neighbor(
          documentNumber: try entry.documentNumber(), distance: distance, name: try entry.name(),
          summands: try fields.map(number)))
    }
    left = heap.sorted().reversed()
  }

  /// Moves to the next result; `false` at the end.
  mutating func next() -> Bool {
    current = left.popLast()
    return current != nil
  }

  /// The document of the current result; `nil` if there is none.
  var documentNumber: UInt64? { current?.documentNumber }

  /// Returns the number that the current result has in a summed field; `nil` for anything else.
  func number(of field: FieldPath) -> Value? {
    fields.firstIndex(of: field).flatMap { current?.summands[$0] }
  }

  /// The distance of the current result, under the name that the query gives it.
  var distance: (name: String, value: Double)? {
    guard let current, let name = nearest.distanceField else { return nil }
    return (name, current.distance)
  }
}

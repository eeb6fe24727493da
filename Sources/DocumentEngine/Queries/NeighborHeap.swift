package import HearthDocumentModel
package import HearthQueryPlanning
import HearthStorageFormat

/// One of the nearest documents.
package struct Neighbor: Sendable {
  package let documentNumber: UInt64
  package let distance: Double
  /// The bytes of its name, which ascend in the order of names.
  package let name: [UInt8]
  /// The number that it has in each summed field; `nil` for anything else.
  package let summands: [Value?]

  package init(documentNumber: UInt64, distance: Double, name: [UInt8], summands: [Value?] = []) {
    self.documentNumber = documentNumber
    self.distance = distance
    self.name = name
    self.summands = summands
  }
}

/// The nearest candidates so far, as many as the query's limit (§4.10).
///
/// Of equal distances the one with the lesser name is nearer. A NaN distance is the furthest of
/// all.
package struct NeighborHeap: Sendable {
  private let nearest: NearestNeighbors
  /// A heap with the furthest neighbor first: each is further than the two at twice its index plus
  /// 1 and plus 2.
  private var neighbors: [Neighbor] = []

  package init(_ nearest: NearestNeighbors) {
    self.nearest = nearest
    neighbors.reserveCapacity(nearest.limit)
  }

  /// Whether a candidate at this distance may be among the nearest. Only then is it worth reading
  /// the rest of it.
  package func mayKeep(_ distance: Double) -> Bool {
    guard nearest.isNearEnough(distance) else { return false }
    guard neighbors.count >= nearest.limit, let furthest = neighbors.first else { return true }
    return nearest.compare(distance, furthest.distance) != .greater
  }

  /// Adds the candidate. Drops the furthest one if there are too many.
  ///
  /// - Complexity: the logarithm of the limit.
  package mutating func add(_ neighbor: Neighbor) {
    guard mayKeep(neighbor.distance) else { return }
    if neighbors.count < nearest.limit {
      neighbors.append(neighbor)
      siftUp()
    } else if isNearer(neighbor, neighbors[0]) {
      neighbors[0] = neighbor
      siftDown()
    }
  }

  /// Returns the neighbors, the nearest first.
  package consuming func sorted() -> [Neighbor] {
    let heap = self
    return heap.neighbors.sorted { heap.isNearer($0, $1) }
  }

  private func isNearer(_ left: Neighbor, _ right: Neighbor) -> Bool {
    switch nearest.compare(left.distance, right.distance) {
    case .less: true
    case .equal: left.name.byteCompare(right.name) == .less
    case .greater: false
    }
  }

  // MARK: Heap

  private mutating func siftUp() {
    var index = neighbors.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard isNearer(neighbors[parent], neighbors[index]) else { return }
      neighbors.swapAt(parent, index)
      index = parent
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var furthest = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < neighbors.count && isNearer(neighbors[furthest], neighbors[child]) {
        furthest = child
      }
      guard furthest != index else { return }
      neighbors.swapAt(furthest, index)
      index = furthest
    }
  }
}

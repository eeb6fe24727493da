import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

@Suite struct NeighborHeapTests {
  private let field = FieldPath(unchecked: ["v"])

  private func heap(
    _ measure: NearestNeighbors.Measure, limit: Int, threshold: Double? = nil
  ) -> NeighborHeap {
    NeighborHeap(
      NearestNeighbors(field, to: [1], by: measure, limit: limit, threshold: threshold))
  }

  private func neighbor(_ distance: Double, _ name: UInt8 = 0) -> Neighbor {
    Neighbor(documentNumber: UInt64(name), distance: distance, name: [name])
  }

  private func kept(_ heap: NeighborHeap, _ distances: [Double]) -> [Double] {
    var heap = heap
    for distance in distances { heap.add(neighbor(distance)) }
    return heap.sorted().map(\.distance)
  }

  @Test func distancesAscendAndProductsDescend() {
    #expect(kept(heap(.euclidean, limit: 2), [3, 1, 2]) == [1, 2])
    #expect(kept(heap(.cosine, limit: 5), [0.5, 2, 0]) == [0, 0.5, 2])
    #expect(kept(heap(.dotProduct, limit: 2), [3, -1, 2]) == [3, 2])
  }

  @Test func theThresholdItselfIsWithin() {
    #expect(kept(heap(.euclidean, limit: 9, threshold: 2), [3, 1, 2, .nan]) == [1, 2])
    #expect(kept(heap(.dotProduct, limit: 9, threshold: 2), [3, 1, 2, .nan]) == [3, 2])
  }

  @Test func notANumberIsFurthest() {
    let distances = kept(heap(.dotProduct, limit: 2), [.nan, -.infinity, .nan])
    #expect(distances[0] == -.infinity && distances[1].isNaN)
  }

  @Test func aCandidateThatIsTooFarIsKnownByItsDistance() {
    var heap = heap(.euclidean, limit: 1)
    #expect(heap.mayKeep(.infinity))
    heap.add(neighbor(1, 5))
    #expect(!heap.mayKeep(1.5) && heap.mayKeep(1) && heap.mayKeep(0))
    heap.add(neighbor(1, 6))
    #expect(heap.sorted().map(\.documentNumber) == [5])
  }

  @Test func itKeepsWhatASortWould() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count(per: 100) {
      let limit = Int.random(in: 1...12, using: &random)
      let measure = random.pick(NearestNeighbors.Measure.allCases)
      let names = Array(UInt8(0)..<40).shuffled(using: &random)
      let candidates = names.map { neighbor(Double(Int.random(in: 0...9, using: &random)), $0) }
      var heap = heap(measure, limit: limit)
      for candidate in candidates { heap.add(candidate) }
      let sign: Double = measure == .dotProduct ? -1 : 1
      let expected = candidates.sorted {
        (sign * $0.distance, $0.documentNumber) < (sign * $1.distance, $1.documentNumber)
      }
      #expect(heap.sorted().map(\.name) == expected.prefix(limit).map(\.name))
    }
  }
}

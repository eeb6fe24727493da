import HearthDocumentEngine
import HearthOrderedStore
import TestSupport
import Testing

@Suite struct SharedWorkTests {
  /// The helper takes the first places, and ends with them after the caller has done all others.
  @Test func outputsAreInTheOrderOfPlaces() throws {
    let hasBegun = Lock(false)
    let doneCount = Lock(0)
    let threads = SharedWork(helperCount: 1) { work in
      startThread(work)
      hasBegun.withLock(when: { $0 }) { _ in }
    }
    let outputs = try threads.outputs(24) { places in
      if places.lowerBound == 0 {
        hasBegun.withLock { $0 = true }
        doneCount.withLock(when: { $0 == 16 }) { _ in }
      } else {
        doneCount.withLock { $0 += places.count }
      }
      return places.map { 100 + $0 }
    }
    #expect((0..<24).map { outputs[$0] } == Array(100..<124))
    #expect(outputs.first == 100)
  }

  @Test(arguments: [0, 1, 8])
  func fewPlacesAreDoneByTheCaller(_ count: Int) throws {
    let threads = SharedWork(helperCount: 3) { _ in Issue.record("a thread was started") }
    let outputs = try threads.outputs(count) { Array($0) }
    #expect((0..<count).map { outputs[$0] } == Array(0..<count))
    #expect(outputs.first == (count == 0 ? nil : 0))
  }
}

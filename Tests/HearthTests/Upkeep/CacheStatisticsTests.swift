import Hearth
import Testing

@Suite struct CacheStatisticsTests {
  @Test func tellsWhatIsKeptAndHowOftenItHelped() throws {
    let database = try Database.inMemory()
    let cities = try database.collection("cities")
    for number in 0..<10 {
      try cities.document("c\(number)").setData(["n": .integer(Int64(number))])
    }
    #expect(database.cacheStatistics.documentCount == 0)
    #expect(database.cacheStatistics.documentHitRate == nil)
    let query = try cities.whereField("n", isLessThan: 4)
    for _ in 0..<4 { #expect(try query.getDocuments().count == 4) }
    let statistics = database.cacheStatistics
    #expect(statistics.documentCount == 4)
    #expect(statistics.documentHitCount == 12)
    #expect(statistics.documentMissCount == 4)
    #expect(statistics.documentHitRate == 0.75)
    #expect(statistics.documentByteCount > 400)
  }
}

import HearthDocumentModel
import Testing

@Suite struct TimestampTests {
  @Test func digitsBelowAMicrosecondAreCutTowardsThePast() throws {
    #expect(try Timestamp(seconds: 1, nanoseconds: 999_999_999).microseconds == 1_999_999)
    #expect(try Timestamp(seconds: -1, nanoseconds: 999).microseconds == -1_000_000)
    #expect(try Timestamp(seconds: -1, nanoseconds: 1_999).microseconds == -999_999)
  }

  @Test func secondsAndNanosecondsOfTimesBefore1970() throws {
    for microseconds: Int64 in [-1_000_001, -1_000_000, -999_999, -1, 0, 1, 1_000_000] {
      let time = try Timestamp(microseconds: microseconds)
      #expect(time.seconds * 1_000_000 + Int64(time.nanoseconds) / 1_000 == microseconds)
      #expect((0..<1_000_000_000).contains(time.nanoseconds))
    }
    #expect(Timestamp.minimum.seconds == -62_135_596_800)
    #expect(Timestamp.maximum.nanoseconds == 999_999_000)
  }

  @Test func timesOutsideOfTheYears1To9999AreRefused() {
    let seconds: [Int64] = [.min, -62_135_596_801, 253_402_300_800, .max]
    for seconds in seconds {
      #expect(throws: DatabaseError.self) { try Timestamp(seconds: seconds, nanoseconds: 0) }
    }
    for nanoseconds: Int32 in [-1, 1_000_000_000] {
      #expect(throws: DatabaseError.self) {
        try Timestamp(seconds: 0, nanoseconds: nanoseconds)
      }
    }
  }
}

@Suite struct GeoPointTests {
  @Test func pointsOutsideOfTheRangesAreRefused() throws {
    _ = try GeoPoint(latitude: -90, longitude: 180)
    do {
      _ = try GeoPoint(latitude: 91, longitude: 0)
      Issue.record("a latitude of 91 was accepted")
    } catch {
      #expect(error.message == "Geo point latitude '91.0' outside permitted range -90.0 to 90.0.")
    }
    #expect(throws: DatabaseError.self) { try GeoPoint(latitude: 0, longitude: -180.5) }
    #expect(throws: DatabaseError.self) { try GeoPoint(latitude: .nan, longitude: 0) }
  }
}

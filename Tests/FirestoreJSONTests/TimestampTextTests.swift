import HearthDocumentModel
import HearthFirestoreJSON
import Testing

@Suite struct TimestampTextTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000001Z", 1),
    ("1969-12-31T23:59:59.9999999Z", -1), ("1970-01-01t00:00:01.5z", 1_500_000),
    ("2000-02-29T12:00:00Z", 951_825_600_000_000), ("2026-01-31T09:30:00Z", 1_769_851_800_000_000),
    ("2026-01-31T10:30:00+01:00", 1_769_851_800_000_000),
    ("2026-01-31T09:29:60Z", 1_769_851_800_000_000), ("1969-12-31T23:59:60.5Z", 500_000),
    ("2026-01-31T00:00:00-09:30", 1_769_851_800_000_000),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
    ("9999-12-31T23:59:59.999999999Z", 253_402_300_799_999_999),
    ("1900-03-01T00:00:00Z", -2_203_891_200_000_000),
  ])
  func reads(_ text: String, _ microseconds: Int64) throws {
    #expect(try Timestamp(rfc3339: text).microseconds == microseconds)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (1_500_000, "1970-01-01T00:00:01.500Z"), (1, "1970-01-01T00:00:00.000001Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
    (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    (951_825_600_000_000, "2000-02-29T12:00:00Z"),
  ])
  func writes(_ microseconds: Int64, _ text: String) throws {
    #expect(try Timestamp(microseconds: microseconds).rfc3339 == text)
  }

  private static let noZone =
    "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."

  @Test(arguments: [
    ("", noZone), ("not a time", noZone), ("2026-01-31T09:30:00", noZone),
    ("2026-01-31", noZone), ("2026-01-31T09:30:00+25:00", noZone),
    ("2026-01-31T09:30:00+01:60", noZone), ("2026-01-31T09:30:00+0100", noZone),
    ("Z", "Invalid time format: Z"), ("2026-01-31Z", "Invalid time format: 2026-01-31Z"),
    ("2026-02-29T00:00:00Z", "Invalid time format: 2026-02-29T00:00:00Z"),
    ("1900-02-29T00:00:00Z", "Invalid time format: 1900-02-29T00:00:00Z"),
    ("2026-04-31T00:00:00Z", "Invalid time format: 2026-04-31T00:00:00Z"),
    ("2026-13-01T00:00:00Z", "Invalid time format: 2026-13-01T00:00:00Z"),
    ("2026-00-01T00:00:00Z", "Invalid time format: 2026-00-01T00:00:00Z"),
    ("2026-01-00T00:00:00Z", "Invalid time format: 2026-01-00T00:00:00Z"),
    ("2026-01-31T24:00:00Z", "Invalid time format: 2026-01-31T24:00:00Z"),
    ("2026-01-31T09:60:00Z", "Invalid time format: 2026-01-31T09:60:00Z"),
    ("2026-01-31T09:30:61Z", "Invalid time format: 2026-01-31T09:30:61Z"),
    ("9999-12-31T23:59:60Z", "Timestamp value exceeds limits"),
    ("2026-01-31T09:30:00.Z", "Invalid time format: 2026-01-31T09:30:00.Z"),
    ("2026-01-31T09:30:00.1234567890Z", "Invalid time format: 2026-01-31T09:30:00.1234567890Z"),
    ("2026-01-31 09:30:00Z", "Invalid time format: 2026-01-31 09:30:00Z"),
    ("26-01-31T09:30:00Z", "Invalid time format: 26-01-31T09:30:00Z"),
    ("-2026-01-31T09:30:00Z", "Invalid time format: -2026-01-31T09:30:00Z"),
    ("0000-12-31T23:59:59Z", "Timestamp value exceeds limits"),
    ("10000-01-01T00:00:00Z", "Timestamp value exceeds limits"),
    ("999999999-01-01T00:00:00Z", "Timestamp value exceeds limits"),
    ("0001-01-01T00:00:00+00:01", "Timestamp value exceeds limits"),
    ("9999-12-31T23:59:59-00:01", "Timestamp value exceeds limits"),
  ])
  func refuses(_ text: String, _ message: String) {
    #expect(thrown(DatabaseError.self) { _ = try Timestamp(rfc3339: text) }?.message == message)
  }

  @Test func everyTimeIsReadBack() throws {
    for seed in generatedSeeds() {
      var generator = SeededGenerator(seed: seed)
      let timestamp = try generator.timestamp()
      #expect(try Timestamp(rfc3339: timestamp.rfc3339) == timestamp, "seed \(seed)")
    }
  }

  /// Every day once, so that no month or leap year is left out.
  @Test func daysFollowOneAnother() throws {
    var previous = ""
    for day in stride(from: Int64(-719_162), through: 2_932_896, by: 13) {
      let text = try Timestamp(seconds: day * 86_400, nanoseconds: 0).rfc3339
      #expect(previous < text)
      previous = text
    }
  }
}

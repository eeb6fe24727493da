import Testing
import hearth

@Suite struct FigureTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int, String)])
  func counts(number: Int, text: String) {
    #expect(Figure.count(number) == text)
  }

  @Test(
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (1000, "1.00 µs"), (12_340, "12.3 µs"), (99_949, "99.9 µs"),
      (99_951, "100 µs"), (999_499, "999 µs"), (999_500, "1.00 ms"), (1_200_000, "1.20 ms"),
      (9_994_999, "9.99 ms"), (9_995_001, "10.0 ms"), (95_000_000_000, "95.0 s"),
      (7_200_000_000_000, "7,200 s"),
    ] as [(Int64, String)])
  func durations(nanoseconds: Int64, text: String) {
    #expect(Figure.duration(nanoseconds: nanoseconds) == text)
  }

  @Test(
    arguments: [
      (0, "0%"), (0.415, "41%"), (0.9999, "99%"), (1, "100%"), (1e300, "100%"), (-1, "0%"),
      (.nan, "0%"),
    ] as [(Double, String)])
  func percentages(fraction: Double, text: String) {
    #expect(Figure.percent(fraction) == text)
  }

  @Test(
    arguments: [
      (0, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (720, "12:00"), (3723, "1:02:03"), (-3, "0:00"),
      (.infinity, "277777:46:40"),
    ] as [(Double, String)])
  func clocks(seconds: Double, text: String) {
    #expect(Figure.clock(seconds: seconds) == text)
  }

  @Test(
    arguments: [
      (0, "0.00/s"), (0.25, "0.25/s"), (12.34, "12.3/s"), (1234.5, "1,235/s"), (.nan, "-/s"),
      (1e300, "1,000,000,000,000,000/s"),
    ] as [(Double, String)])
  func rates(perSecond: Double, text: String) {
    #expect(Figure.rate(perSecond) == text)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1.00 KiB"), (1536, "1.50 KiB"),
    (125_829_120, "120 MiB"), (1_073_741_823, "1.00 GiB"), (.max, "8,388,608 TiB"),
  ])
  func bytes(byteCount: Int, text: String) {
    #expect(Figure.bytes(byteCount) == text)
  }
}

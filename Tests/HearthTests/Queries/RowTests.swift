import Hearth
import TestSupport
import Testing

/// Rows: fields read from the results' stored bytes.
@Suite struct RowTests {
  private let cities: Cities
  private let fields: RowFields

  init() throws {
    cities = try Cities()
    fields = try RowFields("country", "population", "area.km2")
  }

  @Test func aRowHasTheFieldsOfItsDocument() throws {
    var rows: [String] = []
    try cities.collection.forEachRow(of: fields) { row in
      let country = try row.string(0) ?? "-"
      let population = try row.integer(1).map { "\($0)" } ?? "-"
      let area = try row.double(2).map { "\($0)" } ?? "-"
      rows.append("\(row.id) \(country) \(population) \(area)")
      return true
    }
    #expect(
      rows == [
        "atlantis - - -", "kyoto JP 1460000 -", "lyon FR 1720000 -", "osaka JP 19100000 -",
        "paris FR 11000000 -", "tokyo JP 37400000 2194.5",
      ])
  }

  @Test(arguments: [true, false]) func everyTypeIsReadAsItself(isKept: Bool) throws {
    let folder = try TemporaryFolder()
    var options = Database.Options()
    if !isKept { options.documentCacheByteCount = 0 }
    let database = try Database.open(at: folder.path(of: "db"), options: options)
    let time = try Timestamp(seconds: 1_700_000_000, nanoseconds: 5_000)
    let values: MapValue = [
      "a": .boolean(true), "b": .integer(-7), "c": .double(0.5), "d": .timestamp(time),
      "e": .string("né"), "f": .bytes([0, 255]), "g": .array([1, "x"]), "h": .null,
      "a name of more than sixteen bytes": .boolean(false),
    ]
    let document = try database.document("things/1")
    try document.setData(values)
    let fields = try RowFields(
      "a", "b", "c", "d", "e", "f", "g", "h", "none", "b.below",
      "`a name of more than sixteen bytes`")
    var count = 0
    try database.collection("things").forEachRow(of: fields) { (row: borrowing Row) throws in
      count += 1
      #expect(row.path == document.path)
      #expect(row.count == 11)
      #expect(try row.boolean(0) == true)
      #expect(try row.integer(1) == -7)
      #expect(try row.double(2) == 0.5)
      #expect(try row.timestamp(3) == time)
      #expect(try row.string(4) == "né")
      #expect(try row.utf8(4)?.count == 3)
      #expect(try row.bytes(5) == [0, 255])
      for (column, name) in ["a", "b", "c", "d", "e", "f", "g", "h"].enumerated() {
        #expect(try row.value(column) == values[name])
        #expect(try row.hasValue(column))
        #expect(try row.boolean(column) == values[name]?.booleanValue)
        #expect(try row.integer(column) == values[name]?.integerValue)
        #expect(try row.double(column) == values[name]?.doubleValue)
        #expect(try row.timestamp(column) == values[name]?.timestampValue)
        #expect(try row.string(column) == values[name]?.stringValue)
        #expect(try row.bytes(column) == values[name]?.bytesValue)
      }
      for column in 8...9 {
        #expect(try row.value(column) == nil)
        #expect(try !row.hasValue(column))
        #expect(try row.string(column) == nil)
        #expect(try row.boolean(column) == nil)
        #expect(try row.utf8(column)?.count == nil)
      }
      #expect(try row.boolean(10) == false)
      return true
    }
    #expect(count == 1)
    try database.close()
  }

  /// Documents whose fields stand at other indexes than those of the document before.
  @Test(arguments: [true, false]) func documentsMayHaveOtherFields(areKept: Bool) throws {
    let folder = try TemporaryFolder()
    var options = Database.Options()
    if !areKept { options.documentCacheByteCount = 0 }
    let database = try Database.open(at: folder.path(of: "db"), options: options)
    let things = try database.collection("things")
    let shapes: [MapValue] = [
      ["b": 1, "c": 2], ["a": 0, "b": 3, "c": 4], ["c": 5], ["a": 0, "c": 6], ["b": 7],
      MapValue((0..<30).map { ("a\($0)", 0) } + [("b", 8), ("c", 9)]),
    ]
    for (number, fields) in shapes.enumerated() {
      try things.document("\(number)").setData(fields)
    }
    let fields = try RowFields("c", "b")
    for _ in 0..<2 {
      var rows: [[Int64?]] = []
      try things.forEachRow(of: fields) { row in
        rows.append([try row.integer(0), try row.integer(1)])
        return true
      }
      #expect(rows == [[2, 1], [4, 3], [5, nil], [6, nil], [nil, 7], [9, 8]])
    }
  }

  /// The first and the last eight bytes of the names are the same, and so is their index.
  @Test func longNamesAreComparedWhole() throws {
    let things = try Database.inMemory().collection("things")
    try things.document("1").setData(["the-field-1-of-all-the-fields": 1])
    try things.document("2").setData(["the-field-2-of-all-the-fields": 2])
    let fields = try RowFields("`the-field-1-of-all-the-fields`")
    for _ in 0..<2 {
      var rows: [Int64?] = []
      try things.forEachRow(of: fields) { row in
        rows.append(try row.integer(0))
        return true
      }
      #expect(rows == [1, nil])
    }
  }

  @Test func resultsOfASnapshotAreRowsToo() throws {
    let snapshot = try cities.collection.select(["country"]).getDocuments()
    var countries: [String?] = []
    try snapshot.forEachRow(of: fields) { (row: borrowing Row) throws in
      countries.append(try row.string(0))
      #expect(try !row.hasValue(1), "The query doesn't carry it.")
    }
    #expect(countries == [nil, "JP", "FR", "JP", "FR", "JP"])

    let moment = try cities.database.snapshot()
    try cities.collection.document("tokyo").delete()
    var ids: [String] = []
    try moment.forEachRow(fields, of: cities.collection.order(by: "population")) { row in
      ids.append(row.id)
      return true
    }
    #expect(ids == ["kyoto", "lyon", "paris", "osaka", "tokyo"])
  }

  @Test func theCallerEndsTheQuery() throws {
    var ids: [String] = []
    try cities.collection.forEachRow(of: fields) { row in
      ids.append(row.id)
      return ids.count < 2
    }
    #expect(ids == ["atlantis", "kyoto"])
  }

  @Test func rowsComeOnAThreadOfHearths() async throws {
    let counter = Counter()
    try await cities.collection.forEachRow(of: fields) { _ in
      counter.increment()
      return counter.value < 3
    }
    try await cities.database.snapshot().forEachRow(fields, of: cities.collection) { _ in
      counter.increment()
      return true
    }
    #expect(counter.value == 9)
  }

  @Test func errorsReachTheCaller() throws {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try cities.collection.forEachRow(of: fields) { _ in throw Enough() }
    }
    for column in [-1, 3, Int.max] {
      #expect(
        code {
          try cities.collection.forEachRow(of: fields) { row in try row.integer(column) == nil }
        } == .outOfRange)
    }
    let last = try cities.collection.order(by: "population").limit(toLast: 1)
    #expect(code { try last.forEachRow(of: fields) { _ in true } } == .unimplemented)
    #expect(
      code { try cities.largestOfJapan().forEachRow(of: fields) { _ in true } }
        == .failedPrecondition)
    #expect(code { _ = try RowFields("a..b") } == .invalidArgument)
  }

  @Test func columnsAreNamedByProperties() throws {
    let fields = try RowFields(of: Errand.self, \.title, \.userID, \.place.city)
    #expect(fields.paths.map(\.description) == ["title", "uid", "place.city"])
    #expect(code { _ = try RowFields(of: Errand.self, \.note) } == .invalidArgument)
  }
}

import Foundation
import HearthFirebase
import Testing

/// The conversion of a dictionary's values, and back.
@Suite struct ValueTests {
  private let firestore: Firestore
  private let document: DocumentReference

  init() throws {
    firestore = try Firestore.inMemory()
    document = firestore.document("things/one")
  }

  /// Returns a value after it has been written and read.
  private func stored(_ value: Any) async throws -> Any? {
    try await document.setData(["value": value])
    return try await document.getDocument().get("value")
  }

  private func refusal(of value: Any) async -> String {
    do {
      try await document.setData(["outer": ["value": value]])
      return "none"
    } catch {
      return error.localizedDescription
    }
  }

  @Test func `numbers can be cast to every type that holds them`() async throws {
    let seven = try await stored(7)
    #expect(seven as? Int == 7)
    #expect(seven as? Int64 == 7)
    #expect(seven as? Double == 7)
    #expect(seven as? UInt8 == 7)
    let half = try await stored(0.5)
    #expect(half as? Double == 0.5)
    #expect(half as? Float == 0.5)
    #expect(half as? Int == nil)
  }

  @Test func `every type of number is stored as what it is`() async throws {
    let integers: [Any] = [
      Int8(-3), Int16(-3), Int32(-3), Int64(-3), NSNumber(value: -3), NSNumber(value: Int8(-3)),
    ]
    for integer in integers {
      #expect(try await stored(integer) as? Int == -3)
      let found = try await firestore.collection("things")
        .whereField("value", isEqualTo: -3).getDocuments()
      #expect(found.count == 1)
    }
    for number in [Float(2), 2.0, NSNumber(value: 2.0), Decimal(2)] as [Any] {
      #expect(try await stored(number) as? Double == 2)
    }
    #expect(try await stored(NSNumber(value: 2.5)) as? Double == 2.5)
    #expect(await refusal(of: UInt64.max).contains("is beyond an integer's 64 bits."))
    #expect(await refusal(of: NSNumber(value: UInt64.max)).contains("(found in field outer.value)"))
  }

  @Test func `booleans stay booleans`() async throws {
    for value in [true, NSNumber(value: true)] as [Any] {
      #expect(try await stored(value) as? Bool == true)
      let found = try await firestore.collection("things")
        .whereField("value", isEqualTo: true).getDocuments()
      #expect(found.count == 1)
    }
    // The number 1 is no Boolean, not even in an Optional.
    let one = NSNumber(value: 1)
    let double = NSNumber(value: 1.0)
    for value in [
      1, NSNumber?.some(one) as Any, NSNumber?.some(double) as Any, Any?.some(one) as Any,
      NSNumber??.some(one) as Any, ["one": one]["one"] as Any,
    ] as [Any] {
      _ = try await stored(value)
      let found = try await firestore.collection("things")
        .whereField("value", isEqualTo: NSNumber?.some(one) as Any).getDocuments()
      #expect(found.count == 1)
      let booleans = try await firestore.collection("things")
        .whereField("value", isEqualTo: true).getDocuments()
      #expect(booleans.isEmpty)
    }
    let elements = try await stored([one as NSNumber?, nil]) as? [Any]
    #expect(elements?.first as? Int == 1)
    #expect(elements?.last is NSNull)
  }

  @Test func `texts, bytes and null come back`() async throws {
    #expect(try await stored("Kyōto") as? String == "Kyōto")
    #expect(try await stored(Data([1, 2])) as? Data == Data([1, 2]))
    #expect(try await stored(NSNull()) is NSNull)
    #expect(try await stored(String?.none as Any) is NSNull)
    #expect(try await stored(String?.some("set") as Any) as? String == "set")
  }

  @Test func `dates become timestamps`() async throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    let timestamp = try await stored(date) as? Timestamp
    #expect(timestamp == Timestamp(seconds: 1_700_000_000, nanoseconds: 250_000_000))
    #expect(timestamp?.dateValue() == date)
    let cut = try await stored(Timestamp(seconds: -1, nanoseconds: 999_999_999))
    #expect(
      cut as? Timestamp
        == Timestamp(seconds: -1, nanoseconds: 999_999_000))
    #expect(Timestamp(date: date) == timestamp)
    #expect(Timestamp(seconds: 1, nanoseconds: 0) < Timestamp())
  }

  @Test func `a date's nanoseconds, and the microsecond that is stored`() async throws {
    let date = Date(timeIntervalSince1970: 1_570_484_031.123)
    let timestamp = Timestamp(date: date)
    // The precision of the double: steps of 238 ns from 1970 on.
    #expect(timestamp == Timestamp(seconds: 1_570_484_031, nanoseconds: 122_999_906))
    #expect(timestamp.dateValue() == date)
    let same = Timestamp(seconds: 1_570_484_031, nanoseconds: 122_999_906)
    #expect(Set([timestamp, same]).count == 1)
    #expect("\(timestamp)" == "Timestamp(seconds: 1570484031, nanoseconds: 122999906)")
    let nearest = Timestamp(seconds: 1_570_484_031, nanoseconds: 123_000_000)
    #expect(try await stored(date) as? Timestamp == nearest)
    #expect(try await stored(timestamp) as? Timestamp == nearest)
    let early = Timestamp(date: Date(timeIntervalSince1970: -0.25))
    #expect(early == Timestamp(seconds: -1, nanoseconds: 750_000_000))
  }

  @Test func `a timestamp's nanoseconds are in its date`() {
    let date = Timestamp(seconds: 978_307_200, nanoseconds: 123_456_789).dateValue()
    #expect(date == Date(timeIntervalSinceReferenceDate: 0.123_456_789))
  }

  @Test func `what no timestamp or point can be is refused when it is written`() async {
    let message = "Timestamp value exceeds limits (found in field outer.value)"
    #expect(await refusal(of: Timestamp(seconds: .max, nanoseconds: 0)) == message)
    #expect(await refusal(of: Date.distantFuture + 1e13) == message)
    #expect(await refusal(of: Timestamp(date: .distantPast - 1e13)) == message)
    #expect(
      await refusal(of: GeoPoint(latitude: 91, longitude: 0))
        == "Geo point latitude '91.0' outside permitted range -90.0 to 90.0. "
        + "(found in field outer.value)")
  }

  @Test func `points, vectors and references come back`() async throws {
    let point = GeoPoint(latitude: 35, longitude: 139.5)
    #expect(try await stored(point) as? GeoPoint == point)
    let vector = FieldValue.vector([1, 2])
    #expect(try await stored(vector) as? VectorValue == vector)
    let other = firestore.document("things/two")
    let reference = try await stored(other) as? DocumentReference
    #expect(reference == other)
    #expect(reference?.path == "things/two")
  }

  @Test func `arrays and maps can be cast to what they hold`() async throws {
    #expect(try await stored(["a", "b"]) as? [String] == ["a", "b"])
    #expect(try await stored([1, 2] as [Any]) as? [Int] == [1, 2])
    let map = try await stored(["a": 1, "b": ["c": [1.5, 2.5]]] as [String: Any])
    #expect((map as? [String: Any])?["a"] as? Int == 1)
    #expect(((map as? [String: Any])?["b"] as? [String: [Double]])?["c"] == [1.5, 2.5])
    #expect(try await stored([String: Any]()) as? [String: Int] == [:])
  }

  @Test func `other types are refused with their place`() async {
    struct Stranger {}
    #expect(
      await refusal(of: Stranger()) == "Unsupported type: Stranger (found in field outer.value)")
    #expect(await refusal(of: URL(filePath: "/")).hasPrefix("Unsupported type: URL"))
    #expect(await refusal(of: [[1]]) == "Nested arrays are not supported")
    #expect(
      await refusal(of: [FieldValue.increment(1)])
        == "FieldValue.increment() is not currently supported inside arrays")
    var nested: Any = 1
    for _ in 0..<500 { nested = ["map": nested] }
    #expect(await refusal(of: nested).hasPrefix("The data is nested too deeply"))
  }
}

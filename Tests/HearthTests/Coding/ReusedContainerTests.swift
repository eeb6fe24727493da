import Hearth
import TestSupport
import Testing

/// Decoding reuses its containers, and remembers the places of a type's fields. Results don't show
/// it.
@Suite struct ReusedContainerTests {
  private let database: Database
  private let document: DocumentReference

  init() throws {
    database = try Database.inMemory()
    document = try database.document("things/one")
  }

  private func decoded<T: Decodable>(_ type: T.Type, from fields: MapValue) throws -> T {
    try document.setData(fields)
    return try document.getDocument(as: type)
  }

  /// Fields that come and go move the others. Names differ only at their ends, or in length alone.
  @Test func fieldsAreFoundWhereverTheyAre() throws {
    struct Many: Codable, Equatable {
      var z: Int?
      var field: Int?
      var fieldnam: Int?
      var fieldname: Int?
      var fieldname0: Int?
      var fieldname1: Int?
      var fieldname0fieldn: Int?
      var fieldname1fieldn: Int?
      var fieldname0fieldname: Int?
      var fieldname0fieldnamf: Int?
      var fieldname1fieldname: Int?
      var a: Int?
    }
    let names = [
      "z", "field", "fieldnam", "fieldname", "fieldname0", "fieldname1", "fieldname0fieldn",
      "fieldname1fieldn", "fieldname0fieldname", "fieldname0fieldnamf", "fieldname1fieldname", "a",
    ]
    // More fields than are searched one by one, with others between them.
    let others = (0..<30).map { "f\($0)" } + ["fieldnamd", "fieldname2", "fieldname0fieldo"]
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count(per: 20) {
      let chosen = names.filter { _ in random.oneIn(2) }
      let extra = random.oneIn(2) ? [] : others.filter { _ in random.oneIn(3) }
      let fields = MapValue(
        (chosen + extra).enumerated().map { ($1, Value.integer(Int64($0))) })
      let many = try decoded(Many.self, from: fields)
      let encoded = try DocumentEncoder().encode(many)
      #expect(encoded == MapValue(chosen.map { ($0, fields[$0] ?? .null) }), "\(fields)")
    }
  }

  /// A type inside of itself needs several containers of one type at once.
  @Test func recursiveTypes() throws {
    struct Tree: Codable, Equatable {
      var name: String
      var children: [Tree]?
    }
    func tree(_ depth: Int) -> Tree {
      Tree(name: "\(depth)", children: depth == 0 ? nil : [tree(depth - 1), tree(0)])
    }
    for depth in [0, 5, 8, 2] {
      try document.setData(from: tree(depth))
      #expect(try document.getDocument(as: Tree.self) == tree(depth))
    }
  }

  /// More containers in one `init(from:)` than are reused.
  @Test func manyContainersInOneCall() throws {
    struct Sum: Decodable {
      enum Key: CodingKey { case n, parts }
      var sum = 0
      init(from decoder: any Decoder) throws {
        var parts = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .parts)
        var containers: [KeyedDecodingContainer<Key>] = []
        while !parts.isAtEnd { containers.append(try parts.nestedContainer(keyedBy: Key.self)) }
        for container in containers { sum += try container.decode(Int.self, forKey: .n) }
      }
    }
    let parts = (1...1000).map { Value.map(["n": .integer($0)]) }
    for _ in 0..<2 {
      #expect(try decoded(Sum.self, from: ["parts": .array(parts)]).sum == 500_500)
    }
  }

  private struct Kept: Decodable {
    enum Key: CodingKey { case n, text }
    let container: KeyedDecodingContainer<Key>
    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
  }

  /// A container that is kept after its decoding keeps its data.
  @Test func containersMayBeKept() throws {
    var kept: [Kept] = []
    for n in 0..<3 {
      kept.append(try decoded(Kept.self, from: ["n": .integer(Int64(n)), "text": .string("\(n)")]))
    }
    let list = try decoded([String: [Kept]].self, from: ["l": [["n": 3], ["n": 4]]])["l"]
    kept += try #require(list)
    for (n, one) in kept.enumerated() {
      #expect(try one.container.decode(Int.self, forKey: .n) == n)
      #expect(
        try one.container.decodeIfPresent(String.self, forKey: .text) == (n < 3 ? "\(n)" : nil))
    }
    // Containers that are used again are different ones.
    #expect(try decoded([String: Int].self, from: ["n": 9]) == ["n": 9])
    #expect(try kept[0].container.decode(Int.self, forKey: .n) == 0)
  }

  /// Documents of kept containers don't stay in memory for ever once the containers are gone.
  @Test func keptContainersAreReleased() throws {
    final class Owner: Sendable {}
    struct WeakOwner { weak var owner: Owner? }
    let key = try #require(CodingUserInfoKey(rawValue: "owner"))
    try document.setData(["n": 1])
    let snapshot = try document.getDocument()
    var owners: [WeakOwner] = []
    for _ in 0..<1000 {
      let owner = Owner()
      owners.append(WeakOwner(owner: owner))
      var decoder = DocumentDecoder()
      decoder.userInfo[key] = owner
      let kept = try snapshot.data(as: Kept.self, decoder: decoder)
      let n = try kept.container.decode(Int.self, forKey: .n)
      #expect(n == 1)
    }
    // Other tests of the process keep containers too, so that no exact number is known.
    #expect(owners.count { $0.owner != nil } < 500)
  }

  /// The results of one query are decoded in series. A decoder or a container that is kept
  /// of one stays as it was.
  @Test func resultsMayBeKept() throws {
    struct Lazy: Decodable {
      var decoder: (any Decoder)?
      init(from decoder: any Decoder) throws {
        let n = try Kept(from: decoder).container.decode(Int.self, forKey: .n)
        if !n.isMultiple(of: 3) { self.decoder = decoder }
      }
    }
    let things = try database.collection("things")
    for n in 0..<7 {
      try things.document("t\(n)").setData(["n": .integer(Int64(n)), "text": .string("\(n)")])
    }
    let snapshot = try things.order(by: "n").getDocuments()
    for _ in 0..<2 {
      let kept = try snapshot.documents(as: Kept.self)
      #expect(try kept.map { try $0.container.decode(Int.self, forKey: .n) } == Array(0..<7))
      let lazy = try snapshot.documents(as: Lazy.self).map(\.decoder)
      #expect(lazy.map { $0 == nil } == (0..<7).map { $0.isMultiple(of: 3) })
      for (n, decoder) in lazy.enumerated() {
        guard let decoder else { continue }
        #expect(try Kept(from: decoder).container.decode(String.self, forKey: .text) == "\(n)")
      }
    }
  }

  /// A failure caught in one result of a query, or thrown by it, isn't the next one's.
  @Test func failuresStayWithTheirResult() throws {
    struct Careful: Decodable, Equatable {
      enum Key: CodingKey { case n }
      let n: Int?
      init(from decoder: any Decoder) throws {
        n = try? decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .n)
      }
    }
    struct Strict: Decodable { var n: Int }
    let things = try database.collection("things")
    for (n, value) in [Value.integer(1), "x", 3].enumerated() {
      try things.document("t\(n)").setData(["n": value])
    }
    let snapshot = try things.getDocuments()
    #expect(try snapshot.documents(as: Careful.self).map(\.n) == [1, nil, 3])
    let error = failure { _ = try snapshot.documents(as: Strict.self) }
    #expect(error?.codingFailure?.document == "things/t1")
    #expect(try snapshot.documents(as: [String: Value].self).count == 3)
  }

  /// A failure inside of a call has no later effect.
  @Test func failuresAreCaughtAndForgotten() throws {
    struct Inner: Codable, Equatable { var n: Int }
    struct Outer: Decodable, Equatable {
      enum Key: CodingKey { case a, b }
      var a: Inner?
      var b: Inner?
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        a = try? container.decode(Inner.self, forKey: .a)
        b = try container.decodeIfPresent(Inner.self, forKey: .b)
      }
    }
    for _ in 0..<3 {
      let outer = try decoded(Outer.self, from: ["a": ["n": "x"], "b": ["n": 1]])
      #expect(outer.a == nil)
      #expect(outer.b == Inner(n: 1))
      #expect(code { _ = try decoded(Outer.self, from: ["b": ["n": "x"]]) } == .invalidArgument)
    }
  }

  /// Two types with keys of one type, which ask for them in another order.
  @Test func keysOutOfTurn() throws {
    enum Key: String, CodingKey { case a, b, c }
    struct Forward: Decodable {
      let values: [Int]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        values = try [Key.a, .b, .c].map { try container.decode(Int.self, forKey: $0) }
      }
    }
    struct Backward: Decodable {
      let values: [Int]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        values = try [Key.c, .b, .b, .a, .c].compactMap {
          container.contains($0) ? try container.decode(Int.self, forKey: $0) : nil
        }
      }
    }
    for n in 0..<4 {
      let first = Value.integer(Int64(n))
      let fields: MapValue = ["a": first, "b": 10, "c": 20]
      #expect(try decoded(Forward.self, from: fields).values == [n, 10, 20])
      #expect(try decoded(Backward.self, from: fields).values == [20, 10, 10, n, 20])
      #expect(try decoded([String: Int].self, from: fields) == ["a": n, "b": 10, "c": 20])
    }
  }

  /// Names that are made anew each time, which no memory may confuse.
  @Test func keysThatAreMade() throws {
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Made: Decodable {
      var values: [Int] = []
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for number in 0..<100 {
          let key = Key(stringValue: "the field with the number \(number)")
          values.append(try container.decode(Int.self, forKey: key))
        }
      }
    }
    let fields = MapValue(
      (0..<100).map { ("the field with the number \($0)", Value.integer(Int64($0))) })
    for _ in 0..<3 {
      #expect(try decoded(Made.self, from: fields).values == Array(0..<100))
    }
  }

  /// Several threads decode at once, and one decodes inside of another's decoding.
  @Test func manyAtOnce() async throws {
    struct Thing: Codable, Equatable { var n: Int, text: String }
    let things = try database.collection("things")
    for n in 0..<50 {
      try await things.document("t\(n)").setData(from: Thing(n: n, text: "text number \(n)"))
    }
    let snapshot = try await things.order(by: "n").getDocuments()
    try await withThrowingTaskGroup(of: [Thing].self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<20 { _ = try snapshot.documents(as: Thing.self) }
          return try snapshot.documents(as: Thing.self)
        }
      }
      for try await all in group {
        #expect(all == (0..<50).map { Thing(n: $0, text: "text number \($0)") })
      }
    }
  }
}

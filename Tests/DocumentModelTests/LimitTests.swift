import HearthDocumentModel
import Testing

/// The limits of §1.2, with production's texts.
@Suite struct WriteValidationTests {
  private func refusal(_ fields: MapValue) -> String? {
    refusal(.set(ResourcePath(unchecked: ["err", "x"]), fields))
  }

  private func refusal(_ write: Write) -> String? {
    do {
      try write.validate()
      return nil
    } catch {
      #expect(error.code == .invalidArgument)
      return error.message
    }
  }

  private func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(1) { value, _ in .map(["a": value]) }
  }

  @Test func namesOfFields() {
    #expect(refusal(["": 1]) == "The property.name is the empty string.")
    let nested = "Property m contains an invalid nested entity."
    #expect(refusal(["m": ["": 1]]) == nested)
    #expect(refusal(["m": [["": 1]]]) == nested)
    #expect(refusal(["__id__": 1]) == "field name __id__ is reserved")
    #expect(refusal(["m": [["__id__": 1]]]) == "field name __id__ is reserved")
    #expect(refusal(["a.b": 1, "__": 1, "__a": 1, "\u{0}": 1]) == nil)
    #expect(refusal([String(repeating: "f", count: 1_500): 1]) == nil)
    #expect(
      refusal([String(repeating: "f", count: 1_501): 1])
        == "The property.name is longer than 1500 bytes.")
  }

  @Test func nestingOfValues() {
    #expect(refusal(["a": [[1]]]) == "Nested arrays are not allowed")
    #expect(refusal(["a": [["b": [1]]]]) == nil)
    #expect(refusal(["a": nested(20)]) == nil)
    #expect(refusal(["a": nested(21)]) == "Property a contains an invalid nested entity.")
    #expect(refusal(["a": nested(10_000)]) == "Property a contains an invalid nested entity.")
  }

  @Test func sizesOfValues() {
    let large = String(repeating: "x", count: 1_048_488)
    #expect(
      refusal(["m": ["blob": .string(large)]])
        == "The value of property \"m\" is longer than 1048487 bytes.")
    #expect(refusal(["blob": .string(String(large.dropLast()))]) == nil)
    #expect(
      refusal(["blob": .bytes([UInt8](repeating: 0, count: 1_048_488))])
        == "The value of property \"blob\" is longer than 1048487 bytes.")
    #expect(refusal(["v": .vector([Double](repeating: 0, count: 2_048))]) == nil)
    #expect(refusal(["v": .vector([Double](repeating: 0, count: 2_049))]) != nil)
    #expect(refusal(["v": .vector([])]) == "Cannot have a zero length vector.")
    #expect(refusal(["v": .vector([1, .nan])]) == "Vector cannot contain NaN values.")
    #expect(refusal(["m": ["v": .vector([.infinity])]]) == nil)
    let inArray = "Cannot convert a vector value in an array value."
    #expect(refusal(["a": .array([.vector([1])])]) == inArray)
    #expect(refusal(["a": .array([["v": .vector([1])]])]) == nil)
  }

  @Test func namesOfDocuments() {
    #expect(
      refusal(.delete(ResourcePath(unchecked: ["err"])))
        == "Document name \"err\" lacks \"/\" at index 3.")
    let id = String(repeating: "i", count: 1_500)
    // 16 bytes, and each segment counts one more than its length (§1.3).
    func path(_ last: Int) -> ResourcePath {
      ResourcePath(unchecked: ["c", id, id, id, "c", id, "c", String(id.prefix(last))])
    }
    #expect(path(117).storageByteCount == 6_144)
    #expect(refusal(.set(path(117), [:])) == nil)
    #expect(refusal(.set(path(118), [:])) == "The document name is longer than 6144 bytes.")
  }

  @Test func masksNameFieldsOnly() {
    let write = Write(
      path: ResourcePath(unchecked: ["c", "d"]),
      operation: .update(fields: [:], mask: [.documentID]))
    #expect(refusal(write) == "field name __name__ is reserved")
  }

  @Test func sizeOfDocuments() throws {
    func document(_ byteCount: Int) -> Document {
      // 16 + 2 + 2 for the name, 2 for the field's, 32 for the document.
      Document(
        path: ResourcePath(unchecked: ["c", "d"]),
        fields: ["b": .bytes([UInt8](repeating: 0, count: byteCount - 54))],
        createTime: .minimum, updateTime: .minimum)
    }
    #expect(document(1_048_576).storageByteCount == 1_048_576)
    try document(1_048_576).validateSize()
    #expect(throws: DatabaseError.self) { try document(1_048_577).validateSize() }
  }
}

/// §1.3's worked example: a task of a user.
@Suite struct StorageSizeTests {
  let task = Document(
    path: ResourcePath(unchecked: ["users", "jeff", "tasks", "my_task_id"]),
    fields: [
      "type": "Personal", "done": false, "priority": 1, "description": "Learn Cloud Firestore",
    ], createTime: .minimum, updateTime: .minimum)

  @Test func theDocumentOfTheExample() {
    #expect(task.path.storageByteCount == 44)
    #expect(task.fields.storageByteCount == 71)
    #expect(task.storageByteCount == 147)
  }

  @Test func theEntriesOfTheExample() throws {
    let (done, priority) = (
      Value.boolean(false).indexedByteCount, Value.integer(1).indexedByteCount
    )
    let size = IndexEntrySize(of: task.path)
    func automatic(isGroup: Bool) throws -> Int {
      size.automatic(try FieldPath("done"), valueByteCount: done, isGroup: isGroup)
    }
    func composite(isGroup: Bool) -> Int {
      size.composite(valueByteCount: done + priority, isGroup: isGroup)
    }
    #expect(try automatic(isGroup: false) == 109)
    #expect(try automatic(isGroup: true) == 98)
    #expect(composite(isGroup: false) == 112)
    #expect(composite(isGroup: true) == 85)
  }

  @Test func sizesOfValues() throws {
    let name = try DocumentName(ResourcePath("users/jeff"))
    let values: [(Value, Int)] = [
      (.null, 1), (true, 1), (1, 8), (1.5, 8), (.timestamp(.minimum), 8), ("\u{E9}", 3),
      (.bytes([1, 2]), 2), (.reference(name), 27),
      (.geoPoint(try GeoPoint(latitude: 1, longitude: 1)), 16), ([1, "a"], 10),
      (.vector([1, 2]), 16), (["ab": 1], 11), ([:], 0),
    ]
    for (value, byteCount) in values { #expect(value.storageByteCount == byteCount, "\(value)") }
    #expect(Value.string(String(repeating: "x", count: 2_000)).indexedByteCount == 1_500)
  }
}

import HearthDocumentModel
import HearthFirestoreJSON
import Foundation
import HearthQueryPlanning

/// The recorded answer of a row, compared with ours. Every recorded part is compared.
struct Expectation {
  private let row: RecordedRow
  private let answer: Answer

  init(of row: RecordedRow, _ answer: Answer) {
    self.row = row
    self.answer = answer
  }

  /// Returns the differences, in words.
  func differences() throws -> [String] {
    var differences: [String] = []
    for (name, expected) in row.expect.members {
      guard let difference = try difference(name, expected) else { continue }
      differences.append("\(name): \(difference)")
      if name == "status" { break }
    }
    return differences
  }

  private func difference(_ name: String, _ expected: JSONValue) throws -> String? {
    switch name {
    case "status": return text(expected.string, answer.status, beside: answer.message)
    case "message":
      let text = (expected.string ?? "").replacing("{project}", with: DatabaseID.default.project)
      let pattern = MessagePattern(text)
      return pattern.matches(answer.message ?? "")
        ? nil : "expected \(text) found \(answer.message ?? "none")"
    case "messageContains":
      return answer.message?.contains(expected.string ?? "?") ?? false
        ? nil : "expected \(expected.string ?? "") in \(answer.message ?? "none")"
    case "http": return text(expected.integer?.description, "\(httpStatus)")
    case "docs": return text(expected.strings, answer.documents?.map { $0.path.lastSegment ?? "" })
    case "paths": return text(expected.strings, answer.documents?.map(\.path.description))
    case "skippedResults": return text(expected.integer?.description, "\(answer.skippedResults)")
    case "transaction": return text("true", "\(answer.transaction != nil)")
    case "planOnly": return text("true", "\(answer.documents == nil && answer.aggregates == nil)")
    case "nextPageToken":
      return text("\(expected.boolean ?? true)", "\(answer.nextPageToken != nil)")
    case "writeResults":
      return text(expected.integer?.description, "\(answer.writeResults?.count ?? -1)")
    case "partitions":
      return text(expected.strings, answer.partitions?.map(\.path.description))
    case "suggestedIndex": return differenceOfIndex(expected)
    case "indexesUsed": return differenceOfPlan(expected)
    case "stats": return differenceOfStatistics(expected)
    default: return try differenceOfFields(name, expected)
    }
  }

  private func differenceOfFields(_ name: String, _ expected: JSONValue) throws -> String? {
    switch name {
    case "returnedFields":
      let found = answer.documents?.map { ($0.path.lastSegment ?? "", Value.map($0.fields)) }
      return text(try byName(expected) { .map(try $0.fields()) }, found)
    case "distances":
      let found = answer.documents?.map { document in
        (document.path.lastSegment ?? "", document.fields[distanceField] ?? .null)
      }
      return text(try byName(expected) { try $0.value() }, found)
    case "aggregates": return text(try byName(expected) { try $0.value() }, answer.aggregates)
    case "document":
      let fields = try expected["fields"].map { try filled($0).fields() } ?? MapValue()
      let found = answer.document.map { [($0.path.description, emptied(.map($0.fields)))] }
      return text([(expected["path"]?.string ?? "", .map(fields))], found)
    case "found":
      let found = answer.documents?.map { ($0.path.description, Value.map($0.fields)) }
      return text(try byName(expected) { .map(try $0.fields()) }, found)
    case "missing": return text(expected.strings.sorted(), answer.missing?.map(\.description))
    case "transformResults":
      let found = answer.writeResults?.map { ("", emptied(.array($0.transformResults))) }
      let wanted = try expected.elements.map { results in
        ("", Value.array(try results.elements.map { try filled($0).value() }))
      }
      return text(wanted, found)
    default: return "nothing compares this"
    }
  }

  // MARK: Parts

  private func differenceOfIndex(_ expected: JSONValue) -> String? {
    guard let index = answer.missingIndex else { return "none" }
    let isSingle = index.singleField != nil
    var fields = (isSingle ? Array(index.columns.prefix(1)) : index.columns).map { column in
      let mode = column.mode == .contains ? "arrayConfig" : "order"
      return "\(column.field) \(mode) \(column.mode.rawValue)"
    }
    if let vector = index.vector {
      // Production's command omits the name.
      fields.removeAll { $0.hasPrefix("__name__") }
      fields.append("\(vector.field) vector \(vector.dimension)")
    }
    let wanted = (expected["fields"]?.elements ?? []).map { field in
      let path = field["fieldPath"]?.string ?? ""
      if let vector = field["vectorConfig"] {
        let dimension = vector["dimension"]
        return "\(path) vector \(dimension?.string ?? dimension?.integer?.description ?? "")"
      }
      let mode = field["order"] == nil ? "arrayConfig" : "order"
      return "\(path) \(mode) \(field[mode]?.string ?? "")"
    }
    return text(expected["collectionGroup"]?.string, index.collectionGroup)
      ?? text(expected["queryScope"]?.string, index.scope.rawValue) ?? text(wanted, fields)
  }

  private func differenceOfPlan(_ expected: JSONValue) -> String? {
    let wanted = expected.elements.map {
      "\($0["scope"]?.string ?? "") \($0["properties"]?.string ?? "")"
    }
    let found = answer.indexesUsed?.map { index in
      let scope = index.scope == "Collection" ? "COLLECTION" : "COLLECTION_GROUP"
      return "\(scope) \(index.properties)"
    }
    // The order of a merge's members is arbitrary (§5.10).
    return text(wanted.sorted(), found?.sorted())
  }

  private func differenceOfStatistics(_ expected: JSONValue) -> String? {
    for (name, value) in expected.members {
      let found = answer.statistics?[name]
      if found != value.integer {
        return "\(name): expected \(value.integer ?? -1) found \(found ?? -1)"
      }
    }
    return nil
  }

  private var distanceField: FieldPath {
    let nearest = row.request?["findNearest"] ?? row.request?["structuredQuery"]?["findNearest"]
    return FieldPath(unchecked: [nearest?["distanceResultField"]?.string ?? ""])
  }

  private var httpStatus: Int {
    answer.httpStatus
      ?? DatabaseError.Code.allCases.first { $0.name == answer.status }?.httpStatus ?? 200
  }

  /// Returns the recorded value. A time that the server took is recorded as the least one.
  private func filled(_ json: JSONValue) throws -> JSONValue {
    json.replacing { node in
      node.string == "{commitTime}" ? .string(Timestamp.minimum.rfc3339) : nil
    }
  }

  /// Returns our value, with the least time in place of the times of our own commits.
  private func emptied(_ value: Value) -> Value {
    switch value {
    case .timestamp(let time) where answer.serverTimes.contains(time): .timestamp(.minimum)
    case .array(let elements): .array(elements.map(emptied))
    case .map(let map): .map(MapValue(map.map { ($0.name, emptied($0.value)) }))
    default: value
    }
  }

  private func byName(
    _ json: JSONValue, _ value: (JSONValue) throws -> Value
  ) throws -> [(String, Value)] {
    try json.members.map { ($0.0, try value(filled($0.1))) }
  }

  // MARK: Words

  private func text(_ expected: String?, _ found: String, beside note: String? = nil) -> String? {
    let expected = expected ?? "nothing"
    return expected == found
      ? nil : "expected \(expected) found \(found)\(note.map { " (\($0))" } ?? "")"
  }

  private func text(_ expected: [String], _ found: [String]?) -> String? {
    guard let found else { return "expected \(expected) found none" }
    return expected == found ? nil : "expected \(expected) found \(found)"
  }

  /// Compares values by name, exactly: 1 is not 1.0 here.
  private func text(_ expected: [(String, Value)], _ found: [(String, Value)]?) -> String? {
    let sorted = { (list: [(String, Value)]) in
      list.map { "\($0.0) = \($0.1.exactText)" }.sorted()
    }
    return text(sorted(expected), found.map(sorted))
  }
}

extension Value {
  /// The value in Firestore's typed JSON, in which different values have different texts.
  fileprivate var exactText: String {
    var typed: [UInt8] = []
    TypedJSON.append(self, to: &typed)
    return String(decoding: typed, as: UTF8.self)
  }
}

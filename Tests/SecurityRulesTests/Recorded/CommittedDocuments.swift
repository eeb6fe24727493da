import HearthDocumentModel
import HearthFirestoreJSON
import HearthSecurityRules

/// The documents around a request in memory: as they are, and as its writes leave them.
struct CommittedDocuments: RulesDocuments {
  private(set) var before: [ResourcePath: MapValue] = [:]
  private(set) var after: [ResourcePath: MapValue] = [:]
  private var written: Set<ResourcePath> = []

  /// Creates the documents of a seed; none without one.
  init(seed: JSONValue?) throws {
    for (path, fields) in seed?.members ?? [] {
      before[try ResourcePath(path)] = try TypedJSON.fields(from: fields.bytes)
    }
    after = before
  }

  func fields(at path: ResourcePath) throws -> MapValue? { before[path] }

  func fieldsAfter(at path: ResourcePath) throws -> MapValue? { after[path] }

  func writes(_ path: ResourcePath) -> Bool { written.contains(path) }

  /// Applies writes in order, and returns one operation for each document.
  mutating func apply(_ writes: [Write], at time: Timestamp) -> [RulesOperation] {
    for write in writes {
      switch write.operation {
      case .verify: break
      case .delete: after[write.path] = nil
      case .update(let fields, let mask):
        var document = mask == nil ? fields : after[write.path] ?? [:]
        for path in mask ?? [] { document.set(fields[path], at: path) }
        for transform in write.transforms {
          let value = transform.operation.applied(to: document[transform.field], at: time)
          document.set(value, at: transform.field)
        }
        after[write.path] = document
      }
      if write.operation != .verify { written.insert(write.path) }
    }
    var seen: Set<ResourcePath> = []
    return writes.filter { seen.insert($0.path).inserted }.map(operation)
  }

  /// Returns the operation of the first write to a document, with what all of them do.
  private func operation(_ write: Write) -> RulesOperation {
    let path = write.path
    guard written.contains(path) else { return .get(path, document: before[path]) }
    var mask: [FieldPath]?
    if case .update(_, let own) = write.operation { mask = own }
    var method: RulesMethod = before[path] == nil ? .create : .update
    if case .exists(let exists)? = write.precondition { method = exists ? .update : .create }
    if after[path] == nil { method = .delete }
    return .write(method, path, before: before[path], after: after[path], mask: mask)
  }
}

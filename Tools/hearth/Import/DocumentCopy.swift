import Hearth
import HearthFirestoreJSON

/// Copies documents from one database to another in batches.
struct DocumentCopy {
  private static let batchSize = 500
  private static let batchByteCount = 4 << 20

  /// Receives the number of documents copied so far, after each commit.
  var onCommit: (Int) -> Void = { _ in }
  private(set) var count = 0

  private let source: AdminSession
  private let target: AdminSession
  private var writes: [Write] = []
  private var byteCount = 0

  init(from source: AdminSession, to target: AdminSession) {
    self.source = source
    self.target = target
  }

  /// Copies all documents of `tree`.
  mutating func run(_ tree: Subtree) throws {
    let call = try QueryCall(RunnableQuery(tree.query))
    _ = try source.run(call) { try append($0) }
    try commit()
  }

  private mutating func append(_ document: DocumentMessage) throws {
    let (old, new) = (source.databaseID, target.databaseID)
    let fields = old == new ? document.fields : document.fields.movingReferences(old, to: new)
    writes.append(.set(document.name.path, fields))
    byteCount += fields.storageByteCount
    if writes.count >= DocumentCopy.batchSize || byteCount >= DocumentCopy.batchByteCount {
      try commit()
    }
  }

  private mutating func commit() throws {
    guard !writes.isEmpty else { return }
    _ = try target.run(CommitCall(writes))
    count += writes.count
    writes.removeAll(keepingCapacity: true)
    byteCount = 0
    onCommit(count)
  }
}

extension MapValue {
  /// Returns the fields with references to documents of `old` made references to those of `new`.
  fileprivate func movingReferences(_ old: DatabaseID, to new: DatabaseID) -> MapValue {
    MapValue(sorted: map { (name: $0.name, value: $0.value.movingReferences(old, to: new)) })
  }
}

extension Value {
  fileprivate func movingReferences(_ old: DatabaseID, to new: DatabaseID) -> Value {
    switch self {
    case .reference(let name) where name.database == old:
      .reference(DocumentName(unchecked: name.path, in: new))
    case .array(let elements): .array(elements.map { $0.movingReferences(old, to: new) })
    case .map(let fields): .map(fields.movingReferences(old, to: new))
    default: self
    }
  }
}

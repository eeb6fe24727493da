import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Compares kept counts with the documents of one view.
struct CountAudit {
  /// A wrong count.
  struct Fault {
    let key: [UInt8]
    /// The id of its counts; `nil` if it can't be read from the key.
    let id: UInt64?
    /// The fault in words.
    let problem: String

    fileprivate init(_ key: [UInt8], id: UInt64?, _ problem: String) {
      self.key = key
      self.id = id
      self.problem = problem
    }
  }

  private let view: ReadView
  private let extent: CountedExtent
  private let encoder: ValueEncoder
  private var expected: [[UInt8]: UInt64] = [:]

  init(_ view: ReadView) throws {
    self.view = view
    extent = try CountedExtent(view)
    encoder = ValueEncoder(own: view.databaseID)
  }

  mutating func add(_ document: StoredDocument) {
    guard let id = document.path.collectionID else { return }
    for counts in view.catalog.counts(of: id) where extent.holds(document.path, in: counts) {
      if let key = counts.key(of: document, encoder) { expected[key, default: 0] += 1 }
    }
  }

  /// Returns the counts that differ from those of the added documents.
  ///
  /// - Complexity: every kept count.
  func faults() throws -> [Fault] {
    var faults: [Fault] = []
    var expected = expected
    try view.snapshot.forEachEntry(in: .prefix(StorageKey.keptCountsPrefix)) { key, value in
      let bytes = [UInt8](copying: key)
      var id: UInt64?
      do {
        let countsID = try StorageKey.countsID(ofCount: key)
        id = countsID
        if isGone(countsID) { return true }
        let right = expected.removeValue(forKey: bytes) ?? 0
        let stored = try StorageKey.number(of: value)
        if stored != right { faults.append(Fault(bytes, id: id, "\(stored), expected \(right)")) }
      } catch {
        faults.append(Fault(bytes, id: id, "it can't be read: \(error)"))
      }
      return true
    }
    for (key, right) in expected {
      let id = try StorageKey.countsID(ofCount: key.span.bytes)
      faults.append(Fault(key, id: id, "0, expected \(right)"))
    }
    return faults
  }

  /// Whether the counts with an id were dropped: LevelDB may bring back some of their keys.
  private func isGone(_ id: UInt64) -> Bool {
    id < view.nextIndexID
      && !view.catalog.tunings.counts.contains { $0.id == id && $0.state != .retiring }
  }

  /// Returns the counts of a view that differ from its documents.
  ///
  /// - Complexity: every document and every kept count.
  static func faults(in view: ReadView) throws -> [Fault] {
    var audit = try CountAudit(view)
    let documents = KeyRange.prefix(StorageKey.documentsPrefix)
    try view.snapshot.forEachEntry(in: documents) { key, value in
      let number = try StorageKey.documentNumber(of: key)
      let record = try DocumentRecord(value, own: view.databaseID)
      if let collection = try view.collectionNumber(ofDocument: record.path) {
        audit.add(
          StoredDocument(
            number: number, collectionNumber: collection, document: try record.document()))
      }
      return true
    }
    return try audit.faults()
  }
}

package import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// What a check of the whole database found.
package struct IntegrityReport: Sendable {
  /// One thing that is not as it should be.
  package struct Problem: Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
      case damagedRecord = "damaged record"
      case missingEntry = "missing entry"
      case wrongEntry = "wrong entry"
      case strayEntry = "stray entry"
      case wrongCount = "wrong count"
    }

    package let kind: Kind
    /// Which document or key, and what about it.
    package let subject: String

    package var description: String { "\(kind.rawValue): \(subject)" }
  }

  package fileprivate(set) var documentCount = 0
  package fileprivate(set) var entryCount = 0
  package fileprivate(set) var problemCount = 0
  /// The first problems, a hundred at most.
  package fileprivate(set) var problems: [Problem] = []

  package var isClean: Bool { problemCount == 0 }

  fileprivate mutating func add(_ kind: Problem.Kind, _ subject: String) {
    problemCount += 1
    if problems.count < 100 { problems.append(Problem(kind: kind, subject: subject)) }
  }
}

/// Compares every document with every index entry, both ways, in one view.
///
/// First every document's entries are looked up. Where all of them are there and nothing is being
/// built or given up, an equal number of stored entries proves that there are no others. Only
/// otherwise is each stored entry traced back to its document.
struct IntegrityCheck {
  private let view: ReadView
  private var report = IntegrityReport()
  private var expectedCount = 0
  private var counts: CountAudit
  /// Where the entries are that are getting their documents' records, or losing them.
  private let unsettledPrefixes: [[UInt8]]

  static func run(
    _ view: ReadView, _ progress: (Int) -> Void
  ) throws(DatabaseError) -> IntegrityReport {
    try reportingErrors {
      var check = try IntegrityCheck(view)
      try check.checkDocuments(progress)
      try check.checkEntries()
      try check.checkCounts()
      return check.report
    }
  }

  private init(_ view: ReadView) throws {
    self.view = view
    counts = try CountAudit(view)
    unsettledPrefixes = view.catalog.tunings.covering.filter { $0.value != .ready }
      .map { StorageKey.compositePrefix(id: $0.key) }
  }

  // MARK: From documents to entries

  private mutating func checkDocuments(_ progress: (Int) -> Void) throws {
    let documents = KeyRange.prefix(StorageKey.documentsPrefix)
    try view.snapshot.forEachEntry(in: documents) { key, value in
      let number = try StorageKey.documentNumber(of: key)
      report.documentCount += 1
      do {
        try check(DocumentRecord([UInt8](copying: value), own: view.databaseID).document(), number)
      } catch let error as CorruptBytes {
        report.add(.damagedRecord, "document \(number): \(error)")
      }
      if report.documentCount % 1000 == 0 { progress(report.documentCount) }
      return true
    }
  }

  private mutating func check(_ document: Document, _ number: UInt64) throws {
    guard let collection = try view.collectionNumber(of: document.path.parent) else {
      report.add(.missingEntry, "\(document.path): its collection has no number")
      return
    }
    let stored = StoredDocument(number: number, collectionNumber: collection, document: document)
    counts.add(stored)
    for (key, value) in stored.expectedEntries(view.catalog, .complete) {
      expectedCount += 1
      let found = try view.snapshot.value(of: key)
      guard found != value, !isUnsettled(key, found, value) else { continue }
      report.add(
        found == nil ? .missingEntry : .wrongEntry,
        "\(document.path): \(describe(key))")
    }
  }

  /// Whether an entry differs only in its document's record, while records are put into the entries
  /// of its index or taken out.
  private func isUnsettled(_ key: [UInt8], _ found: [UInt8]?, _ value: [UInt8]) -> Bool {
    guard let found, unsettledPrefixes.contains(where: { key.starts(with: $0) }) else {
      return false
    }
    do {
      return try EntryValue.withoutRecord(found) == EntryValue.withoutRecord(value)
    } catch {
      return false
    }
  }

  // MARK: From entries to documents

  private mutating func checkEntries() throws {
    let count = try countEntries()
    report.entryCount = count
    let isSettled = view.catalog.isSettled
    guard !isSettled || !report.isClean || count != expectedCount else { return }
    let tracer = EntryTracer(view)
    for prefix in StorageKey.entryPrefixes {
      try view.snapshot.forEachEntry(in: .prefix(prefix)) { key, value in
        let key = [UInt8](copying: key)
        if let fault = try tracer.fault(of: key, [UInt8](copying: value)) {
          report.add(.strayEntry, "\(describe(key)): \(fault)")
        }
        return true
      }
    }
  }

  private func countEntries() throws -> Int {
    var count = 0
    for prefix in StorageKey.entryPrefixes {
      try view.snapshot.forEachEntry(in: .prefix(prefix)) { _, _ in
        count += 1
        return true
      }
    }
    return count
  }

  // MARK: Kept counts

  private mutating func checkCounts() throws {
    for fault in try counts.faults() {
      report.add(.wrongCount, "\(describe(fault.key)): \(fault.problem)")
    }
  }

  private func describe(_ key: [UInt8]) -> String { view.catalog.describe(key) }
}

extension Catalog {
  /// Whether no index is being built, given up or deleted.
  fileprivate var isSettled: Bool {
    droppedIDs.isEmpty && retiring.isEmpty
      && indexes.composites.allSatisfy { $0.state == .ready }
      && indexes.overrides.allSatisfy { $0.indexes.values.allSatisfy { $0 == .ready } }
  }
}

extension Engine {
  /// Compares every document with every index entry, both ways, as they are at this moment.
  ///
  /// - Parameter progress: is told the number of documents compared, now and then.
  /// - Complexity: every document and entry, each read once or twice.
  /// - Throws: what the store reports; what is found is in the report.
  package func verify(
    _ progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> IntegrityReport {
    try IntegrityCheck.run(readView(), progress)
  }
}

package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthReports
import HearthStorageFormat

/// Compares the two kept sums of each index, and samples of the stored documents and entries.
///
/// Sums tell whether a write ever forgot an entry or left one behind, at any time. Samples tell
/// what has happened to the stored bytes since.
struct QuickCheck {
  private let view: ReadView
  private let comparison: DocumentComparison
  private let tracer: EntryTracer
  private var report: QuickVerificationReport
  private var random: SampleGenerator
  private var tracedKeys: Set<[UInt8]> = []

  static func run(
    _ view: ReadView, sampleCount: Int, seed: UInt64, _ progress: (Int) -> Void
  ) throws(DatabaseError) -> QuickVerificationReport {
    try reportingErrors {
      var check = QuickCheck(view, seed: seed)
      try check.compareSums()
      if try check.hasAtMost(sampleCount) {
        try check.compareAll(progress)
      } else {
        try check.sample(sampleCount, progress)
      }
      return check.report
    }
  }

  private init(_ view: ReadView, seed: UInt64) {
    self.view = view
    comparison = DocumentComparison(view)
    tracer = EntryTracer(view)
    report = QuickVerificationReport(seed: seed)
    random = SampleGenerator(state: seed)
  }

  private mutating func compareSums() throws {
    report.keepsSums = view.catalog.tunings.keepsSums
    let audit = try SumAudit(view)
    report.summedCount = audit.completeSpaces.count
    report.unsummed = audit.uncountedSpaces.map(audit.describe).sorted {
      $0.utf8Compare($1) == .less
    }
    for space in audit.differingSpaces {
      report.findings.add(
        .wrongSum, "what was written of \(audit.describe(space)) is not what documents account for")
    }
  }

  /// Whether there are at most `count` documents.
  private func hasAtMost(_ count: Int) throws -> Bool {
    if view.nextDocumentNumber <= UInt64(count) { return true }
    // A sample costs more than counting one document.
    var left = count
    try view.snapshot.forEachEntry(in: .prefix(StorageKey.documentsPrefix)) { _, _ in
      left -= 1
      return left >= 0
    }
    return left >= 0
  }

  /// Compares all documents, which are too few to need samples.
  private mutating func compareAll(_ progress: (Int) -> Void) throws {
    let sums = report.findings
    report.findings = try IntegrityCheck.run(view, progress)
    report.isExhaustive = true
    report.lookedUpCount = report.findings.entryCount
    report.tracedCount = report.findings.entryCount
    // The whole check has compared the sums too, if it found nothing else.
    guard !report.findings.problems.contains(where: { $0.fault == .wrongSum }) else { return }
    for problem in sums.problems { report.findings.add(problem.fault, problem.subject) }
  }

  // MARK: Samples

  /// Draws until `count` documents are found, or more than `count` draws were in vain. A document
  /// that is drawn again isn't counted again, so that the chances are not overstated.
  private mutating func sample(_ count: Int, _ progress: (Int) -> Void) throws {
    let documents = try view.snapshot.makeCursor()
    let entries = try view.snapshot.makeCursor()
    var numbers: Set<UInt64> = []
    var vainCount = 0
    while numbers.count < count, vainCount <= count, try seekToAny(documents) {
      let number = try StorageKey.documentNumber(of: documents.key)
      guard numbers.insert(number).inserted else {
        vainCount += 1
        continue
      }
      report.findings.documentCount += 1
      do {
        if let key = try compare(documents.value, number) { try trace(after: key, entries) }
      } catch let error as CorruptBytes {
        report.findings.add(.damagedRecord, "document \(number): \(error)")
      }
      if report.findings.documentCount % 100 == 0 { progress(report.findings.documentCount) }
    }
    report.findings.entryCount = report.lookedUpCount + report.tracedCount
    try documents.checkReads()
    try entries.checkReads()
  }

  /// Moves the cursor to a random document. Each has the same chance while most numbers are in use.
  /// If most documents were deleted, those after a gap come more often.
  ///
  /// - Returns: `false` if there is none.
  private mutating func seekToAny(_ cursor: any StoreCursor) throws -> Bool {
    let range = KeyRange.prefix(StorageKey.documentsPrefix)
    for _ in 0..<8 {
      let key = StorageKey.document(random.next(below: view.nextDocumentNumber))
      try cursor.seek(to: key)
      if cursor.isValid, cursor.key.compare(key.span.bytes) == .equal { return true }
    }
    if !cursor.isValid || !range.contains(cursor.key) { try cursor.seek(to: range.lower) }
    return cursor.isValid && range.contains(cursor.key)
  }

  /// Looks up the entries of a document.
  ///
  /// - Returns: the key of a random entry, each with the same chance; `nil` if there is none.
  private mutating func compare(_ record: RawSpan, _ number: UInt64) throws -> [UInt8]? {
    let (document, found) = try comparison.storedDocument(record, number)
    guard let stored = found else {
      report.findings.add(.missingEntry, "\(document.path): its collection has no number")
      return nil
    }
    var keys: [[UInt8]] = []
    try comparison.forEachEntry(of: stored) { key, _, fault in
      keys.append(key)
      guard let fault else { return }
      report.findings.add(fault, "\(document.path): \(view.catalog.describe(key))")
    }
    report.lookedUpCount += keys.count
    return keys.isEmpty ? nil : keys[Int(random.next(below: UInt64(keys.count)))]
  }

  /// Traces the stored entry after `key` back to its document. So an entry that no document
  /// accounts for has the same chance as the one before it.
  private mutating func trace(after key: [UInt8], _ cursor: any StoreCursor) throws {
    try cursor.seek(to: key + [0])
    if !cursor.isValid { try cursor.seek(to: key) }
    guard cursor.isValid, try EntrySpace(ofKey: cursor.key) != nil else { return }
    let (key, value) = ([UInt8](copying: cursor.key), [UInt8](copying: cursor.value))
    guard tracedKeys.insert(key).inserted else { return }
    report.tracedCount += 1
    guard let fault = try tracer.fault(of: key, value) else { return }
    report.findings.add(.strayEntry, "\(view.catalog.describe(key)): \(fault)")
  }
}

/// A generator that makes the same samples for the same seed.
private struct SampleGenerator {
  var state: UInt64

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits &>> 31)
  }

  /// - Parameter limit: more than 0.
  mutating func next(below limit: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: limit).high
  }
}

extension Engine {
  /// Compares kept sums, and samples of documents and entries, as they are at this moment.
  ///
  /// - Parameters:
  ///   - sampleCount: the number of documents to draw. If there are no more, all are compared.
  ///   - seed: the seed of the samples. The same seed draws the same documents.
  ///   - progress: called now and then with the number of documents compared.
  /// - Complexity: the sampled documents, their entries, and one further entry for each.
  /// - Throws: `invalidArgument` for a negative number of samples; errors of the store. The faults
  ///   are in the report.
  package func verifyQuickly(
    sampleCount: Int = 5000, seed: UInt64, _ progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> QuickVerificationReport {
    guard sampleCount >= 0 else {
      throw .invalidArgument("The number of samples can't be negative.")
    }
    return try QuickCheck.run(readView(), sampleCount: sampleCount, seed: seed, progress)
  }
}

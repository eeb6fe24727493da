public import DocumentModel
import DocumentEngine

extension Database {
  /// Compares every document with every index entry, both ways, as they are at this moment.
  ///
  /// - Parameter progress: is told the number of documents compared, now and then.
  /// - Complexity: every document and entry, each read once or twice.
  /// - Throws: what the store reports; what is found is in the report.
  public func verify(
    progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> VerificationReport {
    try observed(.verify) { () throws(DatabaseError) in
      VerificationReport(try engine.verify(progress))
    }
  }

  /// The same, without blocking the calling thread.
  public func verify() async throws(DatabaseError) -> VerificationReport {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.verify() }
  }

  /// Compares samples of documents and index entries, and the sums of entries where
  /// ``IndexAdministration`` keeps them.
  ///
  /// The sums tell whether any write has ever forgotten an entry or left one behind; the samples,
  /// of what has become of the stored bytes. The report says how likely damage would be noticed.
  ///
  /// - Parameters:
  ///   - sampleCount: how many documents are drawn; where there are no more, all are compared.
  ///   - seed: the same draws the same documents of an unchanged database; `nil` draws anew.
  ///   - progress: is told the number of documents compared, now and then.
  /// - Complexity: the sampled documents with their entries, and one entry more of each.
  /// - Throws: `invalidArgument` for a negative `sampleCount`; what the store reports. What is
  ///   found is in the report.
  public func verifyQuickly(
    sampleCount: Int = 5000, seed: UInt64? = nil, progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> QuickVerificationReport {
    try observed(.verify) { () throws(DatabaseError) in
      let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
      return QuickVerificationReport(
        try engine.verifyQuickly(sampleCount: sampleCount, seed: seed, progress))
    }
  }

  /// The same, without blocking the calling thread.
  public func verifyQuickly(
    sampleCount: Int = 5000, seed: UInt64? = nil
  ) async throws(DatabaseError) -> QuickVerificationReport {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.verifyQuickly(sampleCount: sampleCount, seed: seed)
    }
  }

  /// Brings index entries and kept counts in line with the documents, while reads and writes go on.
  ///
  /// Documents are what counts: what they lack is put, what none accounts for is deleted. Those
  /// that can't be read are left as they are, with their entries, and told in the report; only
  /// `hearth salvage` gets at what is left of them.
  ///
  /// - Parameter progress: is told the number of documents looked at, now and then.
  /// - Complexity: every document and entry, each read once or twice.
  /// - Throws: what the store reports.
  @discardableResult
  public func repair(
    progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> RepairReport {
    try observed(.repair) { () throws(DatabaseError) in
      RepairReport(try engine.repair(progress))
    }
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func repair() async throws(DatabaseError) -> RepairReport {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.repair() }
  }
}

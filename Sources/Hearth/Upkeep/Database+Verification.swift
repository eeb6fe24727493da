import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthReports

extension Database {
  /// Compares every document with every index entry, in both directions, as they are at this
  /// moment.
  ///
  /// - Parameter progress: receives the number of documents compared, now and then.
  /// - Complexity: every document and entry, each read once or twice.
  /// - Throws: the store's error; differences are in the report.
  public func verify(
    progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> VerificationReport {
    try observed(.verify) { () throws(DatabaseError) in try engine.verify(progress) }
  }

  /// Does the same without blocking the calling thread.
  public func verify() async throws(DatabaseError) -> VerificationReport {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.verify() }
  }

  /// Compares samples of documents and index entries, and the sums of entries if
  /// ``IndexAdministration`` keeps them.
  ///
  /// The sums tell whether any write has ever missed an entry or left one in place. The samples
  /// tell whether the stored bytes were damaged. The report gives the probability that damage would
  /// have been found.
  ///
  /// - Parameters:
  ///   - sampleCount: the number of documents to draw; if there are no more, all are compared.
  ///   - seed: a seed that draws the same documents of an unchanged database each time; `nil` draws
  ///     anew.
  ///   - progress: receives the number of documents compared, now and then.
  /// - Complexity: the sampled documents with their entries, and one more entry for each.
  /// - Throws: `invalidArgument` for a negative `sampleCount`; the store's error. Differences are
  ///   in the report.
  public func verifyQuickly(
    sampleCount: Int = 5000, seed: UInt64? = nil, progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> QuickVerificationReport {
    try observed(.verify) { () throws(DatabaseError) in
      let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
      return try engine.verifyQuickly(sampleCount: sampleCount, seed: seed, progress)
    }
  }

  /// Does the same without blocking the calling thread.
  public func verifyQuickly(
    sampleCount: Int = 5000, seed: UInt64? = nil
  ) async throws(DatabaseError) -> QuickVerificationReport {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.verifyQuickly(sampleCount: sampleCount, seed: seed)
    }
  }

  /// Makes index entries and kept counts agree with the documents, while reads and writes go on.
  ///
  /// The documents decide: missing entries are put, and entries that no document accounts for are
  /// deleted. Documents that can't be read stay as they are, with their entries, and are listed in
  /// the report. Only `hearth salvage` can recover what is left of them.
  ///
  /// - Parameter progress: receives the number of documents examined, now and then.
  /// - Complexity: every document and entry, each read once or twice.
  /// - Throws: the store's error.
  @discardableResult
  public func repair(
    progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> RepairReport {
    try observed(.repair) { () throws(DatabaseError) in try engine.repair(progress) }
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func repair() async throws(DatabaseError) -> RepairReport {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.repair() }
  }
}

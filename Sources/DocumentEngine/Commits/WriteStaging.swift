package import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// Applies the writes of one request to a draft: first the documents, then the differences in their
/// index entries. Several writes of one document see each other (§7.1).
package struct WriteStaging {
  /// A document that the request touches: its stored version, and the version after the request.
  private struct Touched {
    /// The number of its collection; `nil` if the collection has never had a document.
    let collectionNumber: UInt64?
    let stored: StoredDocument?
    var document: Document?
    /// The creation of the document, if that was prepared. Then all requests together have one
    /// write of it, its precondition holds, since there is no document, and its size is checked.
    let creation: CommitPreparation.Creation?
  }

  private var touched: [Touched] = []
  /// The positions in `touched` of documents that may have several writes. If a request with
  /// several is judged, it has all documents.
  private var positions: [ResourcePath: Int] = [:]
  /// The number of prepared writes before these.
  private let passedWriteCount: Int
  private let isSingle: Bool
  private let isJudged: Bool

  private init(_ writes: [Write], isJudged: Bool, after draft: inout CommitDraft) {
    passedWriteCount = draft.passedWriteCount
    draft.passedWriteCount += writes.count
    isSingle = writes.count == 1
    self.isJudged = isJudged
    touched.reserveCapacity(writes.count)
    if !isSingle, isJudged || draft.preparation == nil { positions.reserveCapacity(writes.count) }
  }

  /// - Parameter judgement: the judgement of the writes; `nil` for none.
  package static func stage(
    _ writes: [Write], in draft: inout CommitDraft, judging judgement: CommitJudgement? = nil
  ) throws -> [WriteResult] {
    var staging = WriteStaging(writes, isJudged: judgement != nil, after: &draft)
    var results: [WriteResult] = []
    results.reserveCapacity(writes.count)
    if let judgement, !writes.isEmpty {
      results = try staging.apply(writes, in: &draft, judging: judgement)
    } else {
      // Loops over the arrays would copy each write and each document.
      let writes = writes.span
      for index in writes.indices {
        let position = try staging.position(of: writes[unchecked: index].path, index, in: draft)
        results.append(
          staging.touched[position].creation == nil
            ? try staging.apply(writes[unchecked: index], at: position, in: draft)
            : WriteResult(updateTime: draft.commitTime))
      }
    }
    let touched = staging.touched.span
    for index in touched.indices { try WriteStaging.append(touched[index], to: &draft) }
    return results
  }

  private mutating func apply(
    _ write: Write, at position: Int, in draft: CommitDraft
  ) throws -> WriteResult {
    let outcome = try application(of: write, at: position, in: draft).outcome()
    return note(outcome, at: position, in: draft)
  }

  /// Applies writes and has them judged. The error of a write, which tells of its document, is only
  /// thrown if the judgement allows all of them.
  private mutating func apply(
    _ writes: [Write], in draft: inout CommitDraft, judging judgement: CommitJudgement
  ) throws -> [WriteResult] {
    var failure: DatabaseError?
    let results = try writes.enumerated().map { index, write in
      let position = try position(of: write.path, index, in: draft)
      let application = application(of: write, at: position, in: draft)
      let outcome = application.uncheckedOutcome()
      do throws(DatabaseError) {
        if failure == nil, touched[position].creation == nil { try application.check(outcome) }
      } catch {
        failure = error
      }
      return note(outcome, at: position, in: draft)
    }
    draft.placeChanges()
    try judgement(request(of: writes, in: draft))
    if let failure { throw failure }
    return results
  }

  private func request(of writes: [Write], in draft: CommitDraft) -> StagedRequest {
    var first: [Write?] = Array(repeating: nil, count: touched.count)
    var isWritten = Array(repeating: false, count: touched.count)
    for write in writes {
      let position = positions[write.path] ?? 0
      if first[position] == nil { first[position] = write }
      if write.operation != .verify { isWritten[position] = true }
    }
    let documents = touched.indices.compactMap { position in
      first[position].map { write in
        StagedRequest.StagedDocument(
          firstWrite: write, isWritten: isWritten[position],
          before: touched[position].stored?.fields, after: touched[position].document?.fields)
      }
    }
    return StagedRequest(documents, at: positions, in: draft)
  }

  private func application(
    of write: Write, at position: Int, in draft: CommitDraft
  ) -> WriteApplication {
    WriteApplication(
      old: touched[position].document, write: write, commitTime: draft.commitTime,
      databaseID: draft.catalog.databaseID)
  }

  private mutating func note(
    _ outcome: WriteApplication.Outcome, at position: Int, in draft: CommitDraft
  ) -> WriteResult {
    touched[position].document = outcome.document
    return WriteResult(
      updateTime: outcome.document?.updateTime ?? draft.commitTime,
      transformResults: outcome.transformResults)
  }

  /// - Parameter index: the place of the document's write among those that are staged here.
  private mutating func position(
    of path: ResourcePath, _ index: Int, in draft: CommitDraft
  ) throws -> Int {
    let prepared = draft.preparation?.document(ofWrite: passedWriteCount + index, at: path)
    let isWrittenOnce = isSingle || (!isJudged && (prepared?.isWrittenOnce ?? false))
    if !isWrittenOnce, let position = positions.known(path, or: touched.count) { return position }
    let found = try prepared?.found.get() ?? StoredDocuments(draft.view).found(path)
    try draft.view.recordRead(of: path, found.stored?.number)
    touched.append(
      Touched(
        collectionNumber: found.collectionNumber, stored: found.stored,
        document: found.stored?.document,
        creation: draft.newCatalog == nil ? prepared?.creation : nil))
    return touched.count - 1
  }

  private static func append(_ touched: Touched, to draft: inout CommitDraft) throws {
    if let creation = touched.creation {
      return try create(creation.get(), in: &draft)
    }
    guard let document = touched.document else {
      if let stored = touched.stored { try delete(stored, from: &draft) }
      return
    }
    guard let stored = touched.stored else {
      return try create(document, inCollection: touched.collectionNumber, in: &draft)
    }
    // An unchanged document keeps its time. A changed one has the commit's time, which is later.
    guard document.updateTime != stored.document.updateTime else { return }
    try replace(
      stored, by: document, ChangedFields(from: stored.fields, to: document.fields), in: &draft)
  }

  /// Appends a prepared change that creates a document. Another change is made if the number, or
  /// whether entries are deferred, isn't as foreseen.
  private static func create(_ change: DocumentChange, in draft: inout CommitDraft) throws {
    if change.new?.number == draft.documentNumbers.next,
      change.defersEntries == draft.defersEntries
    {
      _ = draft.takeDocumentNumber()
      return try draft.append(change)
    }
    guard let new = change.new else {
      throw DatabaseError(.internal, "The prepared change of \(change.path) creates nothing.")
    }
    try create(new.document, inCollection: new.collectionNumber, in: &draft)
  }

  /// - Parameter isChecked: whether the entries must be within the limits.
  private static func create(
    _ document: Document, inCollection number: UInt64?, isChecked: Bool = true,
    in draft: inout CommitDraft
  ) throws {
    let new = StoredDocument(
      number: draft.takeDocumentNumber(),
      collectionNumber: try number ?? draft.foundCollection(document.path.parent),
      document: document)
    let entries = IndexEntries(of: new, catalog: draft.catalog)
    try draft.append(
      DocumentChange(
        new.path, from: nil, to: new, isChecked ? entries.checkedList() : entries.list(),
        defersEntries: draft.defersEntries))
  }

  /// Puts a document that doesn't exist, with its old times. Its entries were within the limits
  /// when it was written.
  package static func restore(_ document: Document, in draft: inout CommitDraft) throws {
    try create(document, inCollection: nil, isChecked: false, in: &draft)
  }

  /// Replaces a document. Entries are made only for the changed fields. Those of the others stay as
  /// they are.
  private static func replace(
    _ old: StoredDocument, by document: Document, _ fields: ChangedFields,
    in draft: inout CommitDraft
  ) throws {
    let new = StoredDocument(
      number: old.number, collectionNumber: old.collectionNumber, document: document)
    let catalog = draft.catalog
    var oldEntries = IndexEntries(of: old, catalog: catalog, .present, changed: fields).list()
    var newEntries = try IndexEntries(of: new, catalog: catalog, changed: fields).checkedList()
    if document.mayReachEntryLimits(compositeCount: catalog.indexes.composites.count) {
      _ = try IndexEntries(of: new, catalog: catalog).checkedList()
    }
    oldEntries.sort()
    newEntries.sort()
    try draft.append(DocumentChange(new.path, from: old, oldEntries, to: new, newEntries))
  }

  private static func delete(_ old: StoredDocument, from draft: inout CommitDraft) throws {
    let entries = IndexEntries(of: old, catalog: draft.catalog, .present).list()
    try draft.append(DocumentChange(old.path, from: old, entries, to: nil))
  }
}

extension Document {
  /// Whether the document may have more entries than §1.2 allows, or entries that are too large
  /// together. It is an estimate that makes no entries. `false` is certain if no single entry is
  /// too large.
  fileprivate func mayReachEntryLimits(compositeCount: Int) -> Bool {
    // Each value and each element has up to four automatic entries. A composite index has no more
    // entries than there are elements.
    let entryCount = fields.valueCount * (compositeCount + 4)
    return entryCount > Limits.indexEntriesByteCount / Limits.indexEntryByteCount
  }
}

extension MapValue {
  /// The number of values at all depths, those of arrays included.
  fileprivate var valueCount: Int {
    reduce(1) { count, field in
      switch field.value {
      case .map(let map): count + 1 + map.valueCount
      case .array(let elements): count + 1 + elements.count
      default: count + 1
      }
    }
  }
}

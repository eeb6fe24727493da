import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthReports
import HearthStorageFormat

/// Compares documents with the entries that they must have, in one view.
struct DocumentComparison {
  private let view: ReadView
  /// Prefixes of the indexes whose entries are getting their documents' records, or losing them.
  private let unsettledPrefixes: [[UInt8]]
  private let passesOverDamage: Bool

  /// - Parameter passesOverDamage: whether entries that can't be read are left out.
  init(_ view: ReadView, passesOverDamage: Bool = false) {
    self.view = view
    self.passesOverDamage = passesOverDamage
    unsettledPrefixes = view.catalog.tunings.covering.filter { $0.value != .ready }
      .map { StorageKey.compositePrefix(id: $0.key) }
  }

  /// Returns the document of a record, alone and with its numbers; `nil` for the second if its
  /// collection has no number.
  ///
  /// - Throws: ``CorruptBytes`` for a record that can't be read.
  func storedDocument(_ record: RawSpan, _ number: UInt64) throws -> (Document, StoredDocument?) {
    let document = try DocumentRecord(record, own: view.databaseID).document()
    let stored = try view.collectionNumber(ofDocument: document.path).map {
      StoredDocument(number: number, collectionNumber: $0, document: document)
    }
    return (document, stored)
  }

  /// Looks up each entry that a document must have, and calls `body` with the entry and its fault;
  /// `nil` for an entry without a fault.
  func forEachEntry(
    of document: StoredDocument,
    _ body: (
      _ key: [UInt8], _ value: [UInt8], _ fault: VerificationReport.Fault?
    ) throws -> Void
  ) throws {
    for (key, value) in document.expectedEntries(view.catalog, .complete) {
      let found: [UInt8]?
      do throws(StoreError) {
        found = try view.snapshot.value(of: key)
      } catch {
        guard passesOverDamage, error.code == .corrupt else { throw error }
        continue
      }
      let isRight = EntryValue.areEqual(found, value, at: key) || isUnsettled(key, found, value)
      try body(key, value, isRight ? nil : found == nil ? .missingEntry : .wrongEntry)
    }
  }

  /// Whether an entry differs only in its document's record, while the entries of its index are
  /// getting records or losing them.
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
}

import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// Traces stored entries back to their documents.
final class EntryTracer {
  private let view: ReadView
  private let fetcher: DocumentFetcher
  /// The keys that the last document accounts for. The entries of one array's elements come in a
  /// row.
  private var last: (number: UInt64, path: ResourcePath, keys: Set<[UInt8]>)?

  init(_ view: ReadView) {
    self.view = view
    fetcher = DocumentFetcher(view)
  }

  /// Returns the reason why the entry should not exist; `nil` if its document accounts for it, or
  /// if it is what is left of an index that is gone.
  func fault(of key: [UInt8], _ value: [UInt8]) throws -> String? {
    do {
      if let space = try EntrySpace(ofKey: key.span.bytes), view.isGone(space) { return nil }
      let number = try EntryValue.read(value.span.bytes).documentNumber
      let document = try keys(ofDocument: number)
      return document.keys.contains(key) ? nil : "\(document.path) has no such entry"
    } catch let error as CorruptBytes {
      return error.description
    } catch let error as DatabaseError where error.code == .dataLoss {
      return error.message
    }
  }

  private func keys(
    ofDocument number: UInt64
  ) throws -> (number: UInt64, path: ResourcePath, keys: Set<[UInt8]>) {
    if let last, last.number == number { return last }
    let document = try fetcher.document(number).document()
    var keys: Set<[UInt8]> = []
    if let collection = try view.collectionNumber(ofDocument: document.path) {
      let stored = StoredDocument(
        number: number, collectionNumber: collection, document: document)
      keys = Set(stored.expectedEntries(view.catalog, .present).map(\.key))
    }
    let found = (number, document.path, keys)
    last = found
    return found
  }
}

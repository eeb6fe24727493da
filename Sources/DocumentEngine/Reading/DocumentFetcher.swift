import DocumentModel
import OrderedStore
import StorageFormat

/// Reads documents by number with one cursor that moves through them.
///
/// Documents are stored in the order of their creation, so the next one that is wanted often lies a
/// few steps ahead of the last; then stepping is cheaper than a look-up by key, which searches all
/// levels.
final class DocumentFetcher {
  /// How far ahead a document may lie to be reached by steps.
  private static let stepLimit: UInt64 = 8

  private let snapshot: any StoreSnapshot
  private let own: DatabaseID
  private var cursor: (any StoreCursor)?
  private var position: UInt64 = 0
  private var key: [UInt8] = []
  private(set) var documentsRead = 0
  private(set) var documentBytesRead = 0
  /// The documents that were read, where somebody wants to know.
  private(set) var numbersRead: [UInt64]?

  init(_ snapshot: any StoreSnapshot, own: DatabaseID, isRecording: Bool = false) {
    self.snapshot = snapshot
    self.own = own
    numbersRead = isRecording ? [] : nil
  }

  /// - Throws: `dataLoss` if there is no such document: an entry led here.
  func document(_ number: UInt64) throws -> DocumentRecord {
    let cursor = try self.cursor ?? snapshot.makeCursor()
    self.cursor = cursor
    key = StorageKey.document(number)
    try move(cursor, to: number)
    guard cursor.isValid, cursor.key.compare(key.span.bytes) == .equal else {
      // It stands elsewhere now, and nothing may be concluded from the last position.
      self.cursor = nil
      position = 0
      throw DatabaseError.damaged("An index entry names document \(number), which is not there.")
    }
    position = number
    let bytes = [UInt8](copying: cursor.value)
    documentsRead += 1
    numbersRead?.append(number)
    documentBytesRead += bytes.count
    return try DocumentRecord(bytes, own: own)
  }

  private func move(_ cursor: any StoreCursor, to number: UInt64) throws {
    if cursor.isValid, number > position, number - position <= DocumentFetcher.stepLimit {
      while cursor.isValid, cursor.key.compare(key.span.bytes) == .less { try cursor.next() }
    } else if !cursor.isValid || number != position {
      try cursor.seek(to: key)
    }
  }

  /// Throws if anything could not be read; to be called before results are final.
  func checkReads() throws { try cursor?.checkReads() }
}

import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Iterates over the ids of a collection's documents in order. It can include missing documents,
/// which don't exist but have documents below them (§1.1).
final class CollectionMembers {
  struct Member {
    let id: String
    /// The document's number; `nil` for a missing document.
    let number: UInt64?
  }

  private let view: ReadView
  private let collection: ResourcePath
  /// The cursor on the next document's name; `nil` in a collection that never had a document.
  private let names: (any StoreCursor)?
  /// The names that are listed.
  private let nameRange: KeyRange
  private let namePrefixByteCount: Int
  /// The cursor on the next collection below a document; `nil` without missing documents.
  private let subcollections: (any StoreCursor)?
  private let subcollectionRange: KeyRange
  private var deadline: Deadline

  init(
    of collection: ResourcePath, in view: ReadView, after id: String?, includingMissing: Bool,
    deadline: ContinuousClock.Instant? = nil
  ) throws {
    self.view = view
    self.deadline = Deadline(deadline)
    self.collection = collection
    let number = try view.collectionNumber(of: collection)
    let prefix = number.map { StorageKey.namePrefix(collection: $0) } ?? []
    namePrefixByteCount = prefix.count
    // The first key after another is the same with a zero appended.
    let start = number.flatMap { number in
      id.map { StorageKey.name(collection: number, id: $0) + [0] }
    }
    nameRange = KeyRange(lower: start ?? prefix, upper: KeyRange.prefix(prefix).upper)
    names = try number.map { _ in
      let cursor = try view.snapshot.makeCursor()
      try cursor.seek(to: start ?? prefix)
      return cursor
    }
    // The first key of the prefix is the collection's own.
    subcollectionRange = KeyRange(
      lower: StorageKey.collection(collection) + [0],
      upper: KeyRange.prefix(StorageKey.collectionsPrefix(below: collection)).upper)
    subcollections = try includingMissing ? view.snapshot.makeCursor() : nil
    if let id {
      try skipSubcollections(of: id)
    } else {
      try subcollections?.seek(to: subcollectionRange.lower)
    }
  }

  /// - Complexity: one key for a document, and a few for one that has collections below it.
  func next() throws -> Member? {
    while true {
      try deadline.check()
      let document = try nextDocument()
      let parentID = try nextParentID()
      if let document, parentID.map({ document.id.utf8Compare($0) != .greater }) ?? true {
        try names?.next()
        if let parentID, parentID.utf8Equal(document.id) { try skipSubcollections(of: parentID) }
        return document
      }
      guard let parentID else { return nil }
      let isMissing = try view.holdsDocuments(
        below: collection.appending(unchecked: parentID), &deadline)
      try skipSubcollections(of: parentID)
      if isMissing { return Member(id: parentID, number: nil) }
    }
  }

  /// Throws if anything could not be read, and records what was read. Must be called before results
  /// are final.
  func finish() throws {
    try names?.checkReads()
    try subcollections?.checkReads()
    view.recorder?.record(appendReads)
  }

  private func appendReads(to reads: inout ReadSet) {
    if let names {
      if names.isValid, nameRange.contains(names.key) {
        reads.insertScan(from: nameRange.lower, through: names.key)
      } else {
        reads.insertScan(of: nameRange)
      }
    } else {
      // The collection's first document writes this key.
      reads.insert(StorageKey.collection(collection))
    }
    if subcollections != nil { reads.insertScan(of: subcollectionRange) }
  }

  private func nextDocument() throws -> Member? {
    guard let names, names.isValid, nameRange.contains(names.key) else { return nil }
    var offset = namePrefixByteCount
    let id = try OrderedName.documentID(from: names.key, at: &offset, .ascending)
    return Member(id: id, number: try EntryValue.documentNumber(names.value))
  }

  /// Returns the id of the document above the next subcollection.
  private func nextParentID() throws -> String? {
    guard let subcollections, subcollections.isValid,
      subcollectionRange.contains(subcollections.key)
    else { return nil }
    let path = try StorageKey.collectionPath(of: subcollections.key)
    guard path.segments.count > collection.segments.count else {
      throw DatabaseError.damaged("\(path) is a collection below \(collection).")
    }
    return path.segments[collection.segments.count]
  }

  private func skipSubcollections(of id: String) throws {
    let below = StorageKey.collectionsPrefix(below: collection.appending(unchecked: id))
    try subcollections?.seek(to: KeyRange.prefix(below).upper)
  }
}

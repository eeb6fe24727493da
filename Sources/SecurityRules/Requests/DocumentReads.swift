import HearthDocumentModel

/// The documents that the rules have read for one request, each kept once, and their limits.
final class DocumentReads {
  private static let requestLimit = 20

  /// A document as it was, or as it will be.
  private struct Key: Hashable {
    let path: ResourcePath
    let isAfter: Bool
  }

  private let documents: any RulesDocuments
  private var known: [Key: MapValue?] = [:]
  /// The number of documents that count among those of the request.
  private var countedCount = 0
  /// The documents of the request's operations themselves, which don't count.
  private var own: Set<ResourcePath> = []
  /// The operations' documents that no read has looked for yet. Most rules read no document.
  private var newOwn: [ResourcePath] = []
  /// The documents of the operation that is being judged.
  private var inOperation: Set<Key> = []
  private var operationLimit = 0
  /// The paths of all documents that were read, in order.
  private(set) var paths: [ResourcePath] = []
  /// The error of a read that failed.
  private(set) var failure: (any Error)?

  init(_ documents: any RulesDocuments) {
    self.documents = documents
  }

  /// Begins an operation, which may read `limit` documents.
  ///
  /// - Parameter path: the document of the operation; `nil` for a query.
  func beginOperation(on path: ResourcePath?, limit: Int) {
    operationLimit = limit
    if !inOperation.isEmpty { inOperation.removeAll() }
    if let path { newOwn.append(path) }
  }

  /// Returns the fields of a document to which the operation is fixed, and which doesn't count;
  /// `nil` if there is none.
  ///
  /// - Throws: `failure` if the read failed.
  func fields(ofOwn path: ResourcePath) throws(DocumentReadError) -> MapValue? {
    own.insert(path)
    return try fields(at: path, isAfter: false)
  }

  /// Returns the fields of a document; `nil` if there is none.
  ///
  /// - Throws: `limit` for one document too many, `failure` if the read failed.
  func fields(at path: ResourcePath, isAfter: Bool) throws(DocumentReadError) -> MapValue? {
    let key = Key(path: path, isAfter: isAfter && documents.writes(path))
    own.formUnion(newOwn)
    newOwn.removeAll()
    let isOwn = own.contains(path)
    if !isOwn, !inOperation.contains(key) {
      guard inOperation.count < operationLimit else { throw .limit }
      inOperation.insert(key)
    }
    if let fields = known[key] { return fields }
    guard isOwn || countedCount < DocumentReads.requestLimit else { throw .limit }
    do {
      let fields =
        key.isAfter ? try documents.fieldsAfter(at: path) : try documents.fields(at: path)
      known[key] = .some(fields)
      if !isOwn { countedCount += 1 }
      paths.append(path)
      return fields
    } catch {
      failure = error
      throw .failure
    }
  }
}

/// The reason a document was not read for a rule.
enum DocumentReadError: Error {
  /// The operation or the request has read as many as it may.
  case limit
  /// The read failed. The error lies with the reads.
  case failure
}

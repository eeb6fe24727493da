import Hearth

/// A collection: the place of its documents, and the query for all of them.
public final class CollectionReference: Query, @unchecked Sendable {
  /// The collection's id: the last segment of the path.
  public let collectionID: String
  /// Path from the root of the database.
  public let path: String
  private let stored: Result<Hearth.CollectionReference, any Error>

  init(
    _ stored: Result<Hearth.CollectionReference, any Error>, at path: String,
    in firestore: Firestore
  ) {
    self.stored = stored
    self.path = (try? stored.get())?.path.description ?? path
    collectionID = self.path.split(separator: "/").last.map { String($0) } ?? ""
    super.init(firestore, stored.map(\.query))
  }

  convenience init(_ path: String, in firestore: Firestore) {
    self.init(
      Result { try firestore.database().collection(path.trimmingSlashes) }, at: path,
      in: firestore)
  }

  /// The document that the collection is below; `nil` for a top-level collection.
  public var parent: DocumentReference? {
    switch stored {
    case .success(let stored):
      stored.parent.map { DocumentReference($0, in: firestore) }
    case .failure(let error):
      path.withoutLastSegment.isEmpty
        ? nil
        : DocumentReference(failing: error, at: path.withoutLastSegment, in: firestore)
    }
  }

  /// Returns a reference to a new document with an id of 20 random letters and digits (§1.1).
  public func document() -> DocumentReference {
    switch stored {
    case .success(let stored): DocumentReference(stored.document(), in: firestore)
    case .failure(let error): DocumentReference(failing: error, at: path, in: firestore)
    }
  }

  /// Returns a reference to the document at a path below the collection, whether it exists or not.
  public func document(_ documentPath: String) -> DocumentReference {
    switch stored {
    case .success:
      DocumentReference("\(path)/\(documentPath.trimmingSlashes)", in: firestore)
    case .failure(let error):
      DocumentReference(failing: error, at: "\(path)/\(documentPath)", in: firestore)
    }
  }
}

extension Firestore {
  /// Returns a reference to the collection at `path`, such as `tasks` or `lists/home/tasks`.
  public func collection(_ path: String) -> CollectionReference {
    CollectionReference(path, in: self)
  }
}

extension DocumentReference {
  /// The collection that the document is in.
  public var parent: CollectionReference {
    CollectionReference(target.map(\.parent), at: path.withoutLastSegment, in: firestore)
  }

  /// Returns a reference to the collection at a path below the document.
  public func collection(_ collectionPath: String) -> CollectionReference {
    CollectionReference("\(path)/\(collectionPath.trimmingSlashes)", in: firestore)
  }
}

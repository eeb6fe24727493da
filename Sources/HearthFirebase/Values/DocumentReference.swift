import Foundation
import Hearth

/// The place of a document, whether the document exists or not.
public final class DocumentReference: Sendable {
  /// The database that the document is in.
  public let firestore: Firestore
  /// The document's id: the last segment of the path.
  public let documentID: String
  /// Path from the root of the database.
  public let path: String
  /// Hearth's reference, or the error with which every call fails.
  let target: Result<Hearth.DocumentReference, any Error>

  private init(
    _ path: ResourcePath, _ target: Result<Hearth.DocumentReference, any Error>,
    in firestore: Firestore
  ) {
    self.firestore = firestore
    self.path = path.description
    documentID = path.lastSegment ?? ""
    self.target = target
  }

  convenience init(_ reference: Hearth.DocumentReference, in firestore: Firestore) {
    self.init(reference.path, .success(reference), in: firestore)
  }

  /// Creates a reference from a stored one, perhaps to another database.
  convenience init(_ name: DocumentName, in firestore: Firestore) {
    self.init(
      name.path, Result { try firestore.database().document(name) }, in: firestore)
  }

  init(_ path: String, in firestore: Firestore) {
    self.firestore = firestore
    target = Result { try firestore.database().document(path.trimmingSlashes) }
    self.path = (try? target.get())?.path.description ?? path
    documentID = self.path.split(separator: "/").last.map { String($0) } ?? ""
  }

  init(failing error: any Error, at path: String, in firestore: Firestore) {
    self.firestore = firestore
    target = .failure(error)
    self.path = path
    documentID = path.split(separator: "/").last.map { String($0) } ?? ""
  }

  /// Returns the reference value that stands for the document in a field.
  func name() throws(DatabaseError) -> DocumentName {
    do {
      return try target.get().name()
    } catch {
      throw error as? DatabaseError
        ?? DatabaseError(.invalidArgument, error.localizedDescription, cause: error)
    }
  }
}

extension Firestore {
  /// Returns a reference to the document at `path`, such as `tasks/4711`, whether it exists or not.
  public func document(_ path: String) -> DocumentReference {
    DocumentReference(path, in: self)
  }
}

extension DocumentReference: Hashable {
  /// Whether both are the same place in the same open database.
  public static func == (left: DocumentReference, right: DocumentReference) -> Bool {
    switch (left.target, right.target) {
    case (.success(let left), .success(let right)): left == right
    default: left === right
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch target {
    case .success(let reference): hasher.combine(reference)
    case .failure: hasher.combine(ObjectIdentifier(self))
    }
  }
}

extension DocumentReference: CustomStringConvertible {
  public var description: String { "<DocumentReference: \(path)>" }
}

extension String {
  /// The path without the slashes at its ends, which Firebase ignores.
  var trimmingSlashes: String {
    var text = self[...]
    while text.utf8.first == UInt8(ascii: "/") { text.removeFirst() }
    while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
    return String(text)
  }

  var withoutLastSegment: String {
    split(separator: "/").dropLast().joined(separator: "/")
  }
}

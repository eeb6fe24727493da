import Hearth
import HearthDocumentModel
import HearthProtocols

/// The state from which a target goes on: its client knows the result there.
enum Resumption {
  case token(ResumeToken)
  case time(Timestamp)

  /// - Returns: `nil` for a target that begins anew.
  /// - Throws: `invalidArgument` for bytes that are no token of this database's.
  init?(_ message: V1.Target.OneOf_ResumeType?, of database: DatabaseID) throws(DatabaseError) {
    switch message {
    case .resumeToken(let bytes):
      guard !bytes.isEmpty else { return nil }
      self = .token(try ResumeToken(bytes, of: database))
    case .readTime(let time): self = .time(try Timestamp(ofVersion: time))
    case nil: return nil
    }
  }

  /// Returns the database in that state; `nil` if the state isn't kept, or was that of another
  /// database of the same name.
  func snapshot(of database: Database) -> DatabaseSnapshot? {
    switch self {
    case .time(let time): return try? database.snapshot(at: time)
    case .token(let token):
      if let latest = try? database.snapshot(), token.isOf(latest) { return latest }
      guard let earlier = try? database.snapshot(at: token.commitTime), token.isOf(earlier)
      else { return nil }
      return earlier
    }
  }
}

extension ResumeToken {
  /// Whether it names the state of a snapshot.
  fileprivate func isOf(_ snapshot: DatabaseSnapshot) -> Bool {
    snapshot.commitNumber == commitNumber && snapshot.commitTime == commitTime
  }
}

/// The documents of a target's result in the state from which it goes on, each with the time of its
/// version. A document has no two versions of one time.
struct KnownResult {
  private(set) var versions: [ResourcePath: Timestamp] = [:]

  mutating func add(_ document: DocumentSnapshot) {
    if let time = document.updateTime { versions[document.reference.path] = time }
  }

  /// Removes a document that is in the present result too.
  ///
  /// - Returns: whether it is the same version.
  mutating func take(_ document: DocumentSnapshot) -> Bool {
    versions.removeValue(forKey: document.reference.path).map { $0 == document.updateTime } ?? false
  }
}

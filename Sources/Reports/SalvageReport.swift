public import HearthDocumentModel

/// A finding of a salvage that isn't certain.
public struct SalvageFinding: Sendable, Hashable, Codable {
  /// Kinds of uncertainty.
  public enum Kind: String, Sendable, CaseIterable, Codable {
    /// The document was recovered, but there may have been a later version.
    case possiblyStale = "possibly stale"
    /// The same as `possiblyStale`, and the document may have been deleted.
    case possiblyDeleted = "possibly stale or deleted"
    /// The document existed, and nothing of it can be read.
    case lost = "lost"
    /// The same as `lost`, unless the document was deleted.
    case possiblyLost = "lost or deleted"
    /// A setting of the whole database, such as an index, may have been different.
    case setting = "setting"
  }

  /// Kind of uncertainty.
  public let kind: Kind
  /// Path of the document, or the setting in words.
  public let subject: String
  /// The damage, as a file and a place in it, with its possible contents.
  public let reason: String

  package init(kind: Kind, subject: String, reason: String) {
    self.kind = kind
    self.subject = subject
    self.reason = reason
  }
}

/// Result of a salvage.
public struct SalvageReport: Sendable, Codable {
  /// A place that can't be read.
  public struct Damage: Sendable, Hashable, Codable {
    /// The file, and the place in it.
    public let place: String
    /// Possible contents of the place, such as `documents, names`; empty if nothing was lost.
    public let contents: String

    package init(place: String, contents: String) {
      self.place = place
      self.contents = contents
    }
  }

  /// The identity of the new database.
  public package(set) var databaseID = DatabaseID.default
  /// Number of documents in the new database.
  public package(set) var documentCount = 0
  /// Number of documents in the new database that may be stale or deleted.
  public package(set) var doubtfulCount = 0
  /// Number of doubtful documents left out at the caller's request.
  public package(set) var leftOutCount = 0
  /// Number of documents of which only the name is left.
  public package(set) var lostCount = 0
  /// Number of indexes and other settings that may have been different.
  public package(set) var settingCount = 0
  /// Whether there may have been documents of which not even the name is left, so that they can't
  /// be listed.
  public package(set) var mayLackNames = false
  /// Places that can't be read.
  public package(set) var damage: [Damage] = []

  package init() {}

  /// Whether the new database has everything that the damaged one had: no data was lost.
  public var isComplete: Bool {
    doubtfulCount == 0 && leftOutCount == 0 && lostCount == 0 && settingCount == 0
      && !mayLackNames
  }
}

package import DocumentModel

/// Something that a salvage can't vouch for.
package struct SalvageFinding: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The document was recovered, but there may have been a later version.
    case possiblyStale = "possibly stale"
    /// The same, and it may have been deleted.
    case possiblyDeleted = "possibly stale or deleted"
    /// The document was there, and nothing of it can be read.
    case lost = "lost"
    /// The same, unless it was deleted.
    case possiblyLost = "lost or deleted"
    /// Something that was set for the whole database, such as an index.
    case setting = "setting"
  }

  package let kind: Kind
  /// A document's path; what was set, in words.
  package let subject: String
  package let reason: String
}

/// What came of a salvage.
package struct SalvageReport: Sendable {
  /// A place that can't be read.
  package struct Damage: Sendable {
    /// The file, and where in it.
    package let place: String
    /// What may have stood there, in words; empty where nothing was lost.
    package let contents: String
  }

  package internal(set) var databaseID = DatabaseID.default
  /// Documents in the new database.
  package internal(set) var documentCount = 0
  /// Those among them that may not be what they were.
  package internal(set) var doubtfulCount = 0
  /// Doubtful ones that were left out, where that was asked for.
  package internal(set) var leftOutCount = 0
  /// Documents of which the name is known and nothing else.
  package internal(set) var lostCount = 0
  /// Settings that may have been others.
  package internal(set) var settingCount = 0
  /// Whether there may have been documents of which not even the name is known.
  package internal(set) var mayLackNames = false
  package internal(set) var damage: [Damage] = []

  /// Whether the new database holds all that the damaged one did, as it was.
  package var isComplete: Bool {
    doubtfulCount == 0 && leftOutCount == 0 && lostCount == 0 && settingCount == 0
      && !mayLackNames
  }
}

import DocumentEngine
package import DocumentModel

/// A part of the database that a salvage can't be sure of.
package struct SalvageFinding: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The document was recovered, but there may have been a later version.
    case possiblyStale = "possibly stale"
    /// The document was recovered, but there may have been a later version, or it was deleted.
    case possiblyDeleted = "possibly stale or deleted"
    /// The document existed, and nothing of it can be read.
    case lost = "lost"
    /// The document may have existed or been deleted, and nothing of it can be read.
    case possiblyLost = "lost or deleted"
    /// A setting of the whole database, such as an index.
    case setting = "setting"
  }

  package let kind: Kind
  /// A document's path; for a setting, its description in words.
  package let subject: String
  package let reason: String
}

/// The results of a salvage.
package struct SalvageReport: Sendable {
  /// A place that can't be read.
  package struct Damage: Sendable {
    /// The file and the place in it.
    package let place: String
    /// The kinds of data that may have been there, in words; empty if nothing was lost.
    package let contents: String
  }

  package internal(set) var databaseID = DatabaseID.default
  /// Documents in the new database.
  package internal(set) var documentCount = 0
  /// Documents among them that may be stale or deleted.
  package internal(set) var doubtfulCount = 0
  /// Doubtful documents that were left out on request.
  package internal(set) var leftOutCount = 0
  /// Documents whose name is known and nothing else.
  package internal(set) var lostCount = 0
  /// Settings that may have been different.
  package internal(set) var settingCount = 0
  /// Whether there may have been documents whose names are lost too.
  package internal(set) var mayLackNames = false
  package internal(set) var damage: [Damage] = []

  /// Whether the new database holds all data of the damaged one unchanged.
  package var isComplete: Bool {
    doubtfulCount == 0 && leftOutCount == 0 && lostCount == 0 && settingCount == 0
      && !mayLackNames
  }
}

public import Hearth
public import HearthDocumentModel
public import HearthSecurityRules

/// Security rules over a database, by which the requests of its users are judged.
///
/// ```swift
/// let rules = try database.rules(text)
/// let alice = rules.asUser("alice", claims: ["admin": true])
/// let task = try alice.getDocument(tasks.document("milk"))
/// ```
///
/// Only requests through a ``DatabaseUser`` are judged; those of the database itself are the
/// owner's.
public struct DatabaseRules: Sendable {
  private let database: Database
  private let shared: SharedRuleset

  fileprivate init(_ ruleset: Ruleset, in database: Database) {
    shared = SharedRuleset(ruleset)
    self.database = database
  }

  /// The compiled rules.
  public var ruleset: Ruleset { shared.ruleset }

  /// A user who isn't signed in.
  public var signedOut: DatabaseUser { asUser(nil) }

  /// Returns the database as a user sees it who is signed in.
  ///
  /// - Parameters:
  ///   - uid: the user's id, which is also the claim `sub`.
  ///   - claims: the other claims of the user's token.
  public func asUser(_ uid: String, claims: MapValue = MapValue()) -> DatabaseUser {
    var claims = claims
    claims["sub"] = .string(uid)
    return asUser(RulesAuth(claims: claims))
  }

  /// Returns the database as the bearer of a token sees it; `nil` for a user without one.
  public func asUser(_ auth: RulesAuth?) -> DatabaseUser {
    DatabaseUser(of: database, judgedBy: RulesJudge(shared, for: auth))
  }
}

extension Database {
  /// Compiles security rules for the users of the database.
  ///
  /// - Throws: all faults of a text that doesn't compile.
  public func rules(_ text: String) throws(RulesetError) -> DatabaseRules {
    rules(try Ruleset(compiling: text))
  }

  /// Returns rules that are compiled already over the database.
  public func rules(_ ruleset: Ruleset) -> DatabaseRules { DatabaseRules(ruleset, in: self) }
}

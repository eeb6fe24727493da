import FoundationEssentials
package import HearthDocumentModel
package import HearthSecurityRules
package import HearthServerCalls
import Synchronization

/// A file of security rules that holds for the projects that have no rules of their own. Its
/// changes are followed.
package final class RulesFile: Sendable {
  /// The outcome of a look at the file.
  package enum Look: Sendable {
    /// It is as it was at the last look.
    case unchanged
    /// Its rules hold now.
    case replaced
    /// It can't be read, or doesn't compile. The earlier rules hold on.
    case refused(DatabaseError)
  }

  /// The last contents.
  private enum Contents: Equatable {
    case text(String)
    case unreadable
  }

  private let path: String
  private let last = Mutex(Contents.unreadable)

  package init(path: String) {
    self.path = path
  }

  /// Reads the file for the first time.
  ///
  /// - Throws: `unavailable` for a file that can't be read; `invalidArgument` for one that doesn't
  ///   compile.
  package func read() throws(DatabaseError) -> Ruleset {
    let text = try contents()
    last.withLock { $0 = .text(text) }
    return try compiled(text)
  }

  /// Looks at the file, and puts its rules in the place of the earlier ones if it has changed.
  package func look(replacingIn rules: ServedRules) -> Look {
    do throws(DatabaseError) {
      let text = try contents()
      guard isNew(.text(text)) else { return .unchanged }
      rules.replaceCommon(by: try compiled(text))
      return .replaced
    } catch {
      // A file that can't be read is told once.
      guard error.code != .unavailable || isNew(.unreadable) else { return .unchanged }
      return .refused(error)
    }
  }

  private func isNew(_ contents: Contents) -> Bool {
    last.withLock { last in
      defer { last = contents }
      return last != contents
    }
  }

  private func contents() throws(DatabaseError) -> String {
    do {
      return try String(contentsOf: URL(filePath: path), encoding: .utf8)
    } catch {
      let reason = SystemCalls.reason(of: error)
      throw DatabaseError(.unavailable, "The server can't read \(path): \(reason)", cause: error)
    }
  }

  private func compiled(_ text: String) throws(DatabaseError) -> Ruleset {
    do throws(RulesetError) {
      return try Ruleset(compiling: text, fileName: path)
    } catch {
      throw DatabaseError(.invalidArgument, "\(path): \(error)", cause: error)
    }
  }
}

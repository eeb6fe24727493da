import ArgumentParser
import FirestoreJSON
import Hearth

/// An index as it is typed: `cities countryCode:asc population:desc`.
struct IndexArguments: ParsableArguments {
  enum Scope: String, CaseIterable, ExpressibleByArgument {
    case collection
    case collectionGroup = "collection-group"

    var queryScope: QueryScope { self == .collection ? .collection : .collectionGroup }
  }

  @Argument(help: ArgumentHelp("The id of the collections.", valueName: "collection-id"))
  var collectionGroup: String

  @Argument(
    help: ArgumentHelp(
      "The fields in their order, each with asc, desc or contains.", valueName: "field:mode"),
    transform: IndexColumn.init(argument:))
  var columns: [IndexColumn]

  @Option(help: "Whether it serves queries of one collection, or of all with the id at once.")
  var scope = Scope.collection

  /// - Throws: `invalidArgument` if the collection's id breaks the rules of §1.1.
  func definition() throws(DatabaseError) -> IndexDefinition {
    let path = try ResourcePath(segments: [collectionGroup])
    return IndexDefinition(path.description, columns, scope: scope.queryScope)
  }
}

extension IndexColumn {
  /// Reads `population:desc`; the field is a path as everywhere (`` address.`house no` ``).
  init(argument text: String) throws {
    let bytes = text.utf8
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      throw ValidationError(
        "\"\(text)\" lacks a mode: write FIELD:asc, FIELD:desc or FIELD:contains.")
    }
    let word = text[bytes.index(after: colon)...]
    guard let mode = IndexMode(word: word) else {
      throw ValidationError("\"\(word)\" is no mode: the modes are asc, desc and contains.")
    }
    do throws(DatabaseError) {
      self.init(try FieldPath(String(text[..<colon])), mode)
    } catch {
      throw ValidationError(
        "\"\(text[..<colon])\" is no field: \(error.message.sentence) "
          + "Write a name with other characters in backticks.")
    }
  }

  /// The column as `init(argument:)` reads it.
  var argument: String { "\(field):\(mode.word)" }
}

extension IndexMode {
  fileprivate init?(word: Substring) {
    switch word {
    case "asc", "ascending", "ASC", "ASCENDING": self = .ascending
    case "desc", "descending", "DESC", "DESCENDING": self = .descending
    case "contains", "array-contains", "CONTAINS", "ARRAY_CONTAINS": self = .contains
    default: return nil
    }
  }

  /// The mode as it is typed.
  var word: String {
    switch self {
    case .ascending: "asc"
    case .descending: "desc"
    case .contains: "contains"
    }
  }
}

extension IndexDefinition {
  /// The columns as they are typed, without the `__name__` that is implied.
  var columnArguments: [String] { columnsWithoutImpliedName.map(\.argument) }

  /// The command that creates the index, ready for a shell.
  ///
  /// - Parameter databasePath: what `--db` was given; `nil` where the environment named the
  ///   database.
  func creationCommand(databasePath: String?) -> String {
    var words = ["hearth", "index", "create"]
    var options: [String] = []
    if scope == .collectionGroup {
      options += ["--scope", IndexArguments.Scope.collectionGroup.rawValue]
    }
    if let databasePath {
      options += databasePath.hasPrefix("-") ? ["--db=\(databasePath)"] : ["--db", databasePath]
    }
    let index = [collectionGroup] + columnArguments
    // What begins like an option is none behind `--`.
    words += collectionGroup.hasPrefix("-") ? options + ["--"] + index : index + options
    return words.map(\.shellWord).joined(separator: " ")
  }
}

extension String {
  /// The text as one word of a POSIX shell: in single quotes where it needs any.
  var shellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_@%+=:,./-".utf8.contains(byte)
        }
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

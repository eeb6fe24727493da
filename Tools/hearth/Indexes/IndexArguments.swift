import ArgumentParser
import HearthFirestoreJSON
import Hearth

/// An index as a person types it: `cities countryCode:asc population:desc`.
struct IndexArguments: ParsableArguments {
  enum Scope: String, CaseIterable, ExpressibleByArgument {
    case collection
    case collectionGroup = "collection-group"

    var queryScope: QueryScope { self == .collection ? .collection : .collectionGroup }
  }

  @Argument(
    help: ArgumentHelp("The id of the collections.", valueName: "collection-id"),
    completion: .collectionIDs)
  var collectionGroup: String

  @Argument(
    help: ArgumentHelp(
      "The fields in their order, each with asc, desc or contains; a vector is last, with its "
        + "dimension.",
      valueName: "field:mode"),
    completion: .indexColumns,
    transform: IndexArgument.init)
  var columns: [IndexArgument]

  @Option(
    help: "The queries that it serves: of one collection, or of all collections of the id at once.")
  var scope = Scope.collection

  /// - Throws: `invalidArgument` if the collection's id breaks the rules of §1.1.
  func definition() throws(DatabaseError) -> IndexDefinition {
    try IndexArguments.definition(collectionGroup, columns, scope)
  }

  static func definition(
    _ collectionGroup: String, _ columns: [IndexArgument], _ scope: Scope
  ) throws(DatabaseError) -> IndexDefinition {
    let path = try ResourcePath(segments: [collectionGroup])
    var scalars: [IndexColumn] = []
    var vector: VectorColumn?
    for column in columns {
      switch column {
      case .scalar(let column): scalars.append(column)
      case .vector(let column): vector = column
      }
    }
    return IndexDefinition(path.description, scalars, scope: scope.queryScope, vector: vector)
  }

  func validate() throws {
    try IndexArguments.validate(columns)
  }

  static func validate(_ columns: [IndexArgument]) throws {
    let isVector = columns.map { if case .vector = $0 { true } else { false } }
    guard !isVector.dropLast().contains(true) else {
      throw ValidationError("A vector is the last field of an index.")
    }
  }
}

/// A field of an index as a person types it.
enum IndexArgument {
  case scalar(IndexColumn)
  case vector(VectorColumn)

  /// Reads `population:desc` or `embedding:vector=768`. The field is a path as in every option (``
  /// address.`house no` ``).
  init(_ text: String) throws {
    let bytes = text.utf8
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      throw ValidationError(
        "\"\(text)\" lacks a mode: write FIELD:asc, FIELD:desc or FIELD:contains.")
    }
    let word = text[bytes.index(after: colon)...]
    let vector = "vector="
    let dimension = word.hasPrefix(vector) ? Int(word.dropFirst(vector.count)) : nil
    let mode = IndexMode(word: word)
    guard mode != nil || dimension != nil else {
      throw ValidationError(
        "\"\(word)\" is no mode: the modes are asc, desc, contains and, for a vector of 768 "
          + "dimensions, vector=768.")
    }
    do throws(DatabaseError) {
      let field = try FieldPath(String(text[..<colon]))
      if let mode {
        self = .scalar(IndexColumn(field, mode))
      } else {
        self = .vector(VectorColumn(field, dimension: dimension ?? 0))
      }
    } catch {
      throw ValidationError(
        "\"\(text[..<colon])\" is no field: \(error.message.sentence) "
          + "Write a name with other characters in backticks.")
    }
  }
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
}

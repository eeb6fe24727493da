import Foundation
import Testing

/// Every name in the tables of `FirebaseCalls.md` exists in the sources.
@Suite struct FirebaseCallsTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func declarations(_ targets: [String]) throws -> PublicDeclarations {
    try PublicDeclarations(folders: targets.map { root.appending(path: "Sources/\($0)") })
  }

  private static func rows() throws -> [CallRow] {
    let page = root.appending(path: "Sources/Hearth/Hearth.docc/FirebaseCalls.md")
    return CallRow.all(of: try String(contentsOf: page, encoding: .utf8))
  }

  private let rows: [CallRow]
  private let hearth: PublicDeclarations
  private let firebase: PublicDeclarations

  init() throws {
    rows = try FirebaseCallsTests.rows()
    hearth = try FirebaseCallsTests.declarations([
      "Hearth", "Reports", "DocumentModel", "QueryPlanning",
    ])
    firebase = try FirebaseCallsTests.declarations(["HearthFirebase"])
  }

  @Test func theTablesAreRead() {
    #expect(rows.count > 100)
    #expect(rows.allSatisfy { !$0.firebase.isEmpty })
    #expect(hearth.hold("limit(to:)", in: ["QueryBuilding"]))
    #expect(hearth.hold("Database.open(at:)", in: []))
    #expect(hearth.hold("Timestamp(seconds:nanoseconds:)", in: []))
    #expect(hearth.hold("DatabaseError.Code.notFound", in: []))
    #expect(!hearth.hold("limit(of:)", in: ["QueryBuilding"]))
    #expect(!hearth.hold("limit(to:)", in: ["Database"]))
    #expect(!hearth.hold("Timestamp(seconds:)", in: []))
  }

  @Test func aDifferenceHasAReason() {
    let unexplained = rows.filter { row in
      row.remark.isEmpty && (row.hearth != .same || row.hearthFirebase != .same)
    }
    #expect(unexplained.map(\.description) == [])
  }

  @Test func hearthHasItsCalls() {
    let types = hearthTypes()
    let missing = rows.flatMap { row in
      let owners = row.types.flatMap { types[$0] ?? [] }
      return row.names(row.hearth).filter { !hearth.hold($0, in: owners) }
        .map { "\(row): \($0)" }
    }
    #expect(missing == [])
  }

  @Test func hearthFirebaseHasItsCalls() {
    let missing = rows.flatMap { row in
      row.names(row.hearthFirebase).filter { !hasHearthFirebase($0, for: row) }
        .map { "\(row): \($0)" }
    }
    #expect(missing == [])
  }

  /// A call that a table denies must not exist.
  @Test func deniedCallsAreNotDeclared() {
    let types = hearthTypes()
    // Combine's calls have the names of other calls.
    let denied = rows.filter { $0.section != "Combine" }.flatMap { row -> [String] in
      let owners = row.types.flatMap { types[$0] ?? [] }
      let inHearth = row.hearth != .none ? [] : row.firebase.filter { hearth.hold($0, in: owners) }
      let inFirebase =
        row.hearthFirebase != .none
        ? [] : row.firebase.filter { firebase.hold($0, in: row.types) }
      return inHearth.map { "\(row): Hearth has \($0)" }
        + inFirebase.map { "\(row): HearthFirebase has \($0)" }
    }
    #expect(denied == [])
  }

  private func hasHearthFirebase(_ call: String, for row: CallRow) -> Bool {
    // A collection is a query, as a class.
    let owners = row.types.contains("CollectionReference") ? row.types + ["Query"] : row.types
    if firebase.hold(call, in: owners) { return true }
    // A type to which HearthFirebase only gives a name is Hearth's.
    let isHearths = !row.types.isEmpty && row.types.allSatisfy { !firebase.types.contains($0) }
    return isHearths && hearth.hold(call, in: row.types) || self.isHearths(call)
  }

  /// Whether a call names its type, and HearthFirebase has that type from Hearth.
  private func isHearths(_ call: String) -> Bool {
    let type = String(call.prefix { $0 != "." && $0 != "(" })
    return type.first?.isUppercase == true && !firebase.types.contains(type)
      && hearth.hold(call, in: [])
  }

  /// Returns Hearth's types for each of Firebase's, from the first table.
  private func hearthTypes() -> [String: [String]] {
    var types: [String: [String]] = [:]
    for row in rows where row.section == "Types" {
      for type in row.firebase {
        types[type] = row.hearth == .same ? [type] : row.names(row.hearth)
      }
    }
    for query in ["Query", "CollectionReference"] { types[query, default: []] += ["QueryBuilding"] }
    return types
  }
}

/// One row of a table: calls of Firebase's, and the calls that replace them.
private struct CallRow: CustomStringConvertible {
  enum Cell: Equatable {
    case same
    case none
    case names([String])
  }

  let section: String
  let firebase: [String]
  let hearth: Cell
  let hearthFirebase: Cell
  let remark: String

  var description: String { "\(section): \(firebase.joined(separator: ", "))" }

  /// Firebase's types in the section.
  var types: [String] {
    let names = section.components(separatedBy: ", ")
    let others = ["Types", "Listening", "Codable", "Errors", "Combine", "SwiftUI"]
    return others.contains(section) ? [] : names
  }

  func names(_ cell: Cell) -> [String] {
    switch cell {
    case .same: firebase
    case .none: []
    case .names(let names): names
    }
  }

  static func all(of page: String) -> [CallRow] {
    var rows: [CallRow] = []
    var section = ""
    for line in page.split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard line.hasPrefix("| `") else { continue }
      let cells = line.components(separatedBy: "|").dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4 else { continue }
      rows.append(
        CallRow(
          section: section, firebase: spans(cells[0].components(separatedBy: " as ")[0]),
          hearth: cell(cells[1]), hearthFirebase: cell(cells[2]), remark: cells[3]))
    }
    return rows
  }

  private static func cell(_ text: String) -> Cell {
    switch text {
    case "same": .same
    case "–": .none
    default: .names(spans(text))
    }
  }

  /// Returns the pieces in backticks.
  private static func spans(_ text: String) -> [String] {
    text.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }
}

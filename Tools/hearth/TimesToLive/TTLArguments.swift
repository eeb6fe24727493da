import ArgumentParser
import Hearth

/// The field of a time to live as a person types it: `sessions expiresAt`.
struct TTLArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The id of the collections.", valueName: "collection-id"),
    completion: .collectionIDs)
  var collectionGroup: String

  @Argument(help: ArgumentHelp("The field that has the time.", valueName: "field"))
  var field: String

  func validate() throws {
    do throws(DatabaseError) {
      _ = try path()
    } catch {
      throw ValidationError("\"\(field)\" is no field: \(error.message.sentence)")
    }
  }

  func path() throws(DatabaseError) -> FieldPath { try FieldPath(field) }
}

/// A time to live in a list.
struct TTLRow {
  static let columns = ["collection", "field", "offset", "state"].map { TextTable.Column($0) }

  /// The cells, one for each column.
  let cells: [String]
  let json: JSONLine

  init(_ policy: TimeToLiveAdministration.Policy) {
    cells = [
      policy.collectionGroup, policy.field.description, "\(policy.offsetSeconds) s",
      policy.stateName,
    ]
    json = [
      "collectionGroup": policy.collectionGroup, "fieldPath": policy.field.description,
      "offsetSeconds": policy.offsetSeconds, "state": policy.stateName,
    ]
  }
}

extension TimeToLiveAdministration.Policy {
  /// Firestore's name of the state (§3.9).
  fileprivate var stateName: String { state == .ready ? "ACTIVE" : "CREATING" }
}

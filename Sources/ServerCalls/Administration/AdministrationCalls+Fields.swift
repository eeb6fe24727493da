import Hearth
package import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

extension AdministrationCalls {
  /// Returns the configuration of a field: its own, or that which it inherits (§3.3).
  package func getField(
    _ request: Admin.GetFieldRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.Field {
    let name = try AdministrationName(request.name, .field)
    let field = try IndexedField(name)
    return try await configurations(try name.database(), context).message(of: field)
  }

  /// Returns one page of the fields that have indexes or a time to live of their own. Without a
  /// filter these are all of both kinds.
  package func listFields(
    _ request: Admin.ListFieldsRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.ListFieldsResponse {
    let parent = try AdministrationName(request.parent, .group)
    let filter = try ListedFields(request.filter)
    let known = try await configurations(try parent.database(), context)
    var fields: Set<IndexedField> = []
    if filter.takesOverridden {
      fields = [IndexedField(FieldConfigurations.defaultGroup, nil)]
      fields.formUnion(known.overridden)
    }
    if filter.takesExpiring { fields.formUnion(known.expiring) }
    let messages = fields.filter { parent.covers(group: $0.collectionGroup) }
      .map(known.message).sorted { $0.name < $1.name }
    let page = try ListPage(
      of: messages, size: request.pageSize, after: request.pageToken, by: \.name)
    return Admin.ListFieldsResponse.with { response in
      response.fields = page.elements
      response.nextPageToken = page.token
    }
  }

  /// Begins to change a field's indexes and its time to live.
  package func updateField(
    _ request: Admin.UpdateFieldRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.OperationMessage {
    let change = try FieldChange(request)
    let id = try change.name.database()
    let database = try await database(id, context, for: .writing)
    let present = try await Waiting.run { () throws(DatabaseError) in
      try FieldConfigurations(of: database, named: id)
    }
    return operations.run(.field(change.metadata(from: present)), in: id) {
      progress async throws(DatabaseError) in
      try await change.apply(to: database, progress: progress)
      let changed = try await Waiting.run { () throws(DatabaseError) in
        try FieldConfigurations(of: database, named: id)
      }
      return try? Google_Protobuf_Any(message: changed.message(of: change.field))
    }.message
  }

  private func configurations(
    _ id: DatabaseID, _ context: CallContext
  ) async throws(DatabaseError) -> FieldConfigurations {
    let database = try await database(id, context)
    return try blocking { () throws(DatabaseError) in
      try FieldConfigurations(of: database, named: id)
    }
  }
}

/// The fields that a list takes. Google's tools write three filters, and production takes no
/// others.
private struct ListedFields {
  var takesOverridden = false
  var takesExpiring = false

  /// - Throws: `invalidArgument` for another filter.
  init(_ text: String) throws(DatabaseError) {
    for part in text.split(separator: " OR ", omittingEmptySubsequences: false) {
      switch part {
      case "indexConfig.usesAncestorConfig:false", "indexConfig.usesAncestorConfig=false":
        takesOverridden = true
      case "ttlConfig:*": takesExpiring = true
      case "" where text.isEmpty: (takesOverridden, takesExpiring) = (true, true)
      default:
        throw .invalidArgument(
          "The filter \"\(text)\" is not supported: fields are listed by "
            + "indexConfig.usesAncestorConfig:false or ttlConfig:*.")
      }
    }
  }
}

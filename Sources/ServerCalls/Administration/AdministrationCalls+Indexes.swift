import Hearth
package import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

extension AdministrationCalls {
  /// Begins to build a composite index (§3.4).
  package func createIndex(
    _ request: Admin.CreateIndexRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.OperationMessage {
    let parent = try AdministrationName(request.parent, .group)
    guard parent.group != AdministrationName.allGroups else {
      throw .invalidArgument("The name \"\(parent.text)\" names no collection group.")
    }
    let definition = try IndexDefinition(request.index, in: parent.group)
    let id = try parent.database()
    let database = try await database(id, context, for: .writing)
    guard try await database.indexes.list().allSatisfy({ $0.definition != definition }) else {
      throw DatabaseError(.alreadyExists, "index already exists")
    }
    let builds = try await database.indexes.begin([definition])
    let indexes = try await database.indexes.list()
    guard let build = builds.first,
      let index = indexes.first(where: { $0.definition == definition })
    else {
      throw DatabaseError(.aborted, "The index was dropped before it was built.")
    }
    let operation = operations.follow(build, of: index, in: id, isNew: true, isTold: true)
    // Of several calls at once, one has begun the build.
    guard operation.isNew else { throw DatabaseError(.alreadyExists, "index already exists") }
    return operation.record.message
  }

  /// Returns one page of the composite indexes of a collection group, or of all.
  package func listIndexes(
    _ request: Admin.ListIndexesRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.ListIndexesResponse {
    let parent = try AdministrationName(request.parent, .group)
    try checkNoFilter(request.filter)
    let id = try parent.database()
    let indexes = try await database(id, context).indexes.list()
      .filter { parent.covers(group: $0.definition.collectionGroup) }
      .sorted { $0.id < $1.id }
    let page = try ListPage(
      of: indexes, size: request.pageSize, after: request.pageToken, by: \.id)
    return Admin.ListIndexesResponse.with { response in
      response.indexes = page.elements.map { $0.message(in: id) }
      response.nextPageToken = page.token
    }
  }

  /// Returns a composite index.
  ///
  /// - Complexity: the composite indexes of the database.
  /// - Throws: `invalidArgument` for a malformed name; `notFound`.
  package func getIndex(
    _ request: Admin.GetIndexRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.Index {
    let name = try AdministrationName(request.name, .index)
    let id = try name.database()
    return try await index(name, in: try await database(id, context)).message(in: id)
  }

  /// Drops a composite index, also one that is being built.
  package func deleteIndex(
    _ request: Admin.DeleteIndexRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.Empty {
    let name = try AdministrationName(request.name, .index)
    let database = try await database(try name.database(), context)
    try await database.indexes.drop(try await index(name, in: database).definition)
    return Admin.Empty()
  }

  /// Hides a composite index from queries, or shows it to them again.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: `invalidArgument` for a malformed name; `notFound`; the errors of `hide`.
  package func setHidden(
    _ isHidden: Bool, _ name: String, _ context: CallContext
  ) async throws(DatabaseError) {
    let name = try AdministrationName(name, .index)
    let database = try await database(try name.database(), context)
    let definition = try await index(name, in: database).definition
    if isHidden {
      try await database.indexes.hide(definition)
    } else {
      try await database.indexes.unhide(definition)
    }
  }

  /// - Throws: `notFound`.
  private func index(
    _ name: AdministrationName, in database: Database
  ) async throws(DatabaseError) -> IndexAdministration.CompositeIndex {
    let index = try await database.indexes.list().first {
      "\($0.id)" == name.id && name.covers(group: $0.definition.collectionGroup)
    }
    guard let index else {
      throw DatabaseError(.notFound, "The index \"\(name.text)\" does not exist.")
    }
    return index
  }
}

import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

/// A change of a field's indexes and of its time to live, as a request asks for it.
struct FieldChange {
  enum Part<Value: Sendable>: Sendable {
    case kept
    case removed
    case set(Value)
  }

  let name: AdministrationName
  let field: IndexedField
  let indexes: Part<[SingleFieldIndex]>
  let offsetSeconds: Part<Int>

  /// Reads a request. Without a mask it says everything about the field.
  ///
  /// - Throws: `invalidArgument`.
  init(_ request: Admin.UpdateFieldRequest) throws(DatabaseError) {
    name = try AdministrationName(request.field.name, .field)
    let field = try IndexedField(name)
    self.field = field
    let paths = request.updateMask.paths.map { $0.prefix { $0 != "." } }
    for path in paths where path != "index_config" && path != "ttl_config" {
      throw .invalidArgument("The update mask has the unknown path \"\(path)\".")
    }
    if !paths.isEmpty, !paths.contains("index_config") {
      indexes = .kept
    } else if request.field.hasIndexConfig {
      var all: [SingleFieldIndex] = []
      for index in request.field.indexConfig.indexes {
        all.append(try SingleFieldIndex(index, of: field.field))
      }
      indexes = .set(all)
    } else {
      indexes = .removed
    }
    if !paths.isEmpty, !paths.contains("ttl_config") {
      offsetSeconds = .kept
    } else if request.field.hasTtlConfig {
      offsetSeconds = .set(try FieldChange.seconds(request.field.ttlConfig.expirationOffset))
    } else {
      offsetSeconds = .removed
    }
    try check()
  }

  private static func seconds(
    _ offset: Google_Protobuf_Duration
  ) throws(DatabaseError) -> Int {
    guard offset.nanos == 0, (0...Int64(Int32.max)).contains(offset.seconds) else {
      throw .invalidArgument(
        "The expiration offset must be a whole number of seconds from 0 to \(Int32.max).")
    }
    return Int(offset.seconds)
  }

  private func check() throws(DatabaseError) {
    guard field.collectionGroup != FieldConfigurations.defaultGroup else {
      throw DatabaseError(
        .unimplemented,
        "The indexes of all collection groups together can't be changed. Change those of a "
          + "group, by its field *.")
    }
    if case .set = offsetSeconds, field.field == nil {
      throw .invalidArgument("A time to live needs a field, and * is none.")
    }
    guard field.field != .documentID else {
      throw .invalidArgument("The field __name__ has no configuration.")
    }
  }

  /// Makes the change. What is so already stays as it is.
  func apply(
    to database: Database, progress: @escaping @Sendable (IndexAdministration.Progress) -> Void
  ) async throws(DatabaseError) {
    let group = field.collectionGroup
    do throws(DatabaseError) {
      switch indexes {
      case .kept: break
      case .removed:
        try await database.indexes.removeOverride(of: field.field, in: group, progress: progress)
      case .set(let indexes):
        try await database.indexes.setOverride(
          indexes, of: field.field, in: group, progress: progress)
      }
    } catch {
      guard error.code == .notFound else { throw error }
    }
    guard let path = field.field else { return }
    do throws(DatabaseError) {
      switch offsetSeconds {
      case .kept: break
      case .removed: try await database.timesToLive.remove(path, in: group)
      case .set(let seconds):
        try await database.timesToLive.set(
          path, in: group, offsetSeconds: seconds, progress: progress)
      }
    } catch {
      guard error.code == .notFound else { throw error }
    }
  }

  /// The change from the present configuration, as the metadata of its operation.
  func metadata(from present: FieldConfigurations) -> Admin.FieldOperationMetadata {
    Admin.FieldOperationMetadata.with { metadata in
      metadata.field = present.name(of: field)
      if case .set(let indexes) = indexes {
        let old = present.indexes(of: field).map(\.index)
        metadata.indexConfigDeltas =
          deltas(.add, indexes.filter { !old.contains($0) })
          + deltas(.remove, old.filter { !indexes.contains($0) })
      }
      switch offsetSeconds {
      case .kept: break
      case .removed:
        if present.timeToLive(of: field) != nil { metadata.ttlConfigDelta.changeType = .remove }
      case .set(let seconds):
        metadata.ttlConfigDelta.changeType = .add
        if seconds > 0 { metadata.ttlConfigDelta.expirationOffset = .init(seconds: Int64(seconds)) }
      }
    }
  }

  private func deltas(
    _ type: Admin.FieldOperationMetadata.IndexConfigDelta.ChangeType,
    _ indexes: [SingleFieldIndex]
  ) -> [Admin.FieldOperationMetadata.IndexConfigDelta] {
    indexes.map { index in
      .with { delta in
        delta.changeType = type
        delta.index = index.message(of: field.field, .ready)
      }
    }
  }
}

import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

/// The fields of a database with indexes or a time to live of their own, and those that other
/// fields inherit from (§3.3).
struct FieldConfigurations {
  /// The group whose field `*` has the indexes of all fields without others.
  static let defaultGroup = "__default__"

  private let database: DatabaseID
  private let overrides: [IndexAdministration.FieldOverride]
  private let policies: [TimeToLiveAdministration.Policy]

  init(of database: Database, named id: DatabaseID) throws(DatabaseError) {
    self.database = id
    overrides = try database.indexes.overrides()
    policies = try database.timesToLive.list()
  }

  /// The fields with indexes of their own.
  var overridden: [IndexedField] { overrides.map(\.name) }
  /// The fields with a time to live.
  var expiring: [IndexedField] { policies.map { IndexedField($0.collectionGroup, $0.field) } }

  /// The single-field indexes of a field, in a fixed order.
  func indexes(of field: IndexedField) -> [(index: SingleFieldIndex, state: IndexState)] {
    let states =
      nearest(to: field)?.indexes
      ?? Dictionary(uniqueKeysWithValues: SingleFieldIndex.defaults.map { ($0, .ready) })
    return SingleFieldIndex.all.compactMap { index in states[index].map { (index, $0) } }
  }

  func timeToLive(of field: IndexedField) -> TimeToLiveAdministration.Policy? {
    policies.first { IndexedField($0.collectionGroup, $0.field) == field }
  }

  /// Whether a field has indexes of its own.
  func isOverridden(_ field: IndexedField) -> Bool { overridden.contains(field) }

  func name(of field: IndexedField) -> String {
    let path = field.field?.description ?? "*"
    return "\(database)/collectionGroups/\(field.collectionGroup)/fields/\(path)"
  }

  func message(of field: IndexedField) -> Admin.Field {
    let isDefault = field.collectionGroup == FieldConfigurations.defaultGroup
    return Admin.Field.with { message in
      message.name = name(of: field)
      message.indexConfig.indexes = indexes(of: field).map {
        $0.index.message(of: field.field, $0.state)
      }
      if !isDefault {
        message.indexConfig.usesAncestorConfig = !isOverridden(field)
        message.indexConfig.ancestorField = name(of: ancestor(of: field))
      }
      guard let policy = timeToLive(of: field) else { return }
      message.ttlConfig.state = policy.state == .ready ? .active : .creating
      if policy.offsetSeconds > 0 {
        message.ttlConfig.expirationOffset = .init(seconds: Int64(policy.offsetSeconds))
      }
    }
  }

  /// The field whose indexes a field has if it has none of its own.
  private func ancestor(of field: IndexedField) -> IndexedField {
    nearest(to: field, isOther: true)?.name ?? IndexedField(FieldConfigurations.defaultGroup, nil)
  }

  /// Returns the override that decides about a field.
  ///
  /// - Parameter isOther: whether the field's own override doesn't count.
  private func nearest(
    to field: IndexedField, isOther: Bool = false
  ) -> IndexAdministration.FieldOverride? {
    overrides.filter { override in
      guard override.collectionGroup.utf8Equal(field.collectionGroup) else { return false }
      if override.name == field { return !isOther }
      guard let path = field.field else { return false }
      return override.field.map(path.hasPrefix) ?? true
    }
    .max { ($0.field?.names.count ?? 0) < ($1.field?.names.count ?? 0) }
  }
}

extension IndexAdministration.FieldOverride {
  fileprivate var name: IndexedField { IndexedField(collectionGroup, field) }
}

extension IndexedField {
  /// Reads the field that a name names.
  ///
  /// - Throws: `invalidArgument` for a collection group or a path that isn't valid.
  init(_ name: AdministrationName) throws(DatabaseError) {
    guard name.group != AdministrationName.allGroups else {
      throw .invalidArgument("The name \"\(name.text)\" names no collection group.")
    }
    let isDefault = name.group == FieldConfigurations.defaultGroup
    guard !isDefault || name.id == "*" else {
      throw .invalidArgument("The collection group \(name.group) has only the field *.")
    }
    if !isDefault { _ = try ResourcePath.validated(name.group, isCollection: true) }
    self.init(name.group, try name.id == "*" ? nil : FieldPath(name.id))
  }
}

import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

extension IndexDefinition {
  /// Reads a composite index (§3.4).
  ///
  /// - Throws: `invalidArgument`, also for options that only other editions have.
  init(_ message: Admin.Index, in collectionGroup: String) throws(DatabaseError) {
    try message.checkOptions()
    guard let scope = QueryScope(message.queryScope) else {
      throw .invalidArgument("An index needs the query scope COLLECTION or COLLECTION_GROUP.")
    }
    guard !message.fields.isEmpty else { throw .invalidArgument("An index needs fields.") }
    var columns: [IndexColumn] = []
    var vector: VectorColumn?
    for field in message.fields {
      guard vector == nil else {
        throw .invalidArgument("The field with a vector must be the last one of an index.")
      }
      let path = try FieldPath(field.fieldPath)
      if case .vectorConfig(let config)? = field.valueMode {
        vector = VectorColumn(path, dimension: Int(config.dimension))
      } else {
        columns.append(IndexColumn(path, try field.mode()))
      }
    }
    self.init(collectionGroup, columns, scope: scope, vector: vector)
    try validate()
  }
}

extension SingleFieldIndex {
  /// Reads one of a field's own indexes.
  ///
  /// - Throws: `invalidArgument`, also for an index of another field.
  init(_ message: Admin.Index, of field: FieldPath?) throws(DatabaseError) {
    try message.checkOptions()
    guard let scope = QueryScope(message.queryScope) else {
      throw .invalidArgument("An index needs the query scope COLLECTION or COLLECTION_GROUP.")
    }
    guard let column = message.fields.first, message.fields.count == 1 else {
      throw .invalidArgument("An index of a field's own has that one field.")
    }
    let own = field?.description ?? "*"
    guard ["", "*", own].contains(column.fieldPath) else {
      throw .invalidArgument("The index of \(own) is about the field \(column.fieldPath).")
    }
    self.init(try column.mode(), scope: scope)
  }

  /// The index as a part of a field's configuration.
  func message(of field: FieldPath?, _ state: IndexState) -> Admin.Index {
    Admin.Index.with { message in
      message.queryScope = scope.message
      message.state = state.message
      message.fields = [IndexColumn.message(field?.description ?? "*", mode)]
    }
  }
}

extension IndexAdministration.CompositeIndex {
  /// The index with its name in a database.
  ///
  /// - Parameter state: the state to tell; `nil` for that of the index.
  func message(in database: DatabaseID, as state: IndexState? = nil) -> Admin.Index {
    Admin.Index.with { message in
      message.name = name(in: database)
      message.queryScope = definition.scope.message
      message.state = (state ?? self.state).message
      message.density = .sparseAll
      message.fields = definition.columns.map {
        IndexColumn.message($0.field.description, $0.mode)
      }
      guard let vector = definition.vector else { return }
      message.fields.append(
        .with { field in
          field.fieldPath = vector.field.description
          field.vectorConfig.dimension = Int32(clamping: vector.dimension)
          field.vectorConfig.flat = .init()
        })
    }
  }

  func name(in database: DatabaseID) -> String {
    "\(database)/collectionGroups/\(definition.collectionGroup)/indexes/\(id)"
  }
}

extension IndexColumn {
  fileprivate static func message(_ path: String, _ mode: IndexMode) -> Admin.IndexField {
    Admin.IndexField.with { field in
      field.fieldPath = path
      switch mode {
      case .ascending: field.order = .ascending
      case .descending: field.order = .descending
      case .contains: field.arrayConfig = .contains
      }
    }
  }
}

extension Admin.Index {
  /// - Throws: `invalidArgument` for an option that another edition has.
  fileprivate func checkOptions() throws(DatabaseError) {
    let option: String? =
      if apiScope != .anyApi {
        "another apiScope than ANY_API"
      } else if density != .unspecified, density != .sparseAll {
        "another density than SPARSE_ALL"
      } else if multikey {
        "the option multikey"
      } else if unique {
        "the option unique"
      } else if shardCount != 0 {
        "the option shardCount"
      } else if hasSearchIndexOptions {
        "the option searchIndexOptions"
      } else {
        nil
      }
    if let option {
      throw .invalidArgument("The index has \(option), which the Standard edition lacks.")
    }
  }
}

extension Admin.IndexField {
  /// - Throws: `invalidArgument` for a field that has neither an order nor an array's elements.
  fileprivate func mode() throws(DatabaseError) -> IndexMode {
    switch valueMode {
    case .order(.ascending): return .ascending
    case .order(.descending): return .descending
    case .arrayConfig(.contains): return .contains
    default:
      throw .invalidArgument(
        "The field \(fieldPath) of an index needs an order, ASCENDING or DESCENDING, or the "
          + "arrayConfig CONTAINS.")
    }
  }
}

extension QueryScope {
  fileprivate init?(_ message: Admin.Index.QueryScope) {
    switch message {
    case .collection: self = .collection
    case .collectionGroup: self = .collectionGroup
    default: return nil
    }
  }

  fileprivate var message: Admin.Index.QueryScope {
    switch self {
    case .collection: .collection
    case .collectionGroup: .collectionGroup
    }
  }
}

extension IndexState {
  fileprivate var message: Admin.Index.State {
    switch self {
    case .creating: .creating
    case .ready: .ready
    }
  }
}

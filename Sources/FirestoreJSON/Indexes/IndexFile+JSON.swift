public import HearthDocumentModel
public import HearthQueryPlanning

extension IndexFile {
  /// Reads a file, which may have comments. Options of other editions and interfaces are refused.
  ///
  /// - Throws: `invalidArgument`, which names the place and the mistake.
  public init(json: [UInt8]) throws(DatabaseError) {
    var reader = IndexFileReader()
    self = try reader.file(JSONValue(ofFile: json))
  }

  /// Reads a whole file, a single index or override, or a list of these.
  ///
  /// - Throws: `invalidArgument`, which names the place and the mistake.
  package init(stanza json: [UInt8]) throws(DatabaseError) {
    var reader = IndexFileReader()
    self = try reader.indexes(JSONValue(ofFile: json))
  }

  /// The file in the order and form in which the Firebase tool writes it (§6.5): with `__name__`
  /// and the density of every index, and without a final newline.
  public var json: String {
    var file = PrettyJSON()
    file.object { file in
      file.member("indexes") { list in
        list.array { list in
          for index in composites { list.item { $0.append(index) } }
        }
      }
      file.member("fieldOverrides") { list in
        list.array { list in
          for override in overrides { list.item { $0.append(override) } }
        }
      }
    }
    return file.text
  }
}

extension JSONValue {
  fileprivate init(ofFile json: [UInt8]) throws(DatabaseError) {
    do {
      try self.init(parsing: json.withoutJSONComments)
    } catch {
      throw DatabaseError(.invalidArgument, error.description, cause: error)
    }
  }
}

extension PrettyJSON {
  fileprivate mutating func append(_ index: IndexDefinition) {
    object { json in
      json.member("collectionGroup", index.collectionGroup)
      json.member("queryScope", index.scope.rawValue)
      json.member("fields") { $0.append(index.columns, index.vector) }
      json.member("density", "SPARSE_ALL")
    }
  }

  mutating func append(_ override: FieldIndexes) {
    object { json in
      json.member("collectionGroup", override.collectionGroup)
      json.member("fieldPath", override.field?.description ?? "*")
      if let isTimeToLive = override.isTimeToLive { json.member("ttl", isTimeToLive) }
      json.member("indexes") { list in
        list.array { list in
          for index in override.indexes {
            list.item { item in
              item.object { item in
                item.member(index.mode)
                item.member("queryScope", index.scope.rawValue)
              }
            }
          }
        }
      }
    }
  }
}

import HearthDocumentModel
public import HearthQueryPlanning

/// An index in the form of `firestore.indexes.json` (§6.3).
public enum IndexStanza {
  /// Returns a whole, valid file with one index. To add the index to a file with others, copy the
  /// element into the list of the same name.
  ///
  /// An index on one field is written as the field's override. An override replaces all indexes of
  /// a field, so it lists `present` too.
  ///
  /// - Parameter present: the single-field indexes that the field has now.
  public static func text(
    for index: IndexDefinition, beside present: [SingleFieldIndex] = SingleFieldIndex.defaults
  ) -> String {
    var file = PrettyJSON()
    file.object { file in
      if let single = index.singleField {
        file.member("indexes") { $0.array { _ in } }
        file.member("fieldOverrides") { list in
          list.array { list in
            list.item { $0.append(override(of: single, index, beside: present)) }
          }
        }
      } else {
        file.member("indexes") { list in
          list.array { list in list.item { composite(index, to: &$0) } }
        }
        file.member("fieldOverrides") { $0.array { _ in } }
      }
    }
    return file.text
  }

  /// Returns a file with the index that production proposes to a refused query.
  public static func text(
    for missing: MissingIndex, beside present: [SingleFieldIndex] = SingleFieldIndex.defaults
  ) -> String {
    text(for: missing.index, beside: present)
  }

  private static func composite(_ index: IndexDefinition, to json: inout PrettyJSON) {
    json.object { json in
      json.member("collectionGroup", index.collectionGroup)
      json.member("queryScope", index.scope.rawValue)
      json.member("fields") { $0.append(index.columnsWithoutImpliedName, index.vector) }
    }
  }

  private static func override(
    of single: (field: FieldPath, index: SingleFieldIndex), _ index: IndexDefinition,
    beside present: [SingleFieldIndex]
  ) -> FieldIndexes {
    FieldIndexes(
      collectionGroup: index.collectionGroup, field: single.field,
      indexes: present.contains(single.index) ? present : present + [single.index])
  }
}

extension PrettyJSON {
  /// Appends the fields of an index.
  mutating func append(_ columns: [IndexColumn], _ vector: VectorColumn?) {
    array { list in
      for column in columns {
        list.item { item in
          item.object { item in
            item.member("fieldPath", column.field.description)
            item.member(column.mode)
          }
        }
      }
      guard let vector else { return }
      list.item { item in
        item.object { item in
          item.member("fieldPath", vector.field.description)
          item.member("vectorConfig") { item in
            item.object { item in
              item.member("dimension", vector.dimension)
              item.member("flat") { $0.object { _ in } }
            }
          }
        }
      }
    }
  }

  /// Appends the form in which an index holds a field.
  mutating func member(_ mode: IndexMode) {
    switch mode {
    case .ascending, .descending: member("order", mode.rawValue)
    case .contains: member("arrayConfig", mode.rawValue)
    }
  }
}

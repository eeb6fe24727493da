package import DocumentModel
package import FirestoreJSON
package import QueryPlanning

// Values with a form in Firestore's REST interface keep it inside other messages.

extension StructuredQuery {
  /// The query as a `StructuredQuery`, without its parent.
  package var messageTree: JSONValue { JSONValue.tree { TypedJSON.append(self, to: &$0) } }

  /// - Throws: `invalidArgument` if a value is nested deeper than a message's JSON may be.
  package func checkNesting() throws(DatabaseError) {
    // A message adds three objects around the query.
    var bytes = Array("[[[".utf8)
    TypedJSON.append(self, to: &bytes)
    bytes.append(contentsOf: "]]]".utf8)
    do {
      _ = try JSONValue(parsing: bytes)
    } catch {
      throw DatabaseError(
        .invalidArgument, "The query's values lie nested too deep.", cause: error)
    }
  }
}

extension DocumentMessage {
  /// The document under its full name.
  package var messageTree: JSONValue { JSONValue.tree { TypedJSON.append(self, to: &$0) } }
}

extension Value {
  /// The value with its type (§2.1).
  package var messageTree: JSONValue { JSONValue.tree { TypedJSON.append(self, to: &$0) } }
}

extension [Aggregation] {
  /// The figures in the form of a `StructuredAggregationQuery`.
  package var messageTree: JSONValue {
    let query = AggregationQuery(StructuredQuery(collectionID: ""), self)
    let tree = JSONValue.tree { TypedJSON.append(query, to: &$0) }
    guard case .object(let members) = tree else { return .array([]) }
    return members.first { $0.0.utf8Equal("aggregations") }?.1 ?? .array([])
  }
}

extension JSONValue {
  /// Returns the JSON that `append` writes, as a tree.
  fileprivate static func tree(_ append: (inout [UInt8]) -> Void) -> JSONValue {
    var bytes: [UInt8] = []
    append(&bytes)
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      preconditionFailure("What was written as JSON is none, \(error): \(bytes)")
    }
  }
}

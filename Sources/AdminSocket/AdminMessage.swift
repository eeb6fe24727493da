package import DocumentModel
package import FirestoreJSON

/// A value that crosses the socket as JSON.
package protocol AdminMessage: Sendable {
  /// Reads what `json` has written.
  ///
  /// - Throws: `invalidArgument` for JSON of another shape.
  init(_ json: JSONValue) throws(DatabaseError)

  /// Appends the JSON on one line.
  func append(to bytes: inout [UInt8])
}

/// A message that is written as a tree of JSON.
package protocol AdminObject: AdminMessage {
  /// The message; who reads it passes over members that it doesn't know.
  var json: JSONValue { get }
}

extension AdminObject {
  package func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: json.text) }
}

/// What is asked of the database of a running application: its parameters, and what it answers.
///
/// A call is answered by items as they come up, such as documents or the progress of a build, and
/// at the end by one answer, or by an error.
package protocol AdminCall: AdminObject {
  associatedtype Item: AdminMessage
  associatedtype Answer: AdminMessage

  /// What the call is named on the wire.
  static var name: String { get }
}

/// A message that says nothing.
package struct AdminNothing: AdminObject {
  package init() {}
  package init(_ json: JSONValue) {}
  package var json: JSONValue { .object([]) }
}

/// A list, such as that of the indexes.
package struct AdminList<Element: AdminObject>: AdminObject {
  package let elements: [Element]

  package init(_ elements: [Element]) {
    self.elements = elements
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    elements = try AdminMembers(json).messages("elements")
  }

  package var json: JSONValue { .members(["elements": .list(elements)]) }
}

/// A number, such as that of documents looked at.
package struct AdminCount: AdminObject {
  package let count: Int

  package init(_ count: Int) {
    self.count = count
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    count = try AdminMembers(json).integer("count")
  }

  package var json: JSONValue { .members(["count": .integer(Int64(count))]) }
}

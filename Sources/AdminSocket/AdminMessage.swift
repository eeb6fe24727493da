package import DocumentModel
package import FirestoreJSON

/// A value that crosses the socket as JSON.
package protocol AdminMessage: Sendable {
  /// Reads the JSON that ``append(to:)`` writes.
  ///
  /// - Throws: `invalidArgument` for JSON of another form.
  init(_ json: JSONValue) throws(DatabaseError)

  /// Appends the message as JSON on one line.
  func append(to bytes: inout [UInt8])
}

/// A message that is written as a tree of JSON.
package protocol AdminObject: AdminMessage {
  /// The message as JSON. A reader ignores members that it doesn't know.
  var json: JSONValue { get }
}

extension AdminObject {
  package func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: json.text) }
}

/// A request to the database of a running application: its parameters, and the types of its answer.
///
/// The application answers with items as they come up, such as documents or the progress of a
/// build, and at the end with one answer or an error.
package protocol AdminCall: AdminObject {
  associatedtype Item: AdminMessage
  associatedtype Answer: AdminMessage

  /// The name of the call on the wire.
  static var name: String { get }
}

/// A message without content.
package struct AdminNothing: AdminObject {
  package init() {}
  package init(_ json: JSONValue) {}
  package var json: JSONValue { .object([]) }
}

/// A list of messages, such as the indexes of a database.
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

/// A number, such as a number of documents.
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

/// A request to the database of a running application: its parameters, and the types of its answer.
///
/// The application answers with items as they come up, such as documents or the progress of a
/// build, and at the end with one answer or an error. All of them cross the socket as JSON, which
/// ``AdminEncoder`` writes and ``AdminDecoder`` reads.
package protocol AdminCall: Codable, Sendable {
  associatedtype Item: Codable & Sendable = AdminNothing
  associatedtype Answer: Codable & Sendable = AdminNothing

  /// The name of the call on the wire.
  static var name: String { get }
}

/// A message without content.
package struct AdminNothing: Codable, Sendable {
  package init() {}
}

/// A list of messages, such as the indexes of a database.
package struct AdminList<Element: Codable & Sendable>: Codable, Sendable {
  package let elements: [Element]

  package init(_ elements: [Element]) {
    self.elements = elements
  }
}

/// A number, such as a number of documents.
package struct AdminCount: Codable, Sendable {
  package let count: Int

  package init(_ count: Int) {
    self.count = count
  }
}

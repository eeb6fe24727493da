package import HearthDocumentModel
public import HearthFirestoreJSON

/// A value with a form of its own in JSON. All others are objects of their members, or lists.
package protocol AdminLeaf: Codable {
  /// Reads the JSON that ``appendJSON(to:)`` writes; returns `nil` for JSON of another kind.
  init?(json: JSONValue) throws(DatabaseError)
  func appendJSON(to bytes: inout [UInt8])
}

extension AdminLeaf {
  package init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decode(Self.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}

extension JSONValue: AdminLeaf {
  package init(json: JSONValue) { self = json }
  package func appendJSON(to bytes: inout [UInt8]) { append(to: &bytes) }
}

extension Bool: AdminLeaf {
  package init?(json: JSONValue) {
    guard case .boolean(let flag) = json else { return nil }
    self = flag
  }

  package func appendJSON(to bytes: inout [UInt8]) { JSONValue.boolean(self).append(to: &bytes) }
}

extension String: AdminLeaf {
  package init?(json: JSONValue) {
    guard case .string(let text) = json else { return nil }
    self = text
  }

  package func appendJSON(to bytes: inout [UInt8]) { JSONValue.string(self).append(to: &bytes) }
}

extension Int: AdminLeaf {
  package init?(json: JSONValue) {
    guard case .integer(let number) = json else { return nil }
    self = Int(number)
  }

  package func appendJSON(to bytes: inout [UInt8]) {
    JSONValue.integer(Int64(self)).append(to: &bytes)
  }
}

/// A number that needs all 64 bits is written as text.
extension UInt64: AdminLeaf {
  package init?(json: JSONValue) {
    guard let text = String(json: json) else { return nil }
    self.init(text)
  }

  package func appendJSON(to bytes: inout [UInt8]) { description.appendJSON(to: &bytes) }
}

extension Double: AdminLeaf {
  package init?(json: JSONValue) {
    switch json {
    case .double(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }

  package func appendJSON(to bytes: inout [UInt8]) { JSONValue.double(self).append(to: &bytes) }
}

/// A duration is written in nanoseconds.
extension Duration: AdminLeaf {
  package init?(json: JSONValue) {
    guard let count = Int(json: json) else { return nil }
    self = .nanoseconds(count)
  }

  package func appendJSON(to bytes: inout [UInt8]) {
    Int(self / .nanoseconds(1)).appendJSON(to: &bytes)
  }
}

extension Timestamp: AdminLeaf {
  package init?(json: JSONValue) throws(DatabaseError) {
    guard let text = String(json: json) else { return nil }
    try self.init(rfc3339: text)
  }

  package func appendJSON(to bytes: inout [UInt8]) { rfc3339.appendJSON(to: &bytes) }
}

/// Documents have the form of Firestore's REST interface, which loses nothing (§2.1).
extension DocumentMessage: AdminLeaf {
  package init(json: JSONValue) throws(DatabaseError) { self = try TypedJSON.document(json) }
  package func appendJSON(to bytes: inout [UInt8]) { TypedJSON.append(self, to: &bytes) }

  public init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decode(DocumentMessage.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}

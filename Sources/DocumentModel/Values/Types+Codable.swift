// The forms of values in coders that know nothing of documents.

/// An encoder of documents, which takes values as they are.
package protocol DocumentValueEncoder: Encoder {
  func setValue(_ value: Value)
}

/// A decoder of documents, whose containers give values as they are.
package protocol DocumentValueDecoder: Decoder {}

extension Timestamp: Codable {
  private enum CodingKeys: String, CodingKey { case seconds, nanoseconds }

  public init(from decoder: any Decoder) throws {
    if decoder is any DocumentValueDecoder {
      self = try decoder.singleValueContainer().decode(Timestamp.self)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      seconds: container.decode(Int64.self, forKey: .seconds),
      nanoseconds: container.decode(Int32.self, forKey: .nanoseconds))
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? any DocumentValueEncoder {
      return encoder.setValue(.timestamp(self))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(nanoseconds, forKey: .nanoseconds)
  }
}

/// A field path is a list of names, because a name may contain any character.
extension FieldPath: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(names: decoder.singleValueContainer().decode([String].self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }
}

extension DatabaseID: Codable {
  private enum CodingKeys: String, CodingKey { case project, database }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      project: container.decode(String.self, forKey: .project),
      database: container.decode(String.self, forKey: .database))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(project, forKey: .project)
    try container.encode(database, forKey: .database)
  }
}

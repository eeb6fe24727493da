import HearthFirestoreJSON

/// The body of a request that brings messages (W§7.1): a form with the headers of the stream, and
/// the messages with their numbers.
struct ChannelForm {
  /// The number of the first message.
  let first: Int
  let messages: [String]
  /// The headers that the page has moved into the body, by their names in lower case.
  let headers: [String: String]

  /// - Throws: ``ChannelRefusal/badRequest(_:)``.
  init(_ body: [UInt8], messageCount limit: Int) throws(ChannelRefusal) {
    var fields: [String: String] = [:]
    for field in body.split(separator: UInt8(ascii: "&")) {
      let halves = field.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = ChannelForm.decoded(halves[0]),
        let value = ChannelForm.decoded(halves.dropFirst().first ?? [])
      else { throw .badRequest("The body is no form: an escape in it is broken.") }
      guard fields.updateValue(value, forKey: name) == nil else {
        throw .badRequest("The body has the field \(name) twice.")
      }
    }
    let count = try ChannelForm.number("count", in: fields) ?? 0
    first = try ChannelForm.number("ofs", in: fields) ?? 0
    guard count <= limit else {
      throw .badRequest("A request brings at most \(limit) messages, and count is \(count).")
    }
    var messages: [String] = []
    for index in 0..<count {
      guard let message = fields["req\(index)___data__"] else {
        throw .badRequest("count is \(count), but the body lacks req\(index)___data__.")
      }
      messages.append(message)
    }
    self.messages = messages
    headers = ChannelForm.headers(in: fields["headers"] ?? "")
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
    String(validating: text, as: UTF8.self)?.percentDecoded(plusIsSpace: true)
  }

  /// Largest number of a message or an array. JavaScript counts no further.
  private static let largest = 1 << 53

  /// Returns the number in a field; `nil` without the field.
  ///
  /// - Throws: ``ChannelRefusal/badRequest(_:)`` for another text than a number from 0 to 2⁵³.
  static func number(
    _ name: String, in fields: [String: String]
  ) throws(ChannelRefusal) -> Int? {
    guard let text = fields[name] else { return nil }
    guard let number = Int(text), (0...largest).contains(number) else {
      throw .badRequest("\(name) is \(text.prefix(40)), which is no number from 0 on.")
    }
    return number
  }

  /// Returns headers that are written as lines `Name:value`, by their names in lower case.
  static func headers(in text: String) -> [String: String] {
    var headers: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { continue }
      headers[halves[0].lowercased()] = String(halves[1].drop { $0 == " " })
    }
    return headers
  }
}

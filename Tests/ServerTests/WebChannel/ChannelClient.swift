import HearthFirestoreJSON
import HearthServer
import HearthServerTransport
import Synchronization

/// A client of channels in the same process, whose requests are written by hand.
struct ChannelClient {
  static let path = "/t.T/Echo/channel"

  let channels: WebChannels

  /// Channels of one method, which answers each message by itself.
  static func channels(
    limits: ChannelLimits = ChannelLimits(), clock: ChannelClock = ChannelClock()
  ) -> ChannelClient {
    ChannelClient(
      channels: WebChannels(
        [
          "/t.T/Echo": StreamMethod(requestType: document, responseType: document) {
            receive, _, send in
            while let message = try await receive() { try await send(message) }
          }
        ], limits: limits, now: { clock.now }))
  }

  static let document = "google.firestore.v1.Document"

  /// A message of the echo.
  static func message(_ text: String) -> String { "{\"name\":\"\(text)\"}" }

  /// Returns the fields of a form that brings messages.
  static func form(_ texts: [String], from first: Int) -> String {
    let messages = texts.enumerated().map { index, text in
      "&req\(index)___data__=\(message(text).fieldEncoded)"
    }
    return "count=\(texts.count)&ofs=\(first)" + messages.joined()
  }

  /// Sends a request whose answer comes whole.
  func send(
    _ method: String, _ query: String, _ body: String = ""
  ) async -> (status: Int, body: String) {
    let request = HTTPRequest(
      version: 1, method: method, target: "\(Self.path)?\(query)", headers: [],
      body: Array(body.utf8))
    let parts = Mutex<[UInt8]>([])
    let rest = await channels.answer(request) { part in parts.withLock { $0 += part.body } }
    guard let rest else { return (404, "") }
    let body = parts.withLock { $0 } + rest.body
    return (rest.status, String(decoding: body, as: UTF8.self))
  }

  /// Opens a channel.
  ///
  /// - Returns: its id.
  func open(_ texts: [String] = []) async -> String {
    let answer = await send("POST", "VER=8&RID=1&CVER=22", Self.form(texts, from: 0))
    return ChannelClient.arrays(in: answer.body).first?.elements[1].elements[1].string ?? ""
  }

  /// Brings messages.
  func bring(
    _ texts: [String], from first: Int, to session: String, acknowledging id: Int = 0
  ) async -> (status: Int, body: String) {
    await send("POST", "SID=\(session)&RID=2&AID=\(id)", Self.form(texts, from: first))
  }

  /// Opens an answer.
  func follow(_ session: String, after id: Int, _ query: String = "CI=0") -> OpenAnswer {
    OpenAnswer(channels, "\(Self.path)?RID=rpc&SID=\(session)&AID=\(id)&\(query)")
  }

  /// Returns the arrays in whole parts.
  static func arrays(in text: String) -> [JSONValue] {
    var arrays: [JSONValue] = []
    var rest = Array(text.utf16)[...]
    while let line = rest.firstIndex(of: 10),
      let count = Int(String(decoding: rest[..<line], as: UTF16.self)),
      rest.endIndex > line + count
    {
      let part = rest[(line + 1)...(line + count)]
      rest = rest[(line + 1 + count)...]
      let json = try? JSONValue(parsing: Array(String(decoding: part, as: UTF16.self).utf8))
      arrays += json?.elements ?? []
    }
    return arrays
  }
}

/// A time that tests move.
final class ChannelClock: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { instant.withLock { $0 } }

  func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}

/// An answer that may still be open.
final class OpenAnswer: Sendable {
  private let parts: AsyncStream<String>
  private let task: Task<Int, Never>

  init(_ channels: WebChannels, _ target: String) {
    let (parts, continuation) = AsyncStream.makeStream(of: String.self)
    self.parts = parts
    let request = HTTPRequest(version: 1, method: "GET", target: target, headers: [], body: [])
    task = Task {
      let rest = await channels.answer(request) { part in
        continuation.yield(String(decoding: part.body, as: UTF8.self))
      }
      if let rest { continuation.yield(String(decoding: rest.body, as: UTF8.self)) }
      continuation.finish()
      return rest?.status ?? 404
    }
  }

  /// Returns the arrays of the next parts, as text, up to the one with an id.
  func arrays(upTo id: Int) async -> [String] {
    var arrays: [String] = []
    for await part in parts {
      let present = ChannelClient.arrays(in: part)
      arrays += present.map(\.line)
      if present.last?.elements.first?.number ?? 0 >= id { break }
    }
    return arrays
  }

  /// Returns the arrays of all parts that are left, as text, once the answer has ended.
  func rest() async -> [String] {
    var arrays: [String] = []
    for await part in parts { arrays += ChannelClient.arrays(in: part).map(\.line) }
    return arrays
  }

  /// The status of the answer, at its end.
  var status: Int {
    get async { await task.value }
  }

  /// Goes away, as a client that has lost its connection.
  func leave() async {
    task.cancel()
    _ = await task.value
  }
}

extension String {
  /// The text as a field of a form has it.
  var fieldEncoded: String {
    utf8.map { byte in
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      let hex = String(byte, radix: 16)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + String(repeating: "0", count: 2 - hex.count) + hex
    }.joined()
  }
}

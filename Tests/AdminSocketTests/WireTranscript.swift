import HearthAdminSocket
import HearthDocumentModel
import Foundation
import Hearth

/// The requests to one application, and its answers, as bytes on the socket. Times and sizes on
/// disk are replaced by words.
final class WireTranscript {
  private let socket: String
  private(set) var text = ""
  /// Names of the calls made.
  private(set) var calls: Set<String> = []

  /// - Parameter socket: the path of the application's socket.
  init(socket: String) {
    self.socket = socket
  }

  /// Makes a call, and notes the lines of its answer.
  func run<Call: DatabaseCall>(_ call: Call) throws {
    let request = note(call)
    // The second line ends the connection.
    let lines = try rawAnswer(to: Array("\(request)\nno JSON\n".utf8), at: socket)
    for line in lines.split(separator: "\n").dropLast() { note("< \(line)") }
  }

  /// Notes the first two items of a watched query.
  ///
  /// - Parameter change: called with the number of each item, after it.
  func watch(
    _ call: WatchCall, on database: Database, _ change: (Int) throws -> Void
  ) throws {
    struct Enough: Error {}
    _ = note(call)
    var number = 0
    do {
      _ = try call.perform(on: database) { item in
        note("< {\"item\":\(Self.text(item))}")
        try change(number)
        number += 1
        if number == 2 { throw Enough() }
      }
    } catch is Enough {}
  }

  private func note<Call: DatabaseCall>(_ call: Call) -> String {
    calls.insert(Call.name)
    let request = "{\"call\":\"\(Call.name)\",\"parameters\":\(Self.text(call))}"
    note("> \(request)")
    return request
  }

  private func note(_ line: String) {
    text +=
      line
      .replacing(/"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]*Z"/) { match in
        // Times of documents' fields begin with the epoch.
        match.output.hasPrefix("\"1970") || match.output.hasPrefix("\"9999")
          ? String(match.output) : "TIME"
      }
      .replacing(/"(planning|findingEntries|readingDocuments|diskByteCount)":[0-9]+/) {
        "\"\($0.output.1)\":NUMBER"
      } + "\n"
  }

  static func text(_ message: some Encodable) -> String {
    var bytes: [UInt8] = []
    AdminEncoder.append(message, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

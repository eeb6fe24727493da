import Foundation
import HearthServer
import Synchronization
import TestSupport

/// The mail that a server hands to its command, which writes it to a folder.
struct SentMail {
  /// A message, as the command got it.
  struct Message {
    let headers: [String: String]
    let body: String
    /// The variables of the command.
    let kind: String
    let to: String
    let link: String

    /// The code in the link.
    var code: String { parameter("oobCode") }

    func parameter(_ name: String) -> String {
      let items = URLComponents(string: link)?.queryItems ?? []
      return items.first { $0.name == name }?.value ?? ""
    }
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A command that keeps the latest message of each kind.
  var command: String {
    """
    cd '\(folder.path)' && { printf '%s\\n' "$HEARTH_MAIL_TO" "$HEARTH_MAIL_LINK"; cat; } >new.$$ \
    && mv new.$$ "$HEARTH_MAIL_KIND"
    """
  }

  /// Returns the latest message of a kind, once there is one.
  func message(_ kind: String) async throws -> Message {
    while true {
      if let text = try? String(contentsOfFile: "\(folder.path)/\(kind)", encoding: .utf8) {
        return Message(kind, text)
      }
      await Task.yield()
    }
  }
}

extension SentMail.Message {
  fileprivate init(_ kind: String, _ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    let (head, body) = Self.halves(String(lines[2]))
    let headers = head.split(separator: "\n").map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? parts[1].dropFirst().description : "")
    }
    self.init(
      headers: Dictionary(headers, uniquingKeysWith: { "\($0), \($1)" }),
      body: Self.decoded(body), kind: kind, to: String(lines[0]), link: String(lines[1]))
  }

  private static func halves(_ message: String) -> (head: String, body: String) {
    guard let gap = message.firstRange(of: "\n\n") else { return (message, "") }
    return (String(message[..<gap.lowerBound]), String(message[gap.upperBound...]))
  }

  /// Decodes quoted-printable text.
  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.replacing("=\n", with: "").utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "=") else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The messages that a server tells it hasn't sent.
final class MailFailures: Sendable {
  private let failures = Mutex<[MailFailure]>([])

  var all: [MailFailure] { failures.withLock { $0 } }

  @Sendable func note(_ event: ServerEvent) {
    if case .mailFailed(let failure) = event { failures.withLock { $0.append(failure) } }
  }
}

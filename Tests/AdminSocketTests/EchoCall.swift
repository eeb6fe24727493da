import HearthAdminSocket
import HearthDocumentModel
import Foundation
import TestSupport

/// A call that is answered by the number of items that it asks for, and by their count.
struct EchoCall: AdminCall {
  typealias Item = AdminCount
  typealias Answer = AdminCount

  static let name = "echo"

  let count: Int

  init(_ count: Int) { self.count = count }
}

/// A server of calls like ``EchoCall``, in a folder of its own.
final class EchoServer: Sendable {
  let folder: TemporaryFolder
  let server: AdminServer
  /// Ends when a call was given up because its client was gone.
  let givingUp = Waiting()

  init(
    runtimeFolder: String? = nil, depth: Int = 0, maximumLineByteCount: Int? = nil,
    maximumWaitSeconds: Int = 300
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path + String(repeating: "/deeper-down", count: depth)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    server = try AdminServer(
      folder: path, runtimeFolder: runtimeFolder, maximumLineByteCount: maximumLineByteCount,
      maximumWaitSeconds: maximumWaitSeconds)
    try server.start(.default) { [givingUp] request, replies in
      guard request.name == EchoCall.name else {
        throw DatabaseError(.notFound, "There is no \(request.name).")
      }
      let call = try AdminDecoder.read(EchoCall.self, from: request.parameters)
      do {
        for number in 0..<call.count { try replies.item(AdminCount(number), isFlushed: true) }
        try replies.answer(AdminCount(call.count))
      } catch {
        givingUp.end(.success(()))
        throw error
      }
    }
  }

  let path: String

  func client() throws -> AdminClient? { try AdminClient.connect(folder: path) }

  /// Returns the numbers that a new client receives.
  func echo(_ count: Int) throws -> [Int]? {
    guard let client = try client() else { return nil }
    var numbers: [Int] = []
    _ = try client.run(EchoCall(count)) { numbers.append($0.count) }
    return numbers
  }

  func answer(to bytes: [UInt8]) throws -> String { try rawAnswer(to: bytes, at: server.path) }
}

/// Sends bytes, and returns the answer after the hello, up to the connection's end.
func rawAnswer(to bytes: [UInt8], at path: String) throws -> String {
  let socket = try UnixSocket.connected(to: path)
  // The server may close before it has read everything, which is an answer too.
  try? socket.write(bytes)
  var received: [UInt8] = []
  do {
    while try socket.read(into: &received, atMost: 4096) > 0 {}
  } catch {
    // The end of a connection with unread bytes.
  }
  let lines = received.split(separator: UInt8(ascii: "\n")).dropFirst()
  return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
}

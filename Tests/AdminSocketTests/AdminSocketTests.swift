import HearthAdminSocket
import HearthDocumentModel
import Foundation
import TestSupport
import Testing

/// Calls over real sockets, between two sides of one process.
@Suite struct AdminSocketTests {
  @Test func itemsAndAnswersArriveInOrder() throws {
    let server = try EchoServer()
    let client = try #require(try server.client())
    #expect(client.hello.databaseID == .default)
    #expect(client.hello.process == Int(ProcessInfo.processInfo.processIdentifier))
    for count in [0, 1, 5_000] {
      var numbers: [Int] = []
      let answer = try client.run(EchoCall(count)) { numbers.append($0.count) }
      #expect(answer.count == count)
      #expect(numbers == Array(0..<count))
    }
  }

  @Test func anErrorLeavesTheConnectionAlive() throws {
    struct Unknown: AdminCall {
      typealias Item = AdminNothing
      typealias Answer = AdminNothing
      static let name = "nothing like it"
    }
    let client = try #require(try EchoServer().client())
    let server = try EchoServer()
    let other = try #require(try server.client())
    let error = #expect(throws: DatabaseError.self) {
      _ = try other.run(Unknown()) { _ in }
    }
    #expect(error?.code == .notFound)
    #expect(try other.run(EchoCall(1)) { _ in }.count == 1)
    // The first server ends with its last reference.
    #expect(throws: ClosedConnection.self) { _ = try client.run(EchoCall(1)) { _ in } }
  }

  @Test func aStoppedServerLeavesNoSocket() throws {
    let server = try EchoServer()
    let client = try #require(try server.client())
    server.server.stop()
    server.server.stop()
    #expect(try server.client() == nil)
    #expect(!FileManager.default.fileExists(atPath: server.server.path))
    #expect(throws: ClosedConnection.self) { _ = try client.run(EchoCall(1)) { _ in } }
  }

  @Test func aCallThatRunsIsBrokenOffByAStop() throws {
    let server = try EchoServer()
    let client = try #require(try server.client())
    let error = #expect(throws: DatabaseError.self) {
      _ = try client.run(EchoCall(.max)) { if $0.count == 0 { server.server.stop() } }
    }
    #expect(error?.code == .unavailable)
    #expect(error?.details is LostApplication)
  }

  @Test func aCallThatRunsIsFinishedBeforeAPatientStop() throws {
    let server = try EchoServer()
    let client = try #require(try server.client())
    let idle = try #require(try server.client())
    let stopped = Waiting()
    let answer = try client.run(EchoCall(20_000)) { item in
      guard item.count == 0 else { return }
      Thread {
        server.server.stop(answering: .all)
        stopped.end(.success(()))
      }.start()
      // The stop has begun.
      #expect(throws: ClosedConnection.self) {
        while true { _ = try idle.run(EchoCall(1)) { _ in } }
      }
    }
    #expect(answer.count == 20_000)
    try stopped.wait()
    #expect(try server.client() == nil)
  }

  @Test func noClientConnectsToAStaleSocket() throws {
    let folder = try TemporaryFolder()
    do {
      let server = try AdminServer(folder: folder.path)
      // A killed process leaves its socket like this.
      try FileManager.default.moveItem(
        atPath: server.path, toPath: folder.path(of: "kept"))
    }
    try FileManager.default.moveItem(
      atPath: folder.path(of: "kept"), toPath: folder.path(of: "admin.sock"))
    #expect(try AdminClient.connect(folder: folder.path) == nil)
    let server = try AdminServer(folder: folder.path)
    try server.start(.default) { _, replies in try replies.answer(AdminNothing()) }
    #expect(try AdminClient.connect(folder: folder.path) != nil)
  }

  @Test func onlyTheOwnerMayConnect() throws {
    let server = try EchoServer()
    let attributes = try FileManager.default.attributesOfItem(atPath: server.server.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  // MARK: Long paths

  @Test func aLongPathIsServedFromTheRuntimeFolder() throws {
    let runtime = try TemporaryFolder()
    let privateFolder = runtime.path(of: "hearth")
    let server = try EchoServer(runtimeFolder: privateFolder, depth: 12)
    #expect(server.server.path.hasPrefix(privateFolder))
    let attributes = try FileManager.default.attributesOfItem(atPath: privateFolder)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(try server.echo(3) == [0, 1, 2])
    server.server.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.path).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: privateFolder).isEmpty)
  }

  @Test func aRuntimeFolderThatOthersMayEnterIsRefused() throws {
    let runtime = try TemporaryFolder()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: runtime.path)
    let error = #expect(throws: DatabaseError.self) {
      _ = try EchoServer(runtimeFolder: runtime.path, depth: 12)
    }
    #expect(error?.code == .permissionDenied)
  }

  // MARK: Hang-ups

  @Test func aCallEndsWhenItsClientHangsUp() throws {
    struct Enough: Error {}
    let server = try EchoServer()
    do {
      let client = try #require(try server.client())
      #expect(throws: Enough.self) {
        _ = try client.run(EchoCall(.max)) { if $0.count == 3 { throw Enough() } }
      }
    }
    try server.givingUp.wait()
    #expect(try server.echo(1) == [0])
  }

  @Test func stoppingDoesNotWaitForAClientThatReadsNothing() throws {
    let server = try EchoServer()
    let socket = try UnixSocket.connected(to: server.server.path)
    try socket.write(Array("{\"call\":\"echo\",\"parameters\":{\"count\":1000000000}}\n".utf8))
    // The call has begun, and fills the system's buffer for a reader.
    var bytes: [UInt8] = []
    while bytes.count < 1000 { _ = try socket.read(into: &bytes, atMost: 100) }
    server.server.stop()
    try server.givingUp.wait()
  }

  @Test func anIdleConnectionIsClosedWithAMessage() throws {
    let server = try EchoServer(maximumWaitSeconds: 1)
    #expect(try server.answer(to: []) == "{\"closing\":true}")
  }

  @Test func anApplicationThatTakesNoConnectionsIsNotWaitedForWithoutEnd() throws {
    let folder = try TemporaryFolder()
    // It listens, but was not started.
    let server = try AdminServer(folder: folder.path)
    var waiting: [UnixSocket] = []
    #expect(throws: SystemFailure.self) {
      while waiting.count < 1_000 {
        waiting.append(try UnixSocket.connected(to: server.path, waiting: 1))
      }
    }
    let error = #expect(throws: DatabaseError.self) {
      _ = try AdminClient.connect(folder: folder.path, waiting: 1)
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.message.contains("takes no connections") == true)
  }

  @Test func moreClientsThanItServesAreToldSo() throws {
    let server = try EchoServer()
    var clients: [AdminClient] = []
    let error = #expect(throws: DatabaseError.self) {
      while clients.count < 100 { clients.append(try #require(try server.client())) }
    }
    #expect(error?.code == .resourceExhausted)
    #expect(clients.count == 16)
  }
}

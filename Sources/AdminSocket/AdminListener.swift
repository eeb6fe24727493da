import Dispatch
import HearthDocumentModel
import HearthReports
import Synchronization

/// The state that a server's threads share: its socket and its connections.
final class AdminListener: Sendable {
  private static let maximumConnectionCount = 16

  private struct Connection {
    let socket: UnixSocket
    /// Whether the connection performs a call.
    var isBusy = false
  }

  private enum Admission {
    case number(Int)
    case isFull
    case isStopped
  }

  private struct State {
    var connections: [Int: Connection] = [:]
    var lastNumber = 0
    /// Whether no more calls may begin.
    var refusesCalls = false
    var isStopped = false
  }

  let place: SocketPlace
  let maximumLineByteCount: Int
  private let maximumWaitSeconds: Int
  private let socket: UnixSocket
  private let state = Mutex(State())
  /// The calls that are being performed.
  private let calls = DispatchGroup()
  /// The connections whose other side has not received the closing line yet.
  private let conversations = DispatchGroup()

  init(
    folder: String, runtimeFolder: String?, maximumLineByteCount: Int, maximumWaitSeconds: Int
  ) throws(SystemFailure) {
    self.maximumLineByteCount = maximumLineByteCount
    self.maximumWaitSeconds = maximumWaitSeconds
    place = try SocketPlace(serving: folder, runtimeFolder: runtimeFolder)
    socket = try UnixSocket.listening(at: place.path)
  }

  /// Refuses all further calls. Calls that are being performed go on.
  func refuseCalls() { state.withLock { $0.refusesCalls = true } }

  /// - Parameter note: a closure that is called once if waiting for the calls takes long.
  func stop(answering answered: AnsweredCalls, _ note: () -> Void = {}) {
    let connections = state.withLock { state -> [Connection]? in
      guard !state.isStopped else { return nil }
      state.refusesCalls = true
      state.isStopped = true
      return Array(state.connections.values)
    }
    guard let connections else { return }
    socket.shutDown()
    // A name that stays behind is stale. The next process that connects or opens the database
    // handles it.
    try? place.remove()
    for connection in connections {
      if answered != .none || !connection.isBusy {
        // The connection's thread wakes up once it has answered, and sends the closing line.
        connection.socket.shutDownReading()
      } else {
        connection.socket.shutDown()
      }
    }
    guard answered != .none else { return }
    if calls.wait(timeout: .now() + .seconds(1)) == .timedOut {
      guard answered == .all else { return cutOff() }
      note()
      calls.wait()
    }
    // The end of the process would come before the closing lines. A client that doesn't read delays
    // it by a second at most.
    _ = conversations.wait(timeout: .now() + .seconds(1))
  }

  /// Ends the calls that are being performed, without an answer.
  private func cutOff() {
    let connections = state.withLock { state in state.connections.values.filter(\.isBusy) }
    for connection in connections { connection.socket.shutDown() }
  }

  /// Whether a call is being performed.
  var isBusy: Bool { state.withLock { $0.connections.values.contains(where: \.isBusy) } }

  /// Marks that a connection performs a call. Returns `false` if no more calls may begin.
  func beginCall(of number: Int) -> Bool {
    state.withLock { state in
      guard !state.refusesCalls else { return false }
      state.connections[number]?.isBusy = true
      calls.enter()
      return true
    }
  }

  func endCall(of number: Int) {
    state.withLock { state in
      state.connections[number]?.isBusy = false
      calls.leave()
    }
  }

  // MARK: Connections

  /// Accepts connections until the stop.
  func run(_ hello: AdminHello, _ perform: @escaping AdminServer.Performer) {
    while !state.withLock({ $0.isStopped }) {
      do throws(SystemFailure) {
        guard let connection = try socket.accepted() else { return }
        try take(connection, hello, perform)
      } catch {
        guard error.isOutOfFiles else { continue }
        // The next attempt would fail as well.
        OwnProcess.pause(milliseconds: 100)
      }
    }
  }

  private func take(
    _ socket: UnixSocket, _ hello: AdminHello, _ perform: @escaping AdminServer.Performer
  ) throws(SystemFailure) {
    socket.limitWaits(seconds: maximumWaitSeconds)
    let user = try socket.peer().user
    guard user == OwnProcess.user || user == 0 else {
      return try refuse(
        socket, .permissionDenied, "The application that has the database open is another user's.")
    }
    let number: Int
    switch add(socket) {
    case .number(let added): number = added
    case .isFull:
      return try refuse(
        socket, .resourceExhausted,
        "The application that has the database open serves "
          + "\(AdminListener.maximumConnectionCount) tools already.")
    case .isStopped:
      var line: [UInt8] = []
      AdminReply.appendClosing(to: &line)
      return try socket.write(line)
    }
    conversations.enter()
    do throws(SystemFailure) {
      try OwnProcess.startThread {
        AdminConversation(socket, number, of: self).run(hello, perform)
        self.remove(number)
      }
    } catch {
      remove(number)
      throw error
    }
  }

  private func add(_ socket: UnixSocket) -> Admission {
    state.withLock { state in
      guard !state.refusesCalls else { return .isStopped }
      guard state.connections.count < AdminListener.maximumConnectionCount else { return .isFull }
      state.lastNumber += 1
      state.connections[state.lastNumber] = Connection(socket: socket)
      return .number(state.lastNumber)
    }
  }

  private func remove(_ number: Int) {
    _ = state.withLock { $0.connections.removeValue(forKey: number) }
    conversations.leave()
  }

  private func refuse(
    _ socket: UnixSocket, _ code: DatabaseError.Code, _ message: String
  ) throws(SystemFailure) {
    var line: [UInt8] = []
    AdminReply.append("error", ReportedError(DatabaseError(code, message)), to: &line)
    try socket.write(line)
  }
}

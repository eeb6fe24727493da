public import Hearth
import HearthServerCalls
import HearthServerTransport

/// A server that listens.
public final class RunningServer: Sendable {
  /// The connections after whose end the memory that they had is given back.
  private static let manyConnections = 100
  private static let memoryPause = Duration.seconds(20)

  private let serverPort: ServerPort
  private let signInServerPort: ServerPort?
  /// The databases. Tests look at them.
  package let registry: DatabaseRegistry
  private let transactions: Transactions
  private let accounts: ServedAccounts
  private let channels: WebChannels
  /// Ends the work beside calls.
  private let ending: @Sendable () -> Void
  private let grace: Duration
  /// Closes databases that are idle, ends transactions that are, and gives memory back.
  private let upkeep: [Task<Void, Never>]

  /// - Parameter endedConnectionCount: returns the number of connections that have ended since its
  ///   last call.
  init(
    _ serverPort: ServerPort, _ signInServerPort: ServerPort?, _ registry: DatabaseRegistry,
    _ transactions: Transactions, _ accounts: ServedAccounts, _ channels: WebChannels,
    only: DatabaseID?, idleTime: Duration, grace: Duration,
    endedConnectionCount: @escaping @Sendable () -> Int, ending: @escaping @Sendable () -> Void
  ) {
    self.serverPort = serverPort
    self.signInServerPort = signInServerPort
    self.accounts = accounts
    self.channels = channels
    self.registry = registry
    self.transactions = transactions
    self.ending = ending
    onlyDatabase = only
    self.grace = grace
    let pause = max(idleTime / 2, .seconds(1))
    upkeep = [
      Task {
        while (try? await Task.sleep(for: pause)) != nil {
          let openCount = registry.openCount
          await registry.closeIdle()
          if registry.openCount < openCount { SystemCalls.giveBackMemory() }
        }
      },
      Task {
        while (try? await Task.sleep(for: RunningServer.memoryPause)) != nil {
          if endedConnectionCount() >= RunningServer.manyConnections {
            SystemCalls.giveBackMemory()
          }
        }
      },
      Task {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          transactions.endExpired()
          channels.look()
        }
      },
    ]
  }

  /// The number of its port.
  public var port: Int { serverPort.number }

  /// The number of the port for sign-in alone; `nil` for none.
  public var signInPort: Int? { signInServerPort?.number }

  /// The only database that it serves; `nil` if there may be any number.
  public let onlyDatabase: DatabaseID?

  /// Removes a database with all that is in it. Calls on it that are under way are refused.
  ///
  /// - Throws: `failedPrecondition` for the only database of a server; `invalidArgument` for an id
  ///   that can't name a folder; `unavailable`, with the system's words.
  public func removeDatabase(_ id: DatabaseID) async throws(DatabaseError) {
    try await registry.remove(id)
    transactions.endAll(of: id)
  }

  /// Takes no new calls, rolls back the transactions that have none under way, lets the running
  /// calls end within the grace period, and closes all databases.
  public func stop() async {
    for task in upkeep { task.cancel() }
    ending()
    transactions.stop()
    // Their answers have no end of their own.
    channels.end()
    async let signInEnd: Void? = signInServerPort?.close(after: grace)
    await serverPort.close(after: grace)
    await signInEnd
    await channels.close()
    await accounts.close()
    await registry.closeAll()
  }
}

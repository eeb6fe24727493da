/// A limit for the servers that tests run at once. All tests share one process, and Foundation
/// doesn't notice the end of a child process whose file descriptor has a number from 1,024.
package actor Turns {
  package static let servers = Turns(8)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private init(_ count: Int) {
    free = count
  }

  /// Runs `body` when it has its turn.
  package static func run<Result>(_ body: () async throws -> Result) async throws -> Result {
    await servers.take()
    do {
      let result = try await body()
      await servers.giveBack()
      return result
    } catch {
      await servers.giveBack()
      throw error
    }
  }

  private func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

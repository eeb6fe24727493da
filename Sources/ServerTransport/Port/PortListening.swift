import NIOCore
import NIOPosix

/// Opens the listening sockets of a port.
struct PortListening: Sendable {
  /// Choices of a number that is free at all addresses.
  private static let attemptCount = 10

  let handlers: PortPipeline

  /// Listens at all addresses.
  ///
  /// - Parameter number: the number of the port; 0 lets the system choose.
  /// - Throws: ``PortFailure``.
  func listeners(
    at addresses: PortAddresses, number: Int
  ) async throws(PortFailure) -> [any Channel] {
    for _ in 1..<PortListening.attemptCount where number == 0 {
      do throws(PortFailure) {
        return try await attempt(addresses, number)
      } catch {
        // The number that one address has given is taken at another one.
        guard error.isInUse else { throw error }
      }
    }
    return try await attempt(addresses, number)
  }

  private func attempt(
    _ addresses: PortAddresses, _ number: Int
  ) async throws(PortFailure) -> [any Channel] {
    var number = number
    var listeners: [any Channel] = []
    for address in addresses.all + addresses.available {
      do throws(PortFailure) {
        let listener = try await listener(at: address, number)
        listeners.append(listener)
        number = listener.localAddress?.port ?? number
      } catch {
        if addresses.available.contains(address), !error.isInUse { continue }
        for listener in listeners { try? await listener.close() }
        throw error
      }
    }
    return listeners
  }

  private func listener(
    at address: String, _ number: Int
  ) async throws(PortFailure) -> any Channel {
    do {
      return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 1024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { [handlers] channel in
          channel.eventLoop.makeCompletedFuture { try handlers.configure(channel) }
        }
        .bind(host: address, port: number).get()
    } catch {
      throw PortFailure(
        at: address, number: number, code: (error as? IOError)?.errnoCode, text: "\(error)")
    }
  }
}

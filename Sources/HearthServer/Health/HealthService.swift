import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Synchronization

/// `grpc.health.v1.Health`: load balancers and tools ask it whether the server serves.
final class HealthService: Sendable {
  static let name = "grpc.health.v1.Health"

  private typealias Status = Grpc_Health_V1_HealthCheckResponse.ServingStatus

  private struct State {
    var isStopping = false
    var nextNumber = 0
    var watchers: [Int: AsyncStream<Never>.Continuation] = [:]
  }

  private let services: Set<String>
  private let state = Mutex(State())

  /// - Parameter services: the names of the services of which clients may ask.
  init(_ services: some Sequence<String>) {
    self.services = Set(services)
  }

  var methods: [String: ServiceMethod] {
    ["Check": .unary(check), "List": .unary(list), "Watch": .streaming(watch)]
  }

  /// Tells all watchers that the server serves no longer.
  func stop() {
    let watchers = state.withLock { state in
      state.isStopping = true
      defer { state.watchers = [:] }
      return state.watchers.values
    }
    for watcher in watchers { watcher.finish() }
  }

  /// - Returns: `nil` for a service that the server doesn't have. The empty name is the server.
  private func status(of service: String) -> Status? {
    guard service.isEmpty || services.contains(service) else { return nil }
    return state.withLock { $0.isStopping ? .notServing : .serving }
  }

  private func check(
    _ request: Grpc_Health_V1_HealthCheckRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Grpc_Health_V1_HealthCheckResponse {
    guard let status = status(of: request.service) else {
      throw DatabaseError(.notFound, "The server has no service \"\(request.service)\".")
    }
    return .with { $0.status = status }
  }

  private func list(
    _ request: Grpc_Health_V1_HealthListRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Grpc_Health_V1_HealthListResponse {
    .with { response in
      for service in services.union([""]) {
        response.statuses[service] = .with { $0.status = status(of: service) ?? .unknown }
      }
    }
  }

  /// Sends the status now, and when it changes. It ends with the server.
  private func watch(
    _ request: Grpc_Health_V1_HealthCheckRequest, _ context: CallContext,
    send: Sending<Grpc_Health_V1_HealthCheckResponse>
  ) async throws {
    let status = status(of: request.service) ?? .serviceUnknown
    try await send(.with { $0.status = status })
    await untilStop()
    guard status == .serving, !Task.isCancelled else { return }
    try await send(.with { $0.status = .notServing })
  }

  /// Returns when the server stops, or when the caller is cancelled.
  private func untilStop() async {
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    let number: Int? = state.withLock { state in
      guard !state.isStopping else { return nil }
      state.watchers[state.nextNumber] = continuation
      state.nextNumber += 1
      return state.nextNumber - 1
    }
    guard let number else { return }
    for await _ in end {}
    _ = state.withLock { $0.watchers.removeValue(forKey: number) }
  }
}

extension Services {
  /// Adds the service that tells of all others before it.
  mutating func addHealth() -> HealthService {
    let health = HealthService(names)
    add(HealthService.name, health.methods)
    return health
  }
}

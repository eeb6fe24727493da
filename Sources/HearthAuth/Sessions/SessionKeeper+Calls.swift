import Foundation

extension SessionKeeper {
  /// A call and its value.
  typealias Call<Value> = @Sendable () async throws(AuthFailure) -> Value

  /// Makes a call after all earlier ones.
  func inOrder<Value: Sendable>(_ call: @escaping Call<Value>) async throws -> Value {
    try await order.start { await SessionKeeper.outcome(of: call) }.value.get()
  }

  /// Makes a call after all earlier ones, and hands its outcome to a handler.
  func inOrder<Value: Sendable>(
    _ completion: ((Value?, (any Error)?) -> Void)?, _ call: @escaping Call<Value>
  ) {
    deliver(order.start { await SessionKeeper.outcome(of: call) }, to: completion)
  }

  /// Makes a call after all earlier ones, and hands its error to a handler.
  func inOrder(
    _ completion: (((any Error)?) -> Void)?, _ call: @escaping Call<Void>
  ) {
    inOrder(completion.map { completion in { (_: Void?, error) in completion(error) } }, call)
  }

  /// Makes a call at once.
  func atOnce<Value: Sendable>(_ call: @escaping Call<Value>) async throws -> Value {
    try await SessionKeeper.outcome(of: call).get()
  }

  /// Makes a call at once, and hands its outcome to a handler.
  func atOnce<Value: Sendable>(
    _ completion: ((Value?, (any Error)?) -> Void)?, _ call: @escaping Call<Value>
  ) {
    deliver(Task { await SessionKeeper.outcome(of: call) }, to: completion)
  }

  private func deliver<Value: Sendable>(
    _ task: Task<Result<Value, NSError>, Never>, to completion: ((Value?, (any Error)?) -> Void)?
  ) {
    guard let completion else { return }
    let handler = Handler<Result<Value, NSError>> { result in
      switch result {
      case .success(let value): completion(value, nil)
      case .failure(let error): completion(nil, error)
      }
    }
    Task { delivery.hand(await task.value, to: handler) }
  }

  private static func outcome<Value>(of call: Call<Value>) async -> Result<Value, NSError> {
    do throws(AuthFailure) {
      return .success(try await call())
    } catch {
      return .failure(error.error)
    }
  }
}

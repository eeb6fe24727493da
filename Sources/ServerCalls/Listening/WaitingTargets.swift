import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning

/// The targets of a stream that are set aside, since the indexes of their queries are being built.
struct WaitingTargets {
  /// A build that has ended.
  struct Built: Sendable {
    let targetID: Int32
    /// Whether the query may be tried again.
    let isThere: Bool
    fileprivate let number: Int
  }

  private struct Wait {
    let number: Int
    let target: V1.Target
    let refusal: Refusal
    let work: Task<Void, Never>
  }

  private let creation: IndexCreation?
  private let context: CallContext
  private let note: @Sendable (Built) -> Void
  private var waits: [Int32: Wait] = [:]
  private var waitCount = 0

  /// - Parameters:
  ///   - creation: creates indexes; `nil` for refusing queries.
  ///   - note: receives the builds that have ended.
  init(
    _ creation: IndexCreation?, _ context: CallContext,
    note: @escaping @Sendable (Built) -> Void
  ) {
    self.creation = creation
    self.context = context
    self.note = note
  }

  var count: Int { waits.count }

  func contains(_ id: Int32) -> Bool { waits[id] != nil }

  /// Sets a target aside, and creates the indexes that it lacks.
  ///
  /// - Returns: whether it waits; `false` without the right to create indexes.
  mutating func add(_ id: Int32, _ target: V1.Target, _ refusal: Refusal) -> Bool {
    guard let creation else { return false }
    waitCount += 1
    let (note, number) = (note, waitCount)
    let work = Task { [context] in
      let isThere = await creation.create(for: refusal, context)
      note(Built(targetID: id, isThere: isThere, number: number))
    }
    waits[id] = Wait(number: number, target: target, refusal: refusal, work: work)
    return true
  }

  /// Takes the target whose build has ended.
  ///
  /// - Returns: the target, and the refusal of its query; `nil` if it was removed meanwhile.
  mutating func take(_ built: Built) -> (target: V1.Target, refusal: Refusal)? {
    guard let wait = waits[built.targetID], wait.number == built.number else { return nil }
    waits[built.targetID] = nil
    return (wait.target, wait.refusal)
  }

  /// Removes a target. The build goes on.
  ///
  /// - Returns: whether there was one.
  mutating func remove(_ id: Int32) -> Bool {
    guard let wait = waits.removeValue(forKey: id) else { return false }
    wait.work.cancel()
    return true
  }

  mutating func removeAll() {
    for id in Array(waits.keys) { _ = remove(id) }
  }
}

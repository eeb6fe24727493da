/// A step of an actor in a test of locks. Documents are named by one word.
enum LockStep: Sendable, Equatable {
  /// A read of a transaction, by name or by a query over all documents.
  case read([String])
  case readAll
  /// The end of a transaction, with writes.
  case commit([String])
  case rollback
  /// A commit outside of transactions.
  case write([String])
  /// The end of another actor's transaction.
  case expire(Int)
}

extension LockStep {
  /// Whether the actor has no transaction.
  var isPlain: Bool {
    switch self {
    case .write, .expire: true
    case .read, .readAll, .commit, .rollback: false
    }
  }
}

/// The outcome of a step.
enum LockOutcome: Sendable, Equatable {
  /// The names and versions of the documents that were read.
  case versions([String: Int64])
  case done
  case aborted
}

/// A model of strict two-phase locking over whole documents, without threads. Transactions are
/// numbered by age.
///
/// A read waits for waiting writes of documents that its transaction doesn't hold yet, unless they
/// wait for the transaction. The youngest of transactions that wait for each other is aborted.
struct LockModel: Sendable {
  static let documents = ["a", "b", "c", "new"]

  private enum Wait: Sendable {
    case read([String], first: Set<Int>)
    case write([String], holders: Set<Int>)
  }

  private struct Actor: Sendable {
    var steps: ArraySlice<LockStep>
    let isTransaction: Bool
    var locked: Set<String> = []
    var isOpen = true
    var wait: Wait?
    var outcomes: [LockOutcome] = []
  }

  private var actors: [Actor]
  /// The actors whose writes wait, in the order of their arrival.
  private var line: [Int] = []
  private(set) var versions: [String: Int64] = ["a": 0, "b": 0, "c": 0]

  init(_ scripts: [[LockStep]]) {
    actors = scripts.map { Actor(steps: $0[...], isTransaction: !$0.contains(where: \.isPlain)) }
  }

  func outcomes(of actor: Int) -> [LockOutcome] { actors[actor].outcomes }
  var waiting: [Int] { actors.indices.filter { actors[$0].wait != nil } }
  /// The actors that can take their next step.
  var able: [Int] { actors.indices.filter { actors[$0].wait == nil && !actors[$0].steps.isEmpty } }
  var isOver: Bool { actors.allSatisfy { $0.steps.isEmpty && $0.wait == nil } }

  /// Takes the next step of an actor, and all that follows from it.
  mutating func advance(_ actor: Int) -> LockStep? {
    guard let step = actors[actor].steps.popFirst() else { return nil }
    switch step {
    case .read(let names): read(names, by: actor)
    case .readAll: read(LockModel.documents, by: actor)
    case .commit(let names), .write(let names): write(names, by: actor)
    case .rollback:
      close(actor)
      actors[actor].outcomes.append(.done)
    case .expire(let other):
      close(other)
      actors[actor].outcomes.append(.done)
    }
    settle()
    return step
  }

  // MARK: Steps

  private mutating func read(_ names: [String], by actor: Int) {
    guard actors[actor].isOpen else { return end(actor, .aborted) }
    let first = line.filter { other in
      guard other != actor, case .write(let written, let holders) = actors[other].wait else {
        return false
      }
      return names.contains { written.contains($0) && !actors[actor].locked.contains($0) }
        && !isReached(actor, from: holders, alsoByReads: true)
    }
    guard first.isEmpty else {
      actors[actor].wait = .read(names, first: Set(first))
      return
    }
    actors[actor].locked.formUnion(names)
    for other in line where other != actor {
      guard case .write(let written, var holders) = actors[other].wait,
        !names.allSatisfy({ !written.contains($0) })
      else { continue }
      holders.insert(actor)
      actors[other].wait = .write(written, holders: holders)
    }
    end(actor, .versions(versions.filter { names.contains($0.key) }))
  }

  private mutating func write(_ names: [String], by actor: Int) {
    guard actors[actor].isOpen else { return end(actor, .aborted) }
    while true {
      let holders = Set(
        actors.indices.filter { other in
          other != actor && !actors[other].locked.isDisjoint(with: names)
        })
      guard !holders.isEmpty else {
        for name in names { versions[name, default: 0] += 1 }
        end(actor, .done)
        return close(actor)
      }
      let elders = holders.filter { $0 < actor }
      if isReached(actor, from: elders, alsoByReads: false, over: { $0 < actor }) {
        end(actor, .aborted)
        return close(actor)
      }
      guard let victim = youngest(inCircleOf: actor, waitingFor: holders) else {
        if !line.contains(actor) { line.append(actor) }
        actors[actor].wait = .write(names, holders: holders)
        return
      }
      close(victim)
    }
  }

  private mutating func end(_ actor: Int, _ outcome: LockOutcome) {
    actors[actor].wait = nil
    line.removeAll { $0 == actor }
    actors[actor].outcomes.append(outcome)
  }

  /// Ends a transaction. A step of it that waits is aborted.
  private mutating func close(_ actor: Int) {
    guard actors[actor].isTransaction else { return }
    actors[actor].isOpen = false
    actors[actor].locked = []
    if actors[actor].wait != nil { end(actor, .aborted) }
    for other in actors.indices {
      guard case .write(let names, var holders) = actors[other].wait else { continue }
      holders.remove(actor)
      actors[other].wait = .write(names, holders: holders)
    }
  }

  /// Lets all go on that needn't wait any more.
  private mutating func settle() {
    while true {
      if let next = line.first(where: isFree), case .write(let names, _) = actors[next].wait {
        write(names, by: next)
        continue
      }
      var isSettled = true
      for reader in actors.indices {
        guard case .read(let names, _) = actors[reader].wait else { continue }
        read(names, by: reader)
        if actors[reader].wait == nil { isSettled = false }
      }
      if isSettled { return }
    }
  }

  private func isFree(_ actor: Int) -> Bool {
    if case .write(_, let holders) = actors[actor].wait { holders.isEmpty } else { false }
  }

  // MARK: Circles

  private func next(_ actor: Int, alsoByReads: Bool) -> Set<Int> {
    switch actors[actor].wait {
    case nil: []
    case .write(_, let holders): holders
    case .read(_, let first):
      alsoByReads
        ? first.reduce(into: []) { $0.formUnion(next($1, alsoByReads: false)) } : []
    }
  }

  private func isReached(
    _ target: Int, from starts: Set<Int>, alsoByReads: Bool,
    over isPassable: (Int) -> Bool = { _ in true }
  ) -> Bool {
    var (open, seen) = (Array(starts), starts)
    while let actor = open.popLast() {
      if actor == target { return true }
      for other in next(actor, alsoByReads: alsoByReads)
      where (other == target || isPassable(other)) && seen.insert(other).inserted {
        open.append(other)
      }
    }
    return false
  }

  /// Returns the youngest actor of a shortest circle; `nil` if there is no circle.
  private func youngest(inCircleOf actor: Int, waitingFor holders: Set<Int>) -> Int? {
    var ways = holders.sorted().map { [$0] }
    while !ways.isEmpty {
      var longer: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        if last == actor { return way.max() }
        for other in next(last, alsoByReads: false).sorted() where !way.contains(other) {
          longer.append(way + [other])
        }
      }
      ways = longer
    }
    return nil
  }
}

import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport

/// A listener that replays its events, and the result of a fresh query at each step.
struct ObservedListener {
  /// A result as far as it is visible.
  struct Row: Equatable {
    let path: ResourcePath
    let createTime: Timestamp
    let updateTime: Timestamp
    let fields: MapValue

    init(_ document: FetchedDocument) throws {
      path = document.path
      createTime = document.createTime
      updateTime = document.updateTime
      fields = try document.fields()
    }
  }

  private enum Expected {
    case rows([Row])
    case refusal(String)
  }

  let listened: ListenedQuery
  let mailbox: ListenerMailbox
  private(set) var hasEnded = false
  private var list: [Row]?
  private var expected: [UInt64: Expected] = [:]
  private var latest: Expected?
  private var readTime = Timestamp.minimum
  /// Number of steps of the feed since the last snapshot.
  private var stepCount = 0

  init(_ listened: ListenedQuery, _ mailbox: ListenerMailbox) {
    self.listened = listened
    self.mailbox = mailbox
  }

  /// Paths of the documents in the listener's list.
  var paths: [ResourcePath] { list?.map(\.path) ?? [] }

  mutating func expectMoment(in view: ReadView) throws {
    stepCount += 1
    if case .refusal = latest { return }
    let number = view.commitNumber
    if expected[number] != nil { return }
    do {
      let execution = try view.run(listened.query)
      var rows: [Row] = []
      while let document = try execution.nextDocument() { rows.append(try Row(document)) }
      latest = .rows(listened.isReversed ? rows.reversed() : rows)
    } catch {
      guard let error = error as? DatabaseError, error.missingIndex != nil else { throw error }
      latest = .refusal(error.message)
    }
    expected[number] = latest
  }

  // MARK: Taking snapshots

  mutating func takeEnd() throws {
    guard case .end? = mailbox.take() else { throw broken("a removed listener is told something") }
    hasEnded = true
  }

  mutating func take(_ mix: inout ListenerMix) throws {
    guard let latest else { return }
    switch (mailbox.take(), latest) {
    case (.failure(let error)?, .refusal(let message)):
      mix.failureCount += 1
      guard error.message == message else { throw broken("\(error.message) is not \(message)") }
      try takeEnd()
    case (.snapshot(let snapshot)?, .rows):
      try replay(snapshot, &mix)
      guard mailbox.take() == nil else { throw broken("one moment comes twice") }
    case (nil, .rows(let rows)):
      mix.silenceCount += 1
      guard list == rows else { throw broken("nothing is told, but the result is \(rows)") }
    case (let event, _):
      throw broken("\(describe(event) ?? "nothing") is told in place of \(latest)")
    }
  }

  private mutating func replay(_ snapshot: ListenerSnapshot, _ mix: inout ListenerMix) throws {
    guard case .rows(let rows)? = expected[snapshot.commitNumber] else {
      throw broken("nobody stopped at commit \(snapshot.commitNumber)")
    }
    guard snapshot.readTime >= readTime else { throw broken("time goes back") }
    let before = list
    var replayed = list ?? []
    for change in snapshot.changes { try replay(change, in: &replayed) }
    try checkOrder(snapshot.changes)
    let documents = try snapshot.documents.map { try Row($0) }
    guard replayed == rows, documents == rows else {
      throw broken(
        "\(describe(.snapshot(snapshot)) ?? "") makes \(replayed.map(\.path)) of "
          + "\(before.debugDescription), and lists \(documents.map(\.path)), in place of "
          + "\(rows.map(\.path))")
    }
    guard before != rows else { throw broken("nothing is different: \(rows)") }
    mix.add(snapshot, isLate: stepCount > 1, isFirst: before == nil)
    (list, readTime, stepCount) = (rows, snapshot.readTime, 0)
    expected = expected.filter { $0.key >= snapshot.commitNumber }
  }

  private func replay(
    _ change: ListenerSnapshot.Change, in list: inout [Row]
  ) throws {
    let hasOld = change.kind != .added
    let hasNew = change.kind != .removed
    guard hasOld == (change.oldIndex != nil), hasNew == (change.newIndex != nil) else {
      throw broken("\(change) has other indexes than its kind")
    }
    if let index = change.oldIndex {
      guard list.indices.contains(index), list[index].path == change.document.path else {
        throw broken("\(change.document.path) is not at \(index)")
      }
      let old = list.remove(at: index)
      if change.kind == .modified, try old == Row(change.document) {
        throw broken("\(old.path) is modified into itself")
      }
    }
    if let index = change.newIndex {
      guard index <= list.count else { throw broken("\(index) is behind the end") }
      list.insert(try Row(change.document), at: index)
    }
  }

  /// Checks the order: removals, additions, modifications, and within each the query's order (§8).
  private func checkOrder(_ changes: [ListenerSnapshot.Change]) throws {
    guard listened.query.projection == nil else { return }
    let matcher = QueryMatcher(try NormalizedQuery(listened.query, in: .default))
    for (left, right) in zip(changes, changes.dropFirst()) {
      guard left.kind == right.kind else {
        guard left.kind.rank < right.kind.rank else { throw broken("\(right) comes late") }
        continue
      }
      let order = try matcher.compare(left.document.document(), right.document.document())
      guard order == (listened.isReversed ? .greater : .less) else {
        throw broken("\(left.document.path) comes before \(right.document.path)")
      }
    }
  }

  private func broken(_ text: String) -> LawBroken {
    LawBroken("\(listened.query), reversed: \(listened.isReversed): \(text)")
  }
}

extension ListenerSnapshot.Change.Kind {
  var rank: Int {
    switch self {
    case .removed: 0
    case .added: 1
    case .modified: 2
    }
  }
}

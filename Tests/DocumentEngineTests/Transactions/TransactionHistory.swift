import DocumentEngine
import DocumentModel
import QueryPlanning
import TestSupport

/// What one transaction or commit has read and written.
struct HistoryEvent: Sendable {
  let reads: [(read: GeneratedRead, answer: ReadAnswer)]
  let writes: [Write]
  /// When it was committed; of one that only read, the moment that it read.
  let time: Timestamp
  let isReadOnly: Bool
}

/// Replays a history in the order of its commits, and runs every read again on the documents of its
/// place: if each gives what it gave in the database, the history is serialisable, in that order.
struct HistoryReplay {
  private(set) var documents: [ResourcePath: Document]
  /// Commits that shared their time with others.
  private(set) var groupedCount = 0

  init(from documents: [ResourcePath: Document]) {
    self.documents = documents
  }

  /// - Throws: `LawBroken` for an event that has no place.
  mutating func run(_ events: [HistoryEvent]) throws {
    let commits = Dictionary(grouping: events.filter { !$0.isReadOnly }, by: \.time)
    var readers = events.filter(\.isReadOnly).sorted { $0.time > $1.time }
    for (time, group) in commits.sorted(by: { $0.key < $1.key }) {
      try check(&readers, before: time)
      if group.count > 1 { groupedCount += group.count }
      guard let after = try Self.documents(documents, after: group) else {
        throw LawBroken("No order explains the commits at \(time): \(group)")
      }
      documents = after
    }
    try check(&readers, before: .maximum)
  }

  /// Those that only read see every commit up to their moment, and none behind it.
  private func check(_ readers: inout [HistoryEvent], before time: Timestamp) throws {
    while let reader = readers.last, reader.time < time {
      guard try Self.isExplained(reader, by: documents) else {
        throw LawBroken("No commit explains what was read at \(reader.time): \(reader)")
      }
      readers.removeLast()
    }
  }

  /// What the events of one group leave, in some order that explains what each of them has read.
  /// Events of one group have the same time, and no two write one document.
  private static func documents(
    _ documents: [ResourcePath: Document], after group: [HistoryEvent]
  ) throws -> [ResourcePath: Document]? {
    guard !group.isEmpty else { return documents }
    for index in group.indices where try isExplained(group[index], by: documents) {
      var next = documents
      for write in group[index].writes { apply(write, at: group[index].time, to: &next) }
      var rest = group
      rest.remove(at: index)
      if let after = try self.documents(next, after: rest) { return after }
    }
    return nil
  }

  private static func isExplained(
    _ event: HistoryEvent, by documents: [ResourcePath: Document]
  ) throws -> Bool {
    try event.reads.allSatisfy { try $0.read.gives($0.answer, on: documents) }
  }

  private static func apply(
    _ write: Write, at time: Timestamp, to documents: inout [ResourcePath: Document]
  ) {
    guard case .update(let fields, mask: nil) = write.operation else {
      documents[write.path] = nil
      return
    }
    // What changes nothing leaves the version as it was (§7.1).
    guard documents[write.path]?.fields != fields else { return }
    documents[write.path] = Document(
      path: write.path, fields: fields, createTime: time, updateTime: time)
  }
}

import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport

/// The reads and writes of one transaction or commit.
struct HistoryEvent: Sendable {
  let reads: [(read: GeneratedRead, answer: ReadAnswer)]
  let writes: [Write]
  /// Time of the commit; of a read-only transaction, the time of its reads.
  let time: Timestamp
  let isReadOnly: Bool
}

/// A replay of a history in the order of its commits. It runs every read again on the documents of
/// its place. If each has the answer that it had in the database, the history is serialisable, in
/// that order.
struct HistoryReplay {
  private(set) var documents: [ResourcePath: Document]
  /// Number of commits that shared their time with others.
  private(set) var groupedCount = 0

  init(from documents: [ResourcePath: Document]) {
    self.documents = documents
  }

  /// - Throws: `LawBroken` for an event that has no place in the order.
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

  /// Checks that events that only read see every commit up to their moment, and none after it.
  private func check(_ readers: inout [HistoryEvent], before time: Timestamp) throws {
    while let reader = readers.last, reader.time < time {
      guard try Self.isExplained(reader, by: documents) else {
        throw LawBroken("No commit explains what was read at \(reader.time): \(reader)")
      }
      readers.removeLast()
    }
  }

  /// Returns the documents after the events of one group, in some order that explains the reads of
  /// each. Events of one group have the same time, and no two write one document.
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
    // A write without a change keeps the version (§7.1).
    guard documents[write.path]?.fields != fields else { return }
    documents[write.path] = Document(
      path: write.path, fields: fields, createTime: time, updateTime: time)
  }
}

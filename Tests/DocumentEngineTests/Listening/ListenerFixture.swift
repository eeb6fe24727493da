import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import Testing

/// An engine whose listeners advance only when a test steps them.
struct ListenerFixture {
  let engine: Engine
  let feed: ChangeFeed
  /// Number of times that the feed requested a step.
  let wakeCount = Lock(0)

  init(_ store: any OrderedStore = MemoryStore()) throws {
    engine = try Engine(store)
    feed = ChangeFeed(engine) { [wakeCount] _ in wakeCount.withLock { $0 += 1 } }
  }

  func listen(to query: StructuredQuery, isReversed: Bool = false) -> ListenerMailbox {
    feed.listen(to: query, isReversed: isReversed) { _ in }
  }

  /// Sets documents of the collection `c`, by their ids.
  func set(_ fields: [(String, MapValue)]) throws {
    _ = try engine.commit(fields.map { .set(try ResourcePath("c/\($0.0)"), $0.1) })
  }

  func set(_ id: String, _ fields: MapValue) throws { try set([(id, fields)]) }

  func delete(_ ids: String...) throws {
    _ = try engine.commit(ids.map { .delete(try ResourcePath("c/\($0)")) })
  }

  /// Steps, and describes the event that a listener receives: see `describe`.
  func next(_ mailbox: ListenerMailbox) -> String? {
    feed.step()
    return describe(mailbox.take())
  }
}

/// Returns a text such as `-a 0, +b 0, ~c 1>2: b d c`: changes with their indexes, then the list.
func describe(_ event: ListenerEvent?) -> String? {
  switch event {
  case nil: return nil
  case .end: return "end"
  case .failure(let error): return "\(error.code): \(error.message)"
  case .snapshot(let snapshot):
    let changes = snapshot.changes.map { change in
      let id = change.document.path.lastSegment ?? ""
      switch (change.kind, change.oldIndex, change.newIndex) {
      case (.removed, let old?, nil): return "-\(id) \(old)"
      case (.added, nil, let new?): return "+\(id) \(new)"
      case (.modified, let old?, let new?): return "~\(id) \(old)>\(new)"
      default: return "?\(id)"
      }
    }
    let ids = snapshot.documents.map { $0.path.lastSegment ?? "" }
    return ([changes.joined(separator: ", ") + ":"] + ids).joined(separator: " ")
  }
}

extension StructuredQuery {
  /// Returns a query for documents of `c` by their field `n`.
  static func byNumber(
    _ direction: SortDirection = .ascending, offset: Int = 0, limit: Int? = nil
  ) -> StructuredQuery {
    StructuredQuery(
      collectionID: "c", orders: [Order(FieldPath(unchecked: ["n"]), direction)], offset: offset,
      limit: limit)
  }
}

package import Hearth
package import HearthDocumentModel

/// The documents on which the judgements of listeners depend, with a listener for each.
package struct WatchedDocuments<Owner: Hashable> {
  private struct Watch {
    let path: ResourcePath
    var owners: Set<Owner>
  }

  private let listeners: ListenerSet
  private let database: Database
  private var watches: [ListenerSet.ID: Watch] = [:]
  private var ids: [ResourcePath: ListenerSet.ID] = [:]
  private var paths: [Owner: Set<ResourcePath>] = [:]

  /// - Parameter listeners: the set that tells of the documents, together with the listeners that
  ///   depend on them.
  package init(in listeners: ListenerSet, of database: Database) {
    self.listeners = listeners
    self.database = database
  }

  /// The number of watched documents.
  package var count: Int { watches.count }

  /// Returns the owners whose judgement depends on the document of a listener; `nil` for a listener
  /// that isn't one of these.
  package func owners(of listener: ListenerSet.ID) -> Set<Owner>? { watches[listener]?.owners }

  /// Sets the documents on which an owner's judgement depends. Each new one has news at once, after
  /// which the owner must be judged again: the document may have changed since it was read.
  package mutating func watch(_ documents: some Sequence<ResourcePath>, for owner: Owner) {
    let new = Set(documents)
    let old = paths[owner] ?? []
    guard new != old else { return }
    for path in old.subtracting(new) { leave(path, owner) }
    for path in new.subtracting(old) { join(path, owner) }
    paths[owner] = new.isEmpty ? nil : new
  }

  /// Ends the watch of an owner.
  package mutating func remove(_ owner: Owner) { watch([], for: owner) }

  private mutating func join(_ path: ResourcePath, _ owner: Owner) {
    if let id = ids[path] {
      watches[id]?.owners.insert(owner)
      return
    }
    // Nothing can be at a path that no document may have.
    guard let reference = try? database.document(path.description) else { return }
    let id = listeners.add(reference)
    ids[path] = id
    watches[id] = Watch(path: path, owners: [owner])
  }

  private mutating func leave(_ path: ResourcePath, _ owner: Owner) {
    guard let id = ids[path] else { return }
    watches[id]?.owners.remove(owner)
    guard watches[id]?.owners.isEmpty == true else { return }
    watches[id] = nil
    ids[path] = nil
    listeners.remove(id)
  }
}

package import HearthDocumentModel
package import HearthOrderedStore
package import HearthStorageFormat

/// A view of the database at one moment: documents, indexes and catalogue of one store snapshot.
///
/// It holds the store's snapshot until it is released, which keeps superseded data on disk.
package final class ReadView: Sendable {
  package let catalog: Catalog
  package let snapshot: any StoreSnapshot
  let caches: EngineCaches
  let usage: IndexUsage
  /// The state after the last commit that the view has.
  package let state: StateRecord
  private let cursors: CursorPool
  /// The recorder of the documents and keys that are read; `nil` if nothing records them.
  let recorder: ReadRecorder?
  /// The mark of the process in which the view was taken.
  let process: ForkMark

  /// - Parameter state: the state record of the snapshot.
  init(
    _ snapshot: any StoreSnapshot, _ state: StateRecord, catalog: Catalog, caches: EngineCaches,
    usage: IndexUsage
  ) {
    self.snapshot = snapshot
    self.state = state
    self.catalog = catalog
    self.caches = caches
    self.usage = usage
    cursors = CursorPool(snapshot)
    recorder = nil
    process = ForkMark()
  }

  private init(_ view: ReadView, recorder: ReadRecorder?) {
    snapshot = view.snapshot
    state = view.state
    catalog = view.catalog
    caches = view.caches
    usage = view.usage
    cursors = view.cursors
    self.recorder = recorder
    process = view.process
  }

  /// Returns a view of the same moment whose reads are recorded by `recorder`.
  func recording(to recorder: ReadRecorder = ReadRecorder()) -> ReadView {
    ReadView(self, recorder: recorder)
  }

  /// Returns a view of the same moment whose reads nothing records.
  package func unrecorded() -> ReadView { ReadView(self, recorder: nil) }

  /// Whether a recorder gets what is read.
  package var isRecorded: Bool { recorder != nil }

  /// Returns another view of the same moment. Threads that read at once would otherwise all count
  /// references to one.
  func copy() -> ReadView { ReadView(self, recorder: recorder) }

  package var databaseID: DatabaseID { catalog.databaseID }
  /// The number of the last commit that the view has; 0 for a database without any.
  package var commitNumber: UInt64 { state.commitNumber }
  /// The number that the next document gets. All existing documents have smaller ones.
  package var nextDocumentNumber: UInt64 { state.nextDocumentNumber }
  /// The id that the next index or kept counts get.
  package var nextIndexID: UInt64 { state.nextIndexID }
  /// The time of the last commit that the view has; the year 1 for a database without any.
  package var readTime: Timestamp { state.lastCommitTime }

  // MARK: Cursors

  /// Returns a cursor over the view's keys, at any position. The caller must give it back.
  func takeCursor() throws(StoreError) -> any StoreCursor { try cursors.take() }

  /// Keeps a cursor for the next read that needs one.
  func giveBack(_ cursor: any StoreCursor) { cursors.giveBack(cursor) }

  /// Allows cursors to be kept between two reads, until `retire()`.
  func keepCursors() { cursors.open() }

  /// Releases the kept cursors, since most reads will now use a newer view.
  func retire() { cursors.close() }

  // MARK: Collections

  /// Returns the number of the collection at `path`; `nil` if no document was ever written to it.
  package func collectionNumber(of path: ResourcePath) throws -> UInt64? {
    try caches.collections.number(ofFirst: path.segments.count, of: path, in: snapshot)
  }

  /// Returns the number of the collection that has the document at `path`; `nil` if no document was
  /// ever written to it.
  package func collectionNumber(ofDocument path: ResourcePath) throws -> UInt64? {
    try caches.collections.number(ofFirst: max(0, path.segments.count - 1), of: path, in: snapshot)
  }
}

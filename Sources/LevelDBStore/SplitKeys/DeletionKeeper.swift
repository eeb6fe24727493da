import CLevelDB
import OrderedStore

/// Keeps deleted what was deleted: tells which keys have to be deleted once more because LevelDB
/// has split them.
///
/// It is asked before each write, and by one thread at a time. `SplitKeys` tells why.
struct DeletionKeeper {
  private let levelDBPath: String
  private var tail: ManifestTail
  private var splitKeys = SplitKeys()

  /// - Parameters:
  ///   - levelDBPath: the folder of LevelDB, which has been opened.
  ///   - exposed: the keys that were exposed before it was.
  init(_ levelDBPath: String, exposed: [SplitKeys.Suspect]) throws(StoreError) {
    self.levelDBPath = levelDBPath
    tail = try ManifestTail(
      levelDBPath + "/" + FileList.nameOfManifest(in: levelDBPath))
    splitKeys.add(exposed)
  }

  /// The keys that have to be deleted before anything else is written.
  ///
  /// Each is one that is not there, or one that is there only because LevelDB has brought it back.
  ///
  /// - Complexity: one system call where no table came or went since the last call.
  /// - Throws: `.corrupt`, `.inputOutput`.
  mutating func takeDueDeletes(_ handle: LevelDBHandle) throws(StoreError) -> [[UInt8]] {
    for record in try tail.newRecords() where !splitKeys.apply(record) {
      throw StoreError(
        .corrupt, "the database is damaged: a MANIFEST in \(levelDBPath) holds what is no edit")
    }
    var due: [[UInt8]] = []
    var undecided: [SplitKeys.Suspect] = []
    for suspect in splitKeys.takeSuspects() {
      do throws(StoreError) {
        switch try isDue(suspect, handle) {
        case true?: due.append(suspect.key)
        case false?: break
        case nil: undecided.append(suspect)
        }
      } catch {
        guard error.code == .corrupt else { throw error }
        // Whoever reads it is told of the damage.
        undecided.append(suspect)
      }
    }
    splitKeys.add(undecided)
    return due
  }

  /// - Returns: `nil` where it can't be told yet: LevelDB has moved the key meanwhile.
  private func isDue(
    _ suspect: SplitKeys.Suspect, _ handle: LevelDBHandle
  ) throws(StoreError) -> Bool? {
    guard try handle.holds(suspect.key) else { return true }
    guard suspect.isExposed else { return false }
    return switch try NewestVersion.find(suspect.key, in: levelDBPath) {
    case .sequence(let newest): newest <= suspect.olderSequence
    case .none, .unknown: nil
    }
  }
}

import CLevelDB
package import OrderedStore

/// LevelDB tells what went wrong in words only. This table says what they mean.
///
/// | LevelDB's words | code |
/// |---|---|
/// | `Corruption: …` | corrupt |
/// | `Invalid argument: …: does not exist (create_if_missing is false)` | notAStore |
/// | `Invalid argument: … comparator …` | notAStore |
/// | `IO error: lock …: already held by process`, or words of EAGAIN | locked |
/// | `IO error: …: <words of EACCES, EPERM, EROFS>` | permission |
/// | `IO error: …: <words of ENOSPC, EDQUOT, EFBIG>` | full |
/// | `IO error: …: <words of EMFILE, ENFILE>` | tooManyFiles |
/// | `IO error: …: <words of ENOENT>`, `NotFound: …` | corrupt: a file of LevelDB's is gone |
/// | `IO error: …: <words of EIO, EINVAL>`, but for locks and writes | corrupt, see below |
/// | all others | inputOutput |
///
/// EIO is a disk that can't read what it holds. EINVAL is what LevelDB itself says of a mapped
/// table that ends before a block that it should have.
package enum LevelDBErrors {
  /// What LevelDB was doing when it failed.
  package enum Operation {
    case open
    case read
    case write
  }

  /// What LevelDB's `words` mean, by the table above.
  package static func code(
    for words: String, during operation: Operation
  ) -> StoreError.Code {
    if words.hasPrefix("Corruption:") || words.hasPrefix("NotFound:") { return .corrupt }
    if words.hasPrefix("Invalid argument:") {
      let isForeign = words.contains("does not exist") || words.contains("comparator")
      return isForeign ? .notAStore : .inputOutput
    }
    guard words.hasPrefix("IO error:") else { return .inputOutput }
    let isOfLock = words.hasPrefix("IO error: lock ")
    if isOfLock, lockRefusals.contains(where: words.hasSuffix) { return .locked }
    for (number, code) in StoreError.systemErrorCodes
    where words.hasSuffix(OperatingSystem.words(for: number)) { return code }
    let isUnreadable = OperatingSystem.unreadableFileWords.contains(where: words.hasSuffix)
    if isUnreadable, !isOfLock, operation != .write { return .corrupt }
    return words.hasSuffix(OperatingSystem.missingFileWords) ? .corrupt : .inputOutput
  }

  /// The ends of LevelDB's words for a lock that another has.
  private static let lockRefusals = [
    "already held by process", OperatingSystem.lockedFileWords,
  ]
}

/// Calls `body` with a place for LevelDB's error.
///
/// - Returns: what `body` returned, and LevelDB's words where it failed.
func callingLevelDB<Result>(
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> (result: Result, failure: String?) {
  var message: UnsafeMutablePointer<CChar>?
  let result = unsafe body(&message)
  guard let message = unsafe message else { return (result, nil) }
  defer { unsafe leveldb_free(message) }
  return unsafe (result, String(cString: message))
}

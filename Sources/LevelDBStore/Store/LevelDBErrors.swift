import CHearthLevelDB
package import HearthOrderedStore

/// The meaning of LevelDB's errors, which LevelDB reports in words only.
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
/// | `IO error: ….ldb: <words of EIO, EUCLEAN, EBADMSG, EINVAL>`, but for writes | corrupt |
/// | all others | inputOutput |
///
/// EIO means that a disk can't read what it holds. EUCLEAN and EBADMSG mean that a file system is
/// damaged. LevelDB itself uses EINVAL for a mapped table that ends before a block that it should
/// have. In other files these numbers come from writes: at opening, LevelDB reads only files that
/// were read whole before.
///
/// Nothing can be lost while a store is made, so the code is never corrupt then.
package enum LevelDBErrors {
  /// The calls of LevelDB that can fail.
  package enum Operation {
    /// Opening of a store that is still to be made.
    case make
    case open
    case read
    case write
  }

  /// Returns the meaning of LevelDB's `words`, by the table above.
  package static func code(
    for words: String, during operation: Operation
  ) -> StoreError.Code {
    let code = code(for: words, isWriting: operation == .write)
    return operation == .make && code == .corrupt ? .inputOutput : code
  }

  private static func code(for words: String, isWriting: Bool) -> StoreError.Code {
    if words.hasPrefix("Corruption:") || words.hasPrefix("NotFound:") { return .corrupt }
    if words.hasPrefix("Invalid argument:") {
      let isForeign = words.contains("does not exist") || words.contains("comparator")
      return isForeign ? .notAStore : .inputOutput
    }
    guard words.hasPrefix("IO error:") else { return .inputOutput }
    if words.hasPrefix("IO error: lock "), lockRefusals.contains(where: words.hasSuffix) {
      return .locked
    }
    for (number, code) in StoreError.systemErrorCodes
    where words.hasSuffix(OperatingSystem.words(for: number)) { return code }
    if !isWriting, unreadableTableEnds.contains(where: words.hasSuffix) { return .corrupt }
    return words.hasSuffix(OperatingSystem.missingFileWords) ? .corrupt : .inputOutput
  }

  /// Ends of LevelDB's words for a lock that is held already.
  private static let lockRefusals = [
    "already held by process", OperatingSystem.lockedFileWords,
  ]

  /// Ends of LevelDB's words for a table that can't be read.
  private static let unreadableTableEnds = [".ldb: ", ".sst: "].flatMap { name in
    OperatingSystem.unreadableFileWords.map { name + $0 }
  }
}

extension StoreError {
  static let reservedValue = StoreError(
    .reservedValue,
    "four bytes FF are the value of a deleted key and can't be stored as a value; nothing was "
      + "written")
}

/// Calls `body` with a place for LevelDB's error.
///
/// - Returns: the result of `body`, and LevelDB's words if it failed.
func callingLevelDB<Result>(
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> (result: Result, failure: String?) {
  var message: UnsafeMutablePointer<CChar>?
  let result = unsafe body(&message)
  guard let message = unsafe message else { return (result, nil) }
  defer { unsafe leveldb_free(message) }
  return unsafe (result, String(cString: message))
}

import CLevelDB
package import OrderedStore

/// LevelDB tells what went wrong in words only. This table says what they mean.
///
/// | LevelDB's words | code |
/// |---|---|
/// | `Corruption: …` | corrupt |
/// | `Invalid argument: …: does not exist (create_if_missing is false)` | notAStore |
/// | `Invalid argument: … comparator …` | notAStore |
/// | `IO error: lock …` | locked |
/// | `IO error: …: <words of EACCES, EPERM, EROFS>` | permission |
/// | `IO error: …: <words of ENOSPC, EDQUOT, EFBIG>` | full |
/// | `IO error: …: <words of ENOENT>`, `NotFound: …` | corrupt: a file of LevelDB's is gone |
/// | all others | inputOutput |
package enum LevelDBErrors {
  /// What LevelDB's `words` mean, by the table above.
  package static func code(for words: String) -> StoreError.Code {
    if words.hasPrefix("Corruption:") || words.hasPrefix("NotFound:") { return .corrupt }
    if words.hasPrefix("Invalid argument:") {
      let isForeign = words.contains("does not exist") || words.contains("comparator")
      return isForeign ? .notAStore : .inputOutput
    }
    guard words.hasPrefix("IO error:") else { return .inputOutput }
    if words.hasPrefix("IO error: lock ") && !endsWithPermission(words) { return .locked }
    for (number, code) in StoreError.systemErrorCodes
    where words.hasSuffix(OperatingSystem.words(for: number)) { return code }
    return words.hasSuffix(OperatingSystem.missingFileWords) ? .corrupt : .inputOutput
  }

  private static func endsWithPermission(_ words: String) -> Bool {
    StoreError.systemErrorCodes.contains { number, code in
      code == .permission && words.hasSuffix(OperatingSystem.words(for: number))
    }
  }
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

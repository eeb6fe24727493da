import HearthOrderedStore

/// The lock on a store's folder. It is released with its last reference or with the process, even
/// if a forked process lives on.
///
/// It also keeps two stores of one process from opening the same folder. LevelDB's own lock does so
/// only if the folder is spelled the same way.
final class FolderLock: Sendable {
  /// Locked file; `nil` if there was none to lock.
  private let file: OpenFile?
  private let process = ForkMark()

  /// Takes the lock, and tries again until `wait` has passed.
  ///
  /// - Throws: `.locked`, with the process that holds the lock.
  init(folder: String, wait: Duration) throws(StoreError) {
    let path = folder + "/LOCK"
    let file = try OpenFile(path, .readAndWrite, isShared: false)
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: wait)
    var pause = 1
    while try !file.tryLock() {
      guard clock.now < deadline else { throw try Self.refusal(folder: folder, file: file) }
      OperatingSystem.pause(milliseconds: pause)
      pause = min(pause * 2, 50)
    }
    let holder = OperatingSystem.processIdentifier
    let command = OperatingSystem.commandName(ofProcess: holder) ?? ""
    try file.truncate(to: 0)
    try file.append(Array("\(holder)\n\(command)\n".utf8))
    self.file = file
  }

  /// Takes the lock without writing anything, so that it works on a disk that can't be written.
  ///
  /// - Throws: `.locked`, with the process that holds the lock.
  init(lookingAt folder: String) throws(StoreError) {
    let path = folder + "/LOCK"
    guard try FileSystem.kind(of: path) == .file else {
      file = nil
      return
    }
    let file = try OpenFile(path, .read, isShared: false)
    guard try file.tryLock() else { throw try Self.refusal(folder: folder, file: file) }
    self.file = file
  }

  deinit {
    // In a forked process the lock belongs to the parent.
    if !process.isInherited { file?.unlock() }
  }

  private static func refusal(folder: String, file: OpenFile) throws(StoreError) -> StoreError {
    let lines = try file.contents().lines
    guard let first = lines.first, let holder = Int(first) else {
      return StoreError(.locked, "another process has the database at \(folder) open")
    }
    if holder == OperatingSystem.processIdentifier {
      return StoreError(.locked, "this process already has the database at \(folder) open")
    }
    let name = OperatingSystem.commandName(ofProcess: holder) ?? lines.dropFirst().first
    let words = name.map { " (\($0))" } ?? ""
    return StoreError(
      .locked, "process \(holder)\(words) has the database at \(folder) open")
  }
}

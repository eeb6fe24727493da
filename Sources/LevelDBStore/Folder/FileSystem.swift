import Glibc
import HearthOrderedStore

/// The system calls that the store makes besides LevelDB's own.
///
/// Each function does what it says or throws an error, with the path in the message and the
/// system's words as the cause.
enum FileSystem {
  enum Kind {
    case folder
    case file
  }

  /// Returns the kind of what is at `path`; `nil` if nothing is there. Links are followed.
  static func kind(of path: String) throws(StoreError) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if isMissing(errno) { return nil }
      throw .system(errno, "cannot look at \(path)")
    }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// Whether an error number means that nothing is at a path.
  fileprivate static func isMissing(_ code: CInt) -> Bool { code == ENOENT || code == ENOTDIR }

  /// Returns the names in `folder`, without `.` and `..`, in no particular order.
  static func names(in folder: String) throws(StoreError) -> [String] {
    guard let stream = opendir(folder) else { throw .system(errno, "cannot list \(folder)") }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe String(cString: UnsafeRawPointer(tuple).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .system(errno, "cannot list \(folder)") }
    return names
  }

  static func makeFolder(_ path: String) throws(StoreError) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw .system(errno, "cannot make the folder \(path)")
    }
    try synchronizeFolder(path + "/..")
  }

  /// Returns the path from the root, so that a later change of the working folder doesn't matter.
  static func absolutePath(of path: String) throws(StoreError) -> String {
    guard let resolved = unsafe realpath(path, nil) else {
      throw .system(errno, "cannot resolve \(path)")
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns the bytes of a file; `nil` if there is none.
  static func contents(of path: String) throws(StoreError) -> [UInt8]? {
    try OpenFile.ifThere(path)?.contents()
  }

  /// Replaces a file so that after a crash it holds either its old contents or `bytes`.
  static func write(_ bytes: [UInt8], to path: String, in folder: String) throws(StoreError) {
    try writeBeside(bytes, path: path)
    try rename(path + temporarySuffix, to: path, in: folder)
  }

  static let temporarySuffix = ".new"

  /// Writes and syncs `bytes` at `path` with the suffix of files that wait to be renamed.
  static func writeBeside(_ bytes: [UInt8], path: String) throws(StoreError) {
    let file = try OpenFile(path + temporarySuffix, .replace)
    try file.append(bytes)
    try file.synchronize()
  }

  static func rename(_ old: String, to new: String, in folder: String) throws(StoreError) {
    guard Glibc.rename(old, new) == 0 else {
      throw .system(errno, "cannot rename \(old) to \(new)")
    }
    try synchronizeFolder(folder)
  }

  static func remove(_ path: String, in folder: String) throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system(errno, "cannot remove \(path)")
    }
    try synchronizeFolder(folder)
  }

  /// Removes a name that may come back after a power loss.
  static func forget(_ path: String) throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system(errno, "cannot remove \(path)")
    }
  }

  /// Makes the names in the folder at `path` survive a power loss.
  static func synchronizeFolder(_ path: String) throws(StoreError) {
    try OpenFile(path, .read).synchronize()
  }
}

/// A file descriptor, closed with its last reference.
final class OpenFile: Sendable {
  enum Access {
    /// An existing file or folder.
    case read
    /// A file that is created if it is missing.
    case readAndWrite
    /// A file that is created, or emptied if it exists.
    case replace
    /// The same, for a file that is read too.
    case replaceAndRead
  }

  private let descriptor: CInt
  /// Owner of the descriptor if forked processes don't have it; `nil` otherwise.
  private let unshared: UnsharedDescriptor?
  private let path: String

  /// - Parameter isShared: whether forked processes have the file open too.
  convenience init(
    _ path: String, _ access: Access, isShared: Bool = true
  ) throws(StoreError) {
    let open = { Self.descriptor(of: path, access) }
    let unshared = isShared ? nil : UnsharedDescriptor(open)
    let descriptor = isShared ? open() : unshared?.number ?? -1
    guard descriptor >= 0 else { throw Self.refusal(errno, path, access) }
    self.init(descriptor, path, unshared)
  }

  private init(_ descriptor: CInt, _ path: String, _ unshared: UnsharedDescriptor? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.unshared = unshared
  }

  deinit {
    if unshared == nil { close(descriptor) }
  }

  /// Opens a file for reading; `nil` if there is none, even if there was one a moment ago.
  static func ifThere(_ path: String) throws(StoreError) -> OpenFile? {
    let descriptor = descriptor(of: path, .read)
    if descriptor >= 0 { return OpenFile(descriptor, path) }
    if FileSystem.isMissing(errno) { return nil }
    throw refusal(errno, path, .read)
  }

  /// Opens a new descriptor. A negative number means a failure, with the reason in `errno`.
  private static func descriptor(of path: String, _ access: Access) -> CInt {
    let flags =
      switch access {
      case .read: O_RDONLY
      case .readAndWrite: O_RDWR | O_CREAT
      case .replace: O_WRONLY | O_CREAT | O_TRUNC
      case .replaceAndRead: O_RDWR | O_CREAT | O_TRUNC
      }
    return Glibc.open(path, flags | O_CLOEXEC, 0o666)
  }

  private static func refusal(_ code: CInt, _ path: String, _ access: Access) -> StoreError {
    let message = "cannot open \(path)"
    guard access == .read, OperatingSystem.damageCodes.contains(code) else {
      return .system(code, message)
    }
    return StoreError(.corrupt, message, cause: OperatingSystem.words(for: code))
  }

  /// Takes the file's lock, which excludes all other descriptors of the file in any process.
  ///
  /// - Returns: `false` if another descriptor has the lock. The lock is released with the
  ///   descriptor and with its copies in child processes, so the file must not be shared.
  ///   `unlock()` releases it at once.
  func tryLock() throws(StoreError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .system(errno, "cannot lock \(path)") }
    }
    return true
  }

  /// Releases the lock at once. A forked process that is about to run another program may still
  /// have the file open, if the calls at a fork were skipped.
  func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// Returns the present length of the file.
  func byteCount() throws(StoreError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, "cannot look at \(path)") }
    return Int(status.st_size)
  }

  /// Returns all bytes of the file.
  func contents() throws(StoreError) -> [UInt8] {
    try contents(in: 0..<byteCount())
  }

  /// Returns the bytes in `range`, or fewer if the file ends earlier.
  func contents(in range: Range<Int>) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var filled = 0
    while filled < bytes.count {
      let count = try read(into: &bytes, from: filled, upTo: bytes.count, at: range.lowerBound)
      guard let count else {
        throw StoreError(
          .corrupt, "cannot read \(path) at byte \(range.lowerBound + filled)",
          cause: OperatingSystem.words(for: errno))
      }
      // The file became shorter meanwhile.
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Returns the bytes of a file, with zeros in place of sectors that the disk can't read; `nil` if
  /// there is no file.
  static func salvagedContents(of path: String) throws(StoreError) -> [UInt8]? {
    guard try FileSystem.kind(of: path) == .file else { return nil }
    return try OpenFile(path, .read).salvagedContents()
  }

  private func salvagedContents() throws(StoreError) -> [UInt8] {
    let sectorByteCount = 4096
    var bytes = [UInt8](repeating: 0, count: try byteCount())
    var position = 0
    var end = bytes.count
    while position < bytes.count {
      let count = try read(into: &bytes, from: position, upTo: end, at: 0)
      guard count != 0 else { break }
      if let count {
        position += count
      } else if end - position > sectorByteCount {
        // The damage is somewhere in this part, so go on sector by sector.
        end = (position / sectorByteCount + 1) * sectorByteCount
        continue
      } else {
        position = end
      }
      end = position == end ? min(bytes.count, position + (1 << 20)) : end
    }
    bytes.removeLast(bytes.count - max(position, 0))
    return bytes
  }

  /// Reads into a part of `bytes`, which hold the file from `origin` on.
  ///
  /// - Returns: the number of bytes read, 0 at the end of the file; `nil` if the disk can't read
  ///   them, with the reason in `errno`.
  private func read(
    into bytes: inout [UInt8], from start: Int, upTo end: Int, at origin: Int
  ) throws(StoreError) -> Int? {
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: start), end - start,
          off_t(origin + start))
      }
      if count >= 0 { return count }
      if OperatingSystem.damageCodes.contains(errno) { return nil }
      guard errno == EINTR else { throw .system(errno, "cannot read \(path)") }
    }
  }

  func append(_ bytes: [UInt8]) throws(StoreError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system(errno, "cannot write \(path)") }
      written += count
    }
  }

  func truncate(to byteCount: Int) throws(StoreError) {
    while ftruncate(descriptor, off_t(byteCount)) != 0 {
      guard errno == EINTR else { throw .system(errno, "cannot shorten \(path)") }
    }
  }

  func synchronize() throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw .system(errno, "cannot sync \(path)") }
  }
}

/// Calls to the operating system about processes, errors and time.
enum OperatingSystem {
  static var processIdentifier: Int { Int(getpid()) }

  /// Returns the command name of a process; `nil` if the system doesn't tell it.
  static func commandName(ofProcess identifier: Int) -> String? {
    firstLine(of: "/proc/\(identifier)/comm")
  }

  /// Returns a text that changes with every start of the machine; `nil` if the system has none.
  static func bootIdentifier() -> String? { firstLine(of: "/proc/sys/kernel/random/boot_id") }

  /// Blocks the thread for a time.
  static func pause(milliseconds: Int) {
    var duration = timespec(
      tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    // A signal ends the pause early, which does no harm to any caller.
    unsafe nanosleep(&duration, nil)
  }

  /// Returns the system's words for an error number, in the language of the process.
  static func words(for code: CInt) -> String {
    guard let words = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: words)
  }

  /// Words for a file that doesn't exist.
  static var missingFileWords: String { words(for: ENOENT) }

  /// Words for a file that another process has locked.
  static var lockedFileWords: String { words(for: EAGAIN) }

  /// Error numbers of reads that fail because a disk or a file system is damaged.
  static let damageCodes = [EIO, EUCLEAN, EBADMSG]

  /// Words for a part of a file that can't be read or that is past the end of the file.
  static var unreadableFileWords: [String] { (damageCodes + [EINVAL]).map(words(for:)) }

  private static func firstLine(of path: String) -> String? {
    // Files under /proc report a length of 0, so this reads them without asking for it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    return count > 0 ? Array(bytes[..<count]).lines.first : nil
  }
}

extension [UInt8] {
  /// The lines of a text, without empty ones.
  var lines: [String] {
    split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension StoreError {
  /// Returns the error for a system call that left `code`; `message` names the operation and the
  /// path.
  static func system(_ code: CInt, _ message: String) -> StoreError {
    StoreError(
      systemErrorCodes[code] ?? .inputOutput, message, cause: OperatingSystem.words(for: code))
  }

  /// Store errors by the system's error numbers. Any other number means `.inputOutput`.
  static let systemErrorCodes: [CInt: StoreError.Code] = [
    EACCES: .permission, EPERM: .permission, EROFS: .permission,
    ENOSPC: .full, EDQUOT: .full, EFBIG: .full,
    EMFILE: .tooManyFiles, ENFILE: .tooManyFiles,
  ]
}

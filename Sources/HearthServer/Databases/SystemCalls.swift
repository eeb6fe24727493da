import FoundationEssentials
import Glibc

/// The calls of the operating system that the server needs.
enum SystemCalls {
  /// The number of files that the process may have open, sockets among them.
  static var openFileLimit: Int {
    var limits = rlimit()
    // It fails only for limits that don't exist.
    _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return Int(clamping: limits.rlim_cur)
  }

  /// Gives memory that was freed back to the system, as far as the allocator can. Otherwise it
  /// keeps much of what many connections had, between the little that remains.
  static func giveBackMemory() {
    typealias Trimming = @convention(c) (Int) -> Int32
    // The header of this call isn't in the module, and not all systems have the call.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: Trimming.self)(0)
  }

  /// Makes the names in a folder survive a power loss.
  static func synchronize(_ folder: String) throws {
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if number >= 0 { close(number) } }
    guard number >= 0, fsync(number) == 0 else { throw SystemError(number: errno) }
  }

  /// Reads a small file.
  ///
  /// - Returns: `nil` if there is none.
  static func privateFile(_ path: String) throws -> PrivateFile? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    if number < 0, errno == ENOENT { return nil }
    guard number >= 0 else { throw SystemError(number: errno) }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError(number: errno) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count < 1 << 20 {
      let count = read(number, &buffer, buffer.count)
      guard count >= 0 else { throw SystemError(number: errno) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return PrivateFile(bytes: bytes, isReadByOthers: status.st_mode & 0o077 != 0)
  }

  /// Makes a file that only its owner may read, whole or not at all. A file that is there stays.
  static func makePrivateFile(_ path: String, _ bytes: [UInt8]) throws {
    let unfinished = "\(path).\(getpid()).new"
    let number = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw SystemError(number: errno) }
    defer {
      close(number)
      unlink(unfinished)
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemError(number: errno) }
      rest = rest.dropFirst(count)
    }
    guard fsync(number) == 0, link(unfinished, path) == 0 || errno == EEXIST else {
      throw SystemError(number: errno)
    }
  }

  /// Returns the system's words for an error of Foundation's, whose own text is an object's.
  static func reason(of error: any Error) -> String {
    var cause = error
    while let error = cause as? CocoaError, let inner = error.underlying { cause = inner }
    return (cause as? POSIXError).map { "\(SystemError(number: $0.code.rawValue))" } ?? "\(cause)"
  }

  /// Removes a folder if there is nothing in it.
  static func removeIfEmpty(_ folder: String) { _ = rmdir(folder) }
}

/// The contents of a file with secrets.
struct PrivateFile {
  let bytes: [UInt8]
  /// Whether others than its owner may read it, or change it.
  let isReadByOthers: Bool
}

/// A refusal of the system's, in its words.
private struct SystemError: Error, CustomStringConvertible {
  let number: Int32

  var description: String { String(cString: strerror(number)) }
}

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

  /// Removes a folder if there is nothing in it.
  static func removeIfEmpty(_ folder: String) { _ = rmdir(folder) }
}

/// A refusal of the system's, in its words.
private struct SystemError: Error, CustomStringConvertible {
  let number: Int32

  var description: String { String(cString: strerror(number)) }
}

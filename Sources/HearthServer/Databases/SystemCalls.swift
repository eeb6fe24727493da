import FoundationEssentials
import Glibc
import Synchronization

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

  /// Makes a folder that its owner alone may enter, or makes one so that is there.
  static func makePrivateFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, chmod(path, 0o700) == 0 else {
      throw SystemError(number: errno)
    }
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

/// One run of a command of the shell.
struct ShellCommand {
  /// The bytes that are kept of what a command writes to standard error.
  private static let errorByteCount = 4096
  /// The time between two looks at a command that runs without a sign, in milliseconds.
  private static let pause: Int32 = 20
  /// Pipes are made and given away by one thread at a time: those of another run would stay open in
  /// a program that has inherited them.
  private static let starting = Mutex(())

  /// The reason for which the run has failed; `nil` for none.
  private(set) var failure: String?
  /// The end of what the command has written to standard error.
  private(set) var errors: [UInt8] = []

  /// Runs a command with a text on its standard input, and waits for its end. What it writes to
  /// standard output is lost. Programs that it leaves behind run on.
  ///
  /// - Parameters:
  ///   - input: a text that a pipe has room for.
  ///   - variables: the variables beside those of this process.
  ///   - limit: the time after which the command is ended, with all that it has started.
  /// - Throws: the system's refusal to start it.
  static func run(
    _ command: String, input: [UInt8], variables: [(name: String, value: String)],
    within limit: Duration
  ) throws -> ShellCommand {
    let (child, errors) = try starting.withLock { _ in
      try start(command, input, variables.map { "\($0.name)=\($0.value)" })
    }
    defer { close(errors) }
    var run = ShellCommand()
    try run.follow(child, errors, until: .now + limit, limit)
    return run
  }

  private static func start(
    _ command: String, _ input: [UInt8], _ variables: [String]
  ) throws -> (child: pid_t, errors: Int32) {
    let (input, errors) = (try filledPipe(input), try pipe())
    defer {
      close(input)
      close(errors.write)
    }
    _ = fcntl(errors.read, F_SETFL, O_NONBLOCK)
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, input, 0)
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&files, errors.write, 2)
    closeOthers(&files)
    // The command has the usual signals, and a group of its own, by which it is ended as a whole.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let words = cStrings(["sh", "-c", command])
    let environment = cStrings(inherited(beside: variables))
    defer { for text in words + environment { free(text) } }
    var child = pid_t()
    let failure = posix_spawn(&child, "/bin/sh", &files, &attributes, words, environment)
    guard failure == 0 else {
      close(errors.read)
      throw SystemError(number: failure)
    }
    return (child, errors.read)
  }

  /// Keeps the connections of the server from a command.
  private static func closeOthers(_ files: inout posix_spawn_file_actions_t) {
    typealias Closing =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
      ) -> Int32
    // The header of this call isn't in the module, and not all systems have the call.
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
    _ = unsafeBitCast(symbol, to: Closing.self)(&files, 3)
  }

  private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Returns the variables of this process, with others in place of those of the same names.
  private static func inherited(beside variables: [String]) -> [String] {
    let names = variables.map { $0.prefix { $0 != "=" } + "=" }
    let own = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    return own.filter { entry in !names.contains { entry.hasPrefix($0) } } + variables
  }

  /// Makes a pipe that has a text and no writer.
  private static func filledPipe(_ text: [UInt8]) throws -> Int32 {
    let (read, write) = try pipe()
    defer { close(write) }
    _ = fcntl(write, F_SETFL, O_NONBLOCK)
    guard Glibc.write(write, text, text.count) == text.count else {
      close(read)
      throw SystemError(number: EMSGSIZE)
    }
    return read
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError(number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads the errors of a command until it ends.
  private mutating func follow(
    _ child: pid_t, _ errors: Int32, until deadline: ContinuousClock.Instant, _ limit: Duration
  ) throws {
    var isOpen = true
    var status: Int32 = 0
    while true {
      var wanted = pollfd(fd: isOpen ? errors : -1, events: Int16(POLLIN), revents: 0)
      _ = poll(&wanted, 1, ShellCommand.pause)
      isOpen = isOpen && read(errors)
      let ended = waitpid(child, &status, WNOHANG)
      guard ended == 0 || ended < 0 && errno == EINTR else {
        if ended < 0 { throw SystemError(number: errno) }
        break
      }
      guard ContinuousClock.now < deadline else {
        kill(-child, SIGKILL)
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        failure = "it has taken longer than \(limit)"
        return
      }
    }
    if isOpen { _ = read(errors) }
    let signal = status & 0x7F
    if signal != 0 { failure = "ended by signal \(signal)" }
    if signal == 0, status >> 8 & 0xFF != 0 { failure = "exit status \(status >> 8 & 0xFF)" }
  }

  /// Reads what is there of a command's errors.
  ///
  /// - Returns: whether there may be more.
  private mutating func read(_ file: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: ShellCommand.errorByteCount)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      errors += buffer[..<count]
      errors.removeFirst(max(0, errors.count - ShellCommand.errorByteCount))
    }
  }
}

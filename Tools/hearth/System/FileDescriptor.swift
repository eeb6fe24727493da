import Glibc

/// An open file, and all calls of the operating system that the tool needs.
///
/// The calls restart after a signal interrupts them.
package final class FileDescriptor: Sendable {
  package static let standardInput = FileDescriptor(0, isOwned: false)
  package static let standardOutput = FileDescriptor(1, isOwned: false)
  package static let standardError = FileDescriptor(2, isOwned: false)

  /// The reason why a call failed.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package let number: Int32

    /// The system's own text, such as `No such file or directory`.
    package var description: String { String(cString: strerror(number)) }
    package var isMissingFile: Bool { number == ENOENT || number == ENOTDIR }
    package var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(number) }
    /// Whether the reader of a pipe is gone: `hearth query … | head`.
    package var isBrokenPipe: Bool { number == EPIPE }
  }

  fileprivate let number: Int32
  private let isOwned: Bool

  fileprivate init(_ number: Int32, isOwned: Bool) {
    self.number = number
    self.isOwned = isOwned
  }

  deinit {
    // A file that was only read loses nothing if closing fails.
    if isOwned { _ = close(number) }
  }

  /// Opens a file to read.
  package convenience init(reading path: String) throws(Failure) {
    let number = try FileDescriptor.restarting { Int(open(path, O_RDONLY | O_CLOEXEC)) }
    self.init(Int32(number), isOwned: true)
  }

  /// Opens a file to write, and empties it if it exists.
  package convenience init(writing path: String) throws(Failure) {
    let number = try FileDescriptor.restarting {
      Int(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666))
    }
    self.init(Int32(number), isOwned: true)
  }

  /// Returns the size of a regular file in bytes; `nil` for pipes, terminals and devices.
  package func byteCount() throws(Failure) -> Int? {
    var status = stat()
    let number = self.number
    _ = try FileDescriptor.restarting { Int(fstat(number, &status)) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Whether two paths lead to one file or folder. A missing one is no other.
  static func isSameFile(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether users other than its owner may read a file.
  static func isReadableByOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o044 != 0
  }

  /// Returns up to `maximum` bytes; none at the end.
  ///
  /// - Parameter offset: the place of the first one; `nil` for those after the last ones read.
  package func read(atMost maximum: Int, from offset: Int? = nil) throws(Failure) -> [UInt8] {
    let number = self.number
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
      do throws(Failure) {
        count = try FileDescriptor.restarting {
          guard let offset else { return Glibc.read(number, buffer.baseAddress, maximum) }
          return pread(number, buffer.baseAddress, maximum, offset)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all of `bytes`.
  package func write(_ bytes: some Collection<UInt8>) throws(Failure) {
    let bytes = Array(bytes)
    let number = self.number
    var written = 0
    while written < bytes.count {
      written += try FileDescriptor.restarting {
        bytes.withUnsafeBytes { buffer in
          let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
          return Glibc.write(number, rest.baseAddress, rest.count)
        }
      }
    }
  }

  /// Whether data can be read without waiting. The end of the input doesn't count.
  package var hasWaitingBytes: Bool {
    var count: Int32 = 0
    // A descriptor that can't answer, such as /dev/null, has none.
    return ioctl(number, UInt(FIONREAD), &count) == 0 && count > 0
  }

  package var isTerminal: Bool { isatty(number) == 1 }

  /// The number of the terminal's columns; `nil` if there is no terminal.
  package var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The number of the terminal's lines; `nil` if there is no terminal.
  package var terminalHeight: Int? {
    var size = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
    return Int(size.ws_row)
  }

  /// Whether there is a program at `path` that the user may run.
  package static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Makes a write to a pipe without a reader an error, where it would otherwise end the process.
  package static func reportBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  private static func restarting(_ call: () -> Int) throws(Failure) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      let number = errno
      guard number == EINTR else { throw Failure(number: number) }
    }
  }
}

/// The files that the process may have open, sockets among them.
enum OpenFileLimit {
  /// Takes as many as the system allows. Shells usually set 1,024, for old programs.
  static func raise() {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limits = rlimit()
    guard getrlimit(files, &limits) == 0 else { return }
    limits.rlim_cur = limits.rlim_max
    // The present limit stays if the system refuses. The server takes fewer connections then.
    _ = setrlimit(files, &limits)
  }
}

/// The signals by which a user or the system asks a program to end: that of Ctrl-C on a terminal,
/// and that of the command `kill`.
struct EndSignals: Sendable {
  private var signals = sigset_t()

  /// Takes the signals from the present thread and from those that it starts: they stay for
  /// `next()`. A shell has programs in the background ignore SIGINT; that ends here.
  init() {
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      _ = signal(number, SIG_DFL)
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the next signal, and returns its number.
  func next() -> Int32 {
    var (signals, number) = (signals, Int32(0))
    sigwait(&signals, &number)
    return number
  }

  /// Ends the process as the signal does.
  func endProcess(by number: Int32) {
    var signals = signals
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}

/// A program that the tool has started.
struct ChildProcess: Sendable {
  /// The status of a run that Ctrl-C ended.
  static let interruptedStatus = 128 + SIGINT

  private let number: pid_t

  /// Makes Ctrl-C on the terminal end a child, and not this process.
  static func leaveInterruptsToChildren() { _ = signal(SIGINT, SIG_IGN) }

  /// Runs the tool, and waits for its end.
  ///
  /// - Parameter variables: variables to set beside those of this process.
  /// - Returns: its status; as in shells, 128 and the signal's number if a signal ended it.
  static func run(
    _ arguments: [String], _ variables: [String: String]
  ) throws(FileDescriptor.Failure) -> Int32 {
    for (name, value) in variables { setenv(name, value, 1) }
    return try ChildProcess("/proc/self/exe", ["hearth"] + arguments).waitForEnd()
  }

  /// Starts a command of the shell that reads what is written to the returned file. From then on
  /// Ctrl-C is for that command, and this process ends when it reads no more.
  ///
  /// - Parameter defaults: variables to set unless they are set.
  static func startReader(
    _ command: String, defaults: [String: String]
  ) throws(FileDescriptor.Failure) -> (ChildProcess, FileDescriptor) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FileDescriptor.Failure(number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (output, input) = (
      FileDescriptor(ends[0], isOwned: true), FileDescriptor(ends[1], isOwned: true)
    )
    for (name, value) in defaults { setenv(name, value, 0) }
    let child = try ChildProcess("/bin/sh", ["sh", "-c", command], input: output.number)
    leaveInterruptsToChildren()
    return (child, input)
  }

  /// Runs an editor, a command of the shell, on a file, and waits for its end. Meanwhile Ctrl-C is
  /// for the editor.
  ///
  /// - Returns: its status, as that of the tool's runs.
  static func runEditor(_ command: String, _ file: String) throws(FileDescriptor.Failure) -> Int32 {
    leaveInterruptsToChildren()
    defer { _ = signal(SIGINT, SIG_DFL) }
    let words = ["sh", "-c", command + " \"$@\"", "sh", file]
    return try ChildProcess("/bin/sh", words).waitForEnd()
  }

  /// Runs a command of the shell on an address, and waits for its end.
  ///
  /// - Returns: its status, as that of the tool's runs.
  static func runBrowser(
    _ command: String, _ address: String
  ) throws(FileDescriptor.Failure) -> Int32 {
    let words = ["sh", "-c", command + " \"$@\" >/dev/null 2>&1", "sh", address]
    return try ChildProcess("/bin/sh", words).waitForEnd()
  }

  /// Starts a program.
  ///
  /// - Parameter input: the file for its standard input; `nil` for that of this process.
  private init(
    _ path: String, _ arguments: [String], input: Int32? = nil
  ) throws(FileDescriptor.Failure) {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    if let input { posix_spawn_file_actions_adddup2(&files, input, 0) }
    var child = pid_t()
    let failure = posix_spawn(&child, path, &files, &attributes, words, environ)
    guard failure == 0 else { throw FileDescriptor.Failure(number: failure) }
    number = child
  }

  /// Waits for the program's end.
  ///
  /// - Returns: its status; as in shells, 128 and the signal's number if a signal ended it.
  func waitForEnd() throws(FileDescriptor.Failure) -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0 {
      guard errno == EINTR else { throw FileDescriptor.Failure(number: errno) }
    }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// The time since some fixed moment, by a clock that is never set.
///
/// Swift's own clock counts attoseconds in 128 bits. Dividing them takes a tenth of the time of the
/// shortest operations.
enum MonotonicClock {
  static var nanoseconds: Int64 {
    var time = timespec()
    // It fails only for clocks that don't exist.
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// The C library's logarithm.
enum NaturalLogarithm {
  static func of(_ value: Double) -> Double { log(value) }
}

extension Error {
  /// Whether the reader of a pipe is gone.
  var isBrokenPipe: Bool { (self as? FileDescriptor.Failure)?.isBrokenPipe ?? false }
}

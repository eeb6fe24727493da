import Glibc
import HearthOrderedStore

/// The failure of a call of the operating system.
package struct SystemFailure: Error, CustomStringConvertible {
  package let number: Int32

  /// The system's text, such as `Permission denied`.
  package var description: String { String(cString: strerror(number)) }
  /// Whether the file doesn't exist.
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  /// Whether there is a socket that no process listens to: the one that did is gone.
  var isRefused: Bool { number == ECONNREFUSED }
  var isForbidden: Bool { number == EACCES || number == EPERM }
  /// Whether the call took longer than `limitWaits` allows.
  var isOutOfTime: Bool { number == EAGAIN || number == EWOULDBLOCK }
  /// Whether the process or the machine has too many files open.
  var isOutOfFiles: Bool { number == EMFILE || number == ENFILE || number == ENOMEM }

  /// The failure of the last call.
  static var last: SystemFailure { SystemFailure(number: errno) }
}

/// A socket of the Unix domain. It is closed with its last reference, and in forked processes, so
/// that its connection ends with this process.
package final class UnixSocket: Sendable {
  /// The size in bytes of the longest path, limited by the system's structure.
  static let maximumPathByteCount = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  private let unshared: UnsharedDescriptor
  private var descriptor: Int32 { unshared.number }

  private init(_ open: () -> Int32) throws(SystemFailure) {
    guard let unshared = UnsharedDescriptor(open) else { throw .last }
    self.unshared = unshared
  }

  private convenience init() throws(SystemFailure) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try self.init { socket(AF_UNIX, type, 0) }
  }

  /// Listens at `path`. Only the owner may connect. A file that is there is replaced.
  static func listening(at path: String) throws(SystemFailure) -> UnixSocket {
    let socket = try UnixSocket()
    // The file is created with this mode, independent of the process's umask.
    guard fchmod(socket.descriptor, 0o600) == 0 else { throw .last }
    try FileCalls.remove(path)
    try socket.withAddress(path, bind)
    guard listen(socket.descriptor, 16) == 0 else { throw .last }
    return socket
  }

  /// Connects to the process that listens at `path`.
  ///
  /// - Parameter seconds: the time limit if too many clients wait already; 0 for no limit.
  package static func connected(
    to path: String, waiting seconds: Int = 0
  ) throws(SystemFailure) -> UnixSocket {
    let socket = try UnixSocket()
    socket.limitWaits(seconds: seconds)
    try socket.withAddress(path, connect)
    return socket
  }

  private func withAddress(
    _ path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemFailure) {
    guard path.utf8.count <= UnixSocket.maximumPathByteCount else {
      throw SystemFailure(number: ENAMETOOLONG)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw .last }
  }

  /// Waits for the next connection; returns `nil` once `shutDown` was called.
  func accepted() throws(SystemFailure) -> UnixSocket? {
    while true {
      let accepted = accept(descriptor, nil, nil)
      if accepted >= 0 {
        let socket = try UnixSocket { accepted }
        guard fcntl(accepted, F_SETFD, FD_CLOEXEC) == 0 else { throw .last }
        return socket
      }
      switch errno {
      case EINTR, ECONNABORTED, EAGAIN: continue
      case EINVAL: return nil
      default: throw .last
      }
    }
  }

  /// Ends all waiting on this socket, here and at the other end, now and later.
  package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends receiving once the bytes that have come are read. Answers can still be sent.
  func shutDownReading() { _ = shutdown(descriptor, Int32(SHUT_RD)) }

  /// Whether the other side is closed, so that it reads nothing that is sent, or this side is shut
  /// down. A side that has only stopped sending still reads.
  var isHungUp: Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Limits the time that a read or a write may wait.
  func limitWaits(seconds: Int) {
    // The members of a `timeval`, which the compiler may take for those of another module.
    var time = (seconds: seconds, microseconds: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    // For a socket these can't fail.
    _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
  }

  /// Returns the process and the user at the other end, as reported by the system.
  func peer() throws(SystemFailure) -> (process: Int, user: UInt32) {
    // The layout of the system's `ucred`, which Swift doesn't import: process, user and group.
    var peer: [UInt32] = [0, 0, 0]
    var size = socklen_t(peer.count * MemoryLayout<UInt32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { throw .last }
    return (Int(peer[0]), peer[1])
  }

  /// Waits for bytes, and appends up to `maximum` of them.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  package func read(into bytes: inout [UInt8], atMost maximum: Int) throws(SystemFailure) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: maximum, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = recv(descriptor, buffer.baseAddress, maximum, 0)
      if count >= 0 {
        bytes.append(contentsOf: buffer[..<count])
        return count
      }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Writes all of `bytes`. If no process reads them, it throws, and no signal is raised.
  package func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        send(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      written += count
    }
  }
}

/// Calls of the file system, besides those for sockets.
enum FileCalls {
  /// Returns the path from the root, with links resolved.
  static func absolutePath(of path: String) throws(SystemFailure) -> String {
    guard let resolved = realpath(path, nil) else { throw .last }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Removes a file, if it exists.
  static func remove(_ path: String) throws(SystemFailure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last }
  }

  /// Creates a folder at `path` that only its owner can access.
  ///
  /// - Throws: `EPERM` if there is something else at `path`, or another user's folder.
  static func makePrivateFolder(_ path: String) throws(SystemFailure) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .last }
    let isPrivate = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & 0o077 == 0
    guard isPrivate, status.st_uid == geteuid() else { throw SystemFailure(number: EPERM) }
  }

  /// Replaces a small file as a whole.
  static func write(_ text: String, to path: String) throws(SystemFailure) {
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { throw .last }
    let bytes = Array(text.utf8)
    let count = Glibc.write(file, bytes, bytes.count)
    let failure = SystemFailure.last
    _ = close(file)
    guard count == bytes.count else { throw failure }
    guard rename(temporary, path) == 0 else { throw .last }
  }

  /// Returns the text of a small file; `nil` if it doesn't exist.
  static func text(of path: String) throws(SystemFailure) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let failure = SystemFailure.last
      if failure.isMissing { return nil }
      throw failure
    }
    defer { _ = close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count >= 0 else { throw .last }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Returns the user who owns a file or folder.
  static func owner(of path: String) throws(SystemFailure) -> UInt32 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    return status.st_uid
  }
}

/// The process that runs this code.
package enum OwnProcess {
  static var identifier: Int { Int(getpid()) }
  static var user: UInt32 { geteuid() }
  static var temporaryFolder: String { P_tmpdir }

  /// The name of the program; empty if it isn't known.
  static var command: String {
    guard let text = try? FileCalls.text(of: "/proc/self/comm") else { return "" }
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  static func pause(milliseconds: Int) { _ = usleep(UInt32(milliseconds) * 1_000) }

  /// Runs `body` on a new thread, which handles none of the application's signals.
  ///
  /// - Throws: the system's failure if it has no room for a further thread.
  package static func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
    final class Work {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      work.release()
      throw SystemFailure(number: failure)
    }
    pthread_detach(thread)
  }
}

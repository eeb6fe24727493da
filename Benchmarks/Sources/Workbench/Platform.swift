import Glibc

// All other calls of the C library are in this file and in Disk.swift.

/// Clocks, in seconds.
package enum Clock {
  /// Returns the wall time.
  package static func wall() -> Double { seconds(CLOCK_MONOTONIC) }

  /// Returns the time that this thread ran, without the time of other processes on the machine.
  package static func thread() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

  /// Returns the time that all threads of this process ran, including LevelDB's compaction.
  package static func process() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Waits for some time.
  package static func wait(seconds: UInt32) { sleep(seconds) }

  /// Waits until background threads are idle, so that their work counts for the operations that
  /// caused it.
  package static func waitForBackgroundWork() {
    var quiet = 0
    while quiet < 3 {
      let before = process()
      usleep(1000)
      quiet = process() - before < 0.0003 ? quiet + 1 : 0
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the offset of `byte` at or after `start`.
  package func offset(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Whether a range of these bytes is equal to `other`.
  package func holds(_ other: UnsafeBufferPointer<UInt8>, from start: Int, count: Int) -> Bool {
    guard count == other.count, start >= 0, start + count <= self.count, let base = baseAddress,
      let otherBase = other.baseAddress
    else { return false }
    return memcmp(base + start, otherBase, count) == 0
  }

  package func begins(with prefix: [UInt8]) -> Bool {
    guard count >= prefix.count, let start = baseAddress else { return prefix.isEmpty }
    return memcmp(start, prefix, prefix.count) == 0
  }
}

/// Threads that may block, of which no pool has enough.
package enum Threads {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on `count` threads at once, with the number of each, and waits for all.
  package static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    var threads: [pthread_t] = []
    for number in 0..<count {
      let context = Unmanaged.passRetained(Body { body(number) })
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context.toOpaque())
      guard code == 0 else {
        context.release()
        throw StudyError("no thread could be started: code \(code)")
      }
      threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
  }
}

/// A file that only grows, with each append synced: the least cost of a durable commit.
package final class AppendedFile {
  private let descriptor: Int32

  package init(at path: String) throws {
    descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw StudyError("\(path) can't be opened") }
  }

  deinit {
    close(descriptor)
  }

  package func append(byteCount: Int) throws {
    let bytes = [UInt8](repeating: 0x5A, count: byteCount)
    guard write(descriptor, bytes, byteCount) == byteCount, fdatasync(descriptor) == 0 else {
      throw StudyError("an append failed")
    }
  }
}

/// The processor's caches.
package final class ProcessorCache {
  private static let byteCount = 32 << 20
  private var bytes = [UInt8](repeating: 1, count: ProcessorCache.byteCount)

  package init() {}

  /// Fills the caches with unrelated data, so that the next reader finds none of the data that the
  /// one before it read.
  package func fill() {
    for line in stride(from: 0, to: bytes.count, by: 64) { bytes[line] &+= 1 }
  }
}

/// Runs of other programs.
package enum Program {
  /// The path of this program.
  package static var ownPath: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    return String(decoding: buffer.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
  }

  /// Runs the program of this name and sends its output into a file.
  ///
  /// - Returns: the exit status, or `nil` if there is no such program.
  package static func run(_ arguments: [String], output: String) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    guard posix_spawnp(&process, arguments[0], &actions, nil, words, environ) == 0 else {
      return nil
    }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { return nil }
    return (status >> 8) & 0xFF
  }

  package static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}

/// Whole files as bytes.
package enum FileBytes {
  package static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw StudyError("\(path) can't be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return bytes
  }

  package static func write(_ bytes: some Collection<UInt8>, to path: String) throws {
    guard let file = fopen(path, "w") else { throw StudyError("\(path) can't be written") }
    defer { fclose(file) }
    let bytes = Array(bytes)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw StudyError("\(path) can't be written")
    }
  }
}

/// Prints a line at once, even if the output is no terminal.
package func show(_ text: String) {
  print(text)
  fflush(nil)
}

package enum Logarithm {
  package static func of(_ value: Double) -> Double { log(value) }

  package static func tenToThe(_ power: Int) -> Double { pow(10, Double(power)) }
}

extension Program {
  /// Ends this process as `kill -9` does, without closing anything.
  package static func killSelf() -> Never {
    kill(getpid(), SIGKILL)
    abort()
  }
}

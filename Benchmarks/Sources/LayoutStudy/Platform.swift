import Glibc

// All calls of the C library stand here.

/// Seconds.
enum Clock {
  /// The time on the wall.
  static func wall() -> Double { seconds(CLOCK_MONOTONIC) }

  /// The time that this thread ran: what other processes on the machine take is not in it.
  static func thread() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

  /// The time that all threads of this process ran, LevelDB's compaction included.
  static func process() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Waits until background threads stand still, so that their work is charged to who caused it.
  static func waitForBackgroundWork() {
    var quiet = 0
    while quiet < 3 {
      let before = process()
      usleep(1000)
      quiet = process() - before < 0.0003 ? quiet + 1 : 0
    }
  }
}

enum Disk {
  /// The bytes of the files at or in `path`; for a SQLite file its log too.
  static func byteCount(at path: String) -> Int {
    guard let folder = opendir(path) else { return size(of: path) + size(of: path + "-wal") }
    defer { closedir(folder) }
    var total = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { total += size(of: "\(path)/\(name)") }
    }
    return total
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// A new folder under `parent`.
  static func makeTemporaryFolder(in parent: String) throws -> String {
    var template = Array("\(parent)/layout-study-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw StudyError("no folder can be made in \(parent)")
    }
    return String(cString: made)
  }

  /// Removes a folder whose entries are files or folders of files.
  static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      closedir(folder)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of `byte` at or after `start`.
  func offset(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  func begins(with prefix: [UInt8]) -> Bool {
    guard count >= prefix.count, let start = baseAddress else { return prefix.isEmpty }
    return memcmp(start, prefix, prefix.count) == 0
  }

  func precedes(_ other: [UInt8]) -> Bool {
    guard let start = baseAddress else { return !other.isEmpty }
    let order = memcmp(start, other, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }
}

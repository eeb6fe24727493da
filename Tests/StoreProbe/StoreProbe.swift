import Glibc
import HearthLevelDBStore
import HearthOrderedStore

/// A program for tests of the store that need a process of their own.
///
/// ```
/// StoreProbe hold FOLDER            opens, says "open", and closes at the end of its input
/// StoreProbe open FOLDER USER       opens as the user with that number
/// StoreProbe read FOLDER USER       reads all as that user, for reading only, on a full disk
/// StoreProbe few FOLDER COUNT       reads all with COUNT file handles, for reading only
/// StoreProbe fill FOLDER BYTES      writes under a limit on file sizes until a write fails
/// ```
///
/// It prints lines of words that the tests read; an error is `code: message`.
@main
struct StoreProbe {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2, let command = arguments.first else {
      print("usage: StoreProbe hold|open|read|few|fill FOLDER [NUMBER]")
      exit(64)
    }
    let folder = arguments[arguments.startIndex + 1]
    let number = arguments.count > 2 ? Int(arguments[arguments.startIndex + 2]) : nil
    do throws(StoreError) {
      switch command {
      case "hold": try hold(folder)
      case "open": try open(folder, asUser: number ?? 0)
      case "read":
        signal(SIGXFSZ, SIG_IGN)
        limit(RLIMIT_FSIZE, to: 0)
        if become(user: number ?? 0) { try read(folder) }
      case "few":
        limit(RLIMIT_NOFILE, to: rlim_t(number ?? 0))
        try read(folder)
      case "fill": try fill(folder, limit: number ?? 0)
      default: print("no such command: \(command)")
      }
    } catch {
      print("\(error.code): \(error)")
    }
  }

  private static func hold(_ folder: String) throws(StoreError) {
    let (store, _) = try LevelDBStore.open(folder: folder)
    print("open")
    fflush(nil)
    while readLine() != nil {}
    try store.close()
  }

  /// - Returns: `false` if that isn't possible.
  private static func become(user: Int) -> Bool {
    guard getuid() == 0, setuid(uid_t(user)) != 0 else { return true }
    print("cannot become the user \(user)")
    return false
  }

  private static func read(_ folder: String) throws(StoreError) {
    let (store, _) = try ReadOnlyStore.open(folder: folder)
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: [])
    var count = 0
    while cursor.isValid {
      count += 1
      try cursor.next()
    }
    print("read \(count)")
    try store.close()
  }

  private static func open(_ folder: String, asUser user: Int) throws(StoreError) {
    guard become(user: user) else { return }
    var options = LevelDBOptions()
    options.createIfMissing = false
    let (store, _) = try LevelDBStore.open(folder: folder, options: options)
    print("opened")
    try store.close()
  }

  /// Writes until the limit makes a write fail, removes the limit, and continues to write.
  ///
  /// It ends without closing the store, as a killed process does.
  private static func fill(_ folder: String, limit: Int) throws(StoreError) {
    let (store, _) = try LevelDBStore.open(folder: folder)
    signal(SIGXFSZ, SIG_IGN)
    Self.limit(RLIMIT_FSIZE, to: rlim_t(limit))
    var acknowledged = 0
    var refusals: [String] = []
    for number in 0..<4000 where refusals.count < 100 {
      var batch = StoreBatch()
      let byte = UInt8(number & 0xff)
      batch.put([UInt8(number >> 8), byte], [UInt8](repeating: byte, count: 1000))
      do throws(StoreError) {
        try store.write(batch)
        if refusals.isEmpty { acknowledged += 1 } else { refusals.append("acknowledged") }
      } catch {
        refusals.append("\(error.code)")
        Self.limit(RLIMIT_FSIZE, to: rlim_t.max)
      }
    }
    print("acknowledged \(acknowledged)")
    print("first refusal \(refusals.first ?? "none")")
    print("later answers \(Set(refusals.dropFirst()).sorted().joined(separator: " "))")
    fflush(nil)
    _exit(0)
  }

  private static func limit(_ resource: __rlimit_resource, to count: rlim_t) {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(resource.rawValue), &limits)
    limits.rlim_cur = count
    if setrlimit(__rlimit_resource_t(resource.rawValue), &limits) != 0 {
      print("cannot set the limit")
    }
  }
}

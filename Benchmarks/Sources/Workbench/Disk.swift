import Glibc

/// Files and folders. The C library's calls for them are all here.
package enum Disk {
  /// Returns the number of bytes of the files at or in `path`, including folders in it; for a
  /// SQLite file its log too.
  package static func byteCount(at path: String) -> Int {
    guard let names = names(in: path) else { return size(of: path) + size(of: path + "-wal") }
    return names.reduce(0) { total, name in
      let inner = "\(path)/\(name)"
      return total + (isFolder(inner) ? byteCount(at: inner) : size(of: inner))
    }
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder; `nil` if `path` is no folder.
  private static func names(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the files at or in `path`; for a SQLite file its log too.
  private static func files(at path: String) -> [String] {
    guard let names = names(in: path) else {
      return [path, path + "-wal"].filter { size(of: $0) > 0 }
    }
    return names.flatMap { files(at: "\(path)/\($0)") }
  }

  package static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StudyError("\(path) can't be made")
    }
  }

  /// Creates a folder under `parent` and returns its path.
  package static func makeTemporaryFolder(in parent: String) throws -> String {
    var template = Array("\(parent)/layout-study-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw StudyError("no folder can be made in \(parent)")
    }
    return String(cString: made)
  }

  /// Removes a folder whose entries are files or folders of files.
  package static func remove(_ path: String) {
    guard let names = names(in: path) else {
      unlink(path)
      return
    }
    for name in names { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// Copies the folder of a closed database. LevelDB never changes a table after writing it, so the
  /// copy shares the tables.
  package static func copyDatabase(at path: String, to copy: String) throws {
    guard let names = names(in: path) else { throw StudyError("\(path) is no folder") }
    try makeFolder(copy)
    for name in names {
      let (old, new) = ("\(path)/\(name)", "\(copy)/\(name)")
      if isFolder(old) {
        try copyDatabase(at: old, to: new)
      } else if name.hasSuffix(".ldb") {
        guard link(old, new) == 0 else { throw StudyError("\(old) can't be linked") }
      } else {
        try FileBytes.write(FileBytes.read(old), to: new)
      }
    }
  }
}

// MARK: - The kernel's cache

extension Disk {
  /// Waits until the files at or in `path` are on the disk; only then can they be dropped from
  /// memory.
  package static func synchronize(_ path: String) throws {
    for file in files(at: path) {
      try withDescriptor(of: file) { descriptor in
        guard fdatasync(descriptor) == 0 else { throw StudyError("\(file) can't be synced") }
      }
    }
  }

  /// Asks the kernel to forget the files at or in `path`, which no process may have mapped.
  package static func dropFromMemory(_ path: String) throws {
    for file in files(at: path) {
      try withDescriptor(of: file) { descriptor in
        guard posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
          throw StudyError("\(file) can't be dropped from memory")
        }
      }
    }
  }

  /// Returns the share of the files at or in `path` that the kernel has in memory.
  package static func residentShare(of path: String) throws -> Double {
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    var (resident, total) = (0, 0)
    for file in files(at: path) {
      let byteCount = size(of: file)
      guard byteCount > 0 else { continue }
      try withDescriptor(of: file) { descriptor in
        guard let pages = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0),
          pages != MAP_FAILED
        else { throw StudyError("\(file) can't be mapped") }
        defer { munmap(pages, byteCount) }
        var marks = [UInt8](repeating: 0, count: (byteCount + pageSize - 1) / pageSize)
        guard mincore(pages, byteCount, &marks) == 0 else {
          throw StudyError("the pages of \(file) can't be counted")
        }
        resident += marks.count { $0 & 1 == 1 }
        total += marks.count
      }
    }
    return total == 0 ? 0 : Double(resident) / Double(total)
  }

  private static func withDescriptor(
    of path: String, _ body: (Int32) throws -> Void
  ) throws {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw StudyError("\(path) can't be opened") }
    defer { close(descriptor) }
    try body(descriptor)
  }
}

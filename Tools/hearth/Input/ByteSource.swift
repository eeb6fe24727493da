/// The bytes of a file or of standard input, one chunk at a time. Gzipped bytes are unpacked, and
/// so is the file in a zip archive that has only one.
///
/// Memory stays constant: one chunk of packed bytes and one of unpacked ones.
package final class ByteSource {
  /// The most bytes in a chunk.
  package static let chunkByteCount = 64 * 1024

  /// The file's path, or `standard input`.
  package let name: String
  /// The path, or the name of the file in a zip archive: its end tells the format.
  package let contentName: String
  /// The file's size as stored; `nil` for standard input and pipes.
  package let byteCount: Int?
  /// Number of stored bytes read so far; comparable with `byteCount`.
  package private(set) var bytesRead = 0

  private let read: (Int) throws -> [UInt8]
  private var inflater: GzipInflater?
  private var isStarted = false

  /// Opens the file at `path`; `-` is standard input.
  ///
  /// - Throws: `missing` if there is no such file, `forbidden` if the user may not read it,
  ///   `unreadable` if reading fails.
  package convenience init(path: String) throws(InputError) {
    let isStandardInput = path.utf8.elementsEqual("-".utf8)
    let name = isStandardInput ? "standard input" : path
    do {
      let file =
        isStandardInput ? FileDescriptor.standardInput : try FileDescriptor(reading: path)
      let byteCount = isStandardInput ? nil : try file.byteCount()
      if let byteCount, let member = try ByteSource.zipMember(of: file, byteCount, name) {
        self.init(name: name, byteCount: member.byteCount, contentName: member.name) { maximum in
          try member.read(atMost: maximum)
        }
        return
      }
      self.init(name: name, byteCount: byteCount) { maximum in try file.read(atMost: maximum) }
    } catch let error as InputError {
      throw error
    } catch let error as FileDescriptor.Failure {
      let kind: InputError.Kind =
        error.isMissingFile ? .missing : error.isForbidden ? .forbidden : .unreadable
      throw InputError(kind, in: name, "\(error)")
    } catch {
      throw InputError(.unreadable, in: name, "\(error)")
    }
  }

  /// Returns the only file of the zip archive `file`; `nil` if it is no archive.
  private static func zipMember(
    of file: FileDescriptor, _ byteCount: Int, _ name: String
  ) throws -> ZipMember? {
    let start = try file.read(atMost: ZipArchive.magic.count, from: 0)
    guard start == ZipArchive.magic || start == ZipArchive.emptyMagic else { return nil }
    return try ZipMember(in: ZipArchive(file, byteCount: byteCount, name: name))
  }

  /// Takes the stored bytes from `read`, which returns at most the number of bytes that is
  /// requested, and none at the end.
  package init(
    name: String, byteCount: Int?, contentName: String? = nil,
    read: @escaping (Int) throws -> [UInt8]
  ) {
    self.name = name
    self.contentName = contentName ?? name
    self.byteCount = byteCount
    self.read = read
  }

  /// Returns the next bytes, at least one; `nil` at the end.
  ///
  /// - Throws: `unreadable` if reading fails, `damaged` if packed bytes are cut off or damaged.
  package func next() throws(InputError) -> [UInt8]? {
    if !isStarted { return try start() }
    guard let inflater else { return try readStored() }
    return try next(from: inflater)
  }

  /// Reads the first two bytes to recognize gzip. A pipe may deliver them one by one.
  private func start() throws(InputError) -> [UInt8]? {
    isStarted = true
    var first: [UInt8] = []
    while first.count < GzipInflater.magic.count, let more = try readStored() { first += more }
    guard first.starts(with: GzipInflater.magic) else {
      guard byteCount != nil || !first.starts(with: ZipArchive.magic.prefix(2)) else {
        return try refuseZip(after: first)
      }
      return first.isEmpty ? nil : first
    }
    let inflater = try unpacking { () throws(GzipInflater.Failure) in try GzipInflater() }
    inflater.append(first)
    self.inflater = inflater
    return try next(from: inflater)
  }

  /// Refuses a zip archive that comes through a pipe: its list of files is at its end.
  ///
  /// - Returns: the first bytes, if they only begin like an archive.
  private func refuseZip(after start: [UInt8]) throws(InputError) -> [UInt8] {
    var first = start
    while first.count < ZipArchive.magic.count, let more = try readStored() { first += more }
    guard !first.starts(with: ZipArchive.magic), !first.starts(with: ZipArchive.emptyMagic) else {
      throw InputError(
        .malformed, in: name, "a zip archive can't be read from a pipe",
        advice: "Name its file, or unpack it: unzip -p FILE.zip | hearth import … -")
    }
    return first
  }

  private func next(from inflater: GzipInflater) throws(InputError) -> [UInt8]? {
    while true {
      let chunk = try unpacking { () throws(GzipInflater.Failure) in
        try inflater.next(atMost: ByteSource.chunkByteCount)
      }
      if let chunk { return chunk }
      if let more = try readStored() {
        inflater.append(more)
      } else if inflater.isBetweenMembers {
        return nil
      } else {
        throw gzipError(.truncated)
      }
    }
  }

  private func readStored() throws(InputError) -> [UInt8]? {
    do {
      let chunk = try read(ByteSource.chunkByteCount)
      bytesRead += chunk.count
      return chunk.isEmpty ? nil : chunk
    } catch let error as InputError {
      throw error
    } catch {
      throw InputError(.unreadable, in: name, "\(error)")
    }
  }

  private func unpacking<Result>(
    _ body: () throws(GzipInflater.Failure) -> Result
  ) throws(InputError) -> Result {
    do throws(GzipInflater.Failure) {
      return try body()
    } catch {
      throw gzipError(error)
    }
  }

  private func gzipError(_ failure: GzipInflater.Failure) -> InputError {
    InputError(
      .damaged, in: name, "\(failure), near byte \(bytesRead) of the packed file",
      advice: "Fetch or pack the file again; `gzip -t` checks it")
  }
}

extension ByteSource {
  /// Creates a source over bytes in memory, in chunks of `chunkByteCount`.
  package convenience init(
    name: String, bytes: [UInt8], chunkByteCount: Int = ByteSource.chunkByteCount
  ) {
    var rest = bytes[...]
    self.init(name: name, byteCount: bytes.count) { maximum in
      let chunk = Array(rest.prefix(min(maximum, chunkByteCount)))
      rest = rest.dropFirst(chunk.count)
      return chunk
    }
  }
}

/// The list of files in a zip archive, as far as an archive of one file needs it.
///
/// Written here because it is a few fields of one record per file; zlib unpacks the bytes.
struct ZipArchive {
  /// The first bytes of an archive with files, and of one without.
  static let magic: [UInt8] = [0x50, 0x4b, 0x03, 0x04]
  static let emptyMagic: [UInt8] = [0x50, 0x4b, 0x05, 0x06]

  /// A file's record in the list at the archive's end.
  struct Entry {
    let name: String
    let isEncrypted: Bool
    let method: Int
    let checksum: UInt32
    let packedByteCount: Int
    let byteCount: Int
    /// Place of the record before the file's bytes.
    let offset: Int

    /// Whether the record is a folder's, or one of those that macOS adds.
    var isNoData: Bool { name.hasSuffix("/") || name.hasPrefix("__MACOSX/") }
  }

  private static let endByteCount = 22
  /// The value of a field that is too small for the true one.
  static let beyond = 0xffff_ffff

  let file: FileDescriptor
  let name: String
  let entries: [Entry]

  /// Reads the list of files.
  ///
  /// - Throws: ``InputError`` if there is none or it is damaged; ``FileDescriptor/Failure``.
  init(_ file: FileDescriptor, byteCount: Int, name: String) throws {
    self.file = file
    self.name = name
    // A comment of at most 64 KiB may follow the record of the end.
    let tailCount = min(byteCount, ZipArchive.endByteCount + 0xffff)
    let tail = try ZipArchive.read(file, tailCount, from: byteCount - tailCount)
    let places = stride(from: tail.count - ZipArchive.endByteCount, through: 0, by: -1)
    guard let end = places.first(where: { tail[$0...].starts(with: ZipArchive.emptyMagic) }) else {
      throw ZipArchive.damaged(name, "it has no list of its files at its end")
    }
    let (count, size) = (tail.number(at: end + 10, 2), tail.number(at: end + 12, 4))
    let list = try ZipArchive.read(file, size, from: tail.number(at: end + 16, 4))
    var (entries, place): ([Entry], Int) = ([], 0)
    for _ in 0..<count {
      guard let entry = Entry(list, at: &place) else {
        throw ZipArchive.damaged(name, "the list of its files is damaged")
      }
      entries.append(entry)
    }
    self.entries = entries
  }

  static func damaged(_ name: String, _ reason: String) -> InputError {
    InputError(
      .damaged, in: name, "the zip archive is damaged: \(reason)",
      advice: "Fetch it again; `unzip -t` checks it")
  }

  /// Returns `count` bytes, or fewer at the end of the file.
  static func read(_ file: FileDescriptor, _ count: Int, from offset: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try file.read(
        atMost: min(count - bytes.count, 1 << 20), from: offset + bytes.count)
      guard !more.isEmpty else { break }
      bytes += more
    }
    return bytes
  }
}

extension ZipArchive.Entry {
  /// Reads the record at `place`, and moves `place` after it; `nil` if the bytes are no record.
  fileprivate init?(_ list: [UInt8], at place: inout Int) {
    let fixed = 46
    guard list.count - place >= fixed, list[place...].starts(with: [0x50, 0x4b, 0x01, 0x02])
    else { return nil }
    let nameCount = list.number(at: place + 28, 2)
    let end = place + fixed + nameCount
    guard end <= list.count else { return nil }
    name = String(decoding: list[place + fixed..<end], as: UTF8.self)
    isEncrypted = list.number(at: place + 8, 2) & 1 == 1
    method = list.number(at: place + 10, 2)
    checksum = UInt32(list.number(at: place + 16, 4))
    packedByteCount = list.number(at: place + 20, 4)
    byteCount = list.number(at: place + 24, 4)
    offset = list.number(at: place + 42, 4)
    place = end + list.number(at: place + 30, 2) + list.number(at: place + 32, 2)
  }
}

extension [UInt8] {
  /// Returns the number of `count` bytes at `place`, the lowest first.
  func number(at place: Int, _ count: Int) -> Int {
    self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

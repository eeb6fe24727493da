import CZlib

/// A reader of the only file in a zip archive.
final class ZipMember {
  /// The ways of packing that are read: not at all, and zlib's.
  private enum Method: Int { case stored = 0, deflated = 8 }

  /// The file's name in the archive.
  let name: String
  /// Number of its unpacked bytes.
  let byteCount: Int

  private let archive: ZipArchive
  private let checksum: UInt32
  private let inflater: GzipInflater?
  private var offset: Int
  private var packedRest: Int
  private var unpackedCount = 0
  private var sum: UInt

  /// Finds the file.
  ///
  /// - Throws: ``InputError`` if the archive holds no file or several, or one that can't be
  ///   unpacked.
  init(in archive: ZipArchive) throws {
    self.archive = archive
    let files = archive.entries.filter { !$0.isNoData }
    guard let entry = files.first, files.count == 1 else {
      throw ZipMember.refusal(archive, of: files)
    }
    name = entry.name
    byteCount = entry.byteCount
    checksum = entry.checksum
    packedRest = entry.packedByteCount
    let sizes = [entry.byteCount, entry.packedByteCount, entry.offset]
    let method = Method(rawValue: entry.method)
    guard let method, !entry.isEncrypted, !sizes.contains(ZipArchive.beyond) else {
      let reason =
        entry.isEncrypted
        ? "is encrypted" : method == nil ? "is packed in an unusual way" : "is larger than 4 GiB"
      throw InputError(
        .malformed, in: archive.name, "\(entry.name) in the archive \(reason)",
        advice: "Unpack it first: unzip \(archive.name)")
    }
    inflater = method == .deflated ? try GzipInflater(.bare) : nil
    // The record before the bytes repeats the name, and may have another extra field.
    let header = try ZipArchive.read(archive.file, 30, from: entry.offset)
    guard header.count == 30, header.starts(with: ZipArchive.magic) else {
      throw ZipArchive.damaged(archive.name, "\(entry.name) is not where the list says")
    }
    offset = entry.offset + 30 + header.number(at: 26, 2) + header.number(at: 28, 2)
    sum = crc32(0, nil, 0)
  }

  private static func refusal(_ archive: ZipArchive, of files: [ZipArchive.Entry]) -> InputError {
    guard !files.isEmpty else {
      return InputError(.malformed, in: archive.name, "the zip archive holds no file")
    }
    let names = files.prefix(3).map(\.name).joined(separator: ", ")
    let more = files.count > 3 ? ", …" : ""
    return InputError(
      .malformed, in: archive.name,
      "the zip archive holds \(files.count) files: \(names)\(more)",
      advice: "Name one: unzip -p \(archive.name) \(files[0].name) | hearth import … -")
  }

  /// Returns the next unpacked bytes; none at the end.
  ///
  /// - Throws: ``InputError`` if they are damaged; ``FileDescriptor/Failure``.
  func read(atMost maximum: Int) throws -> [UInt8] {
    let bytes = try unpack(atMost: maximum)
    unpackedCount += bytes.count
    sum = crc32(sum, bytes, UInt32(bytes.count))
    if bytes.isEmpty, unpackedCount != byteCount || sum != UInt(checksum) {
      throw ZipArchive.damaged(archive.name, "the checksum of \(name) differs")
    }
    return bytes
  }

  private func unpack(atMost maximum: Int) throws -> [UInt8] {
    guard let inflater else { return try readPacked(atMost: maximum) }
    while true {
      do throws(GzipInflater.Failure) {
        if let bytes = try inflater.next(atMost: maximum) { return bytes }
      } catch {
        throw ZipArchive.damaged(archive.name, "\(name) can't be unpacked")
      }
      let packed = try readPacked(atMost: maximum)
      guard !packed.isEmpty else { return [] }
      inflater.append(packed)
    }
  }

  private func readPacked(atMost maximum: Int) throws -> [UInt8] {
    guard packedRest > 0 else { return [] }
    let bytes = try archive.file.read(atMost: min(maximum, packedRest), from: offset)
    guard !bytes.isEmpty else { throw ZipArchive.damaged(archive.name, "\(name) is cut off") }
    offset += bytes.count
    packedRest -= bytes.count
    return bytes
  }
}

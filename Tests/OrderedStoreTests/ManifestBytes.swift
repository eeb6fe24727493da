import Foundation

/// A version of a key of one byte.
struct Version {
  var key: UInt8
  var sequence: UInt64
  var isDeletion: Bool

  init(_ key: UInt8, _ sequence: UInt64, isDeletion: Bool = false) {
    self.key = key
    self.sequence = sequence
    self.isDeletion = isDeletion
  }

  /// As an internal key, behind its byte count.
  fileprivate var bytes: [UInt8] {
    let trailer = sequence << 8 | (isDeletion ? 0 : 1)
    return [9, key] + (0..<8).map { UInt8(truncatingIfNeeded: trailer >> (8 * $0)) }
  }
}

/// An edit of a MANIFEST, made plainly: numbers below 128 are one byte.
struct EditBytes {
  private(set) var bytes: [UInt8] = []

  func adding(_ level: UInt8, _ number: UInt8, _ first: Version, _ last: Version) -> EditBytes {
    var edit = self
    edit.bytes += [7, level, number, 99] + first.bytes + last.bytes
    return edit
  }

  func removing(_ level: UInt8, _ number: UInt8) -> EditBytes {
    var edit = self
    edit.bytes += [6, level, number]
    return edit
  }
}

extension LogBytes {
  /// Appends a record as LevelDB does, in as many fragments as the blocks of `log` make of it.
  static func append(_ payload: [UInt8], to log: inout [UInt8]) {
    var rest = payload[...]
    var isFirst = true
    repeat {
      let left = 32_768 - log.count % 32_768
      if left < 7 {
        log += [UInt8](repeating: 0, count: left)
        continue
      }
      let part = rest.prefix(left - 7)
      rest = rest.dropFirst(part.count)
      let kind: UInt8 = isFirst ? (rest.isEmpty ? 1 : 2) : (rest.isEmpty ? 4 : 3)
      log += record([UInt8](part), kind: kind)
      isFirst = false
    } while isFirst || !rest.isEmpty
  }
}

/// A file that is written bit by bit.
final class GrowingFile {
  private let handle: FileHandle

  init(_ path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  func append(_ bytes: ArraySlice<UInt8>) throws {
    try handle.write(contentsOf: Data(bytes))
  }
}

import ArgumentParser
import Hearth

/// A list of fields as a person types it: ``name,address.city,`two, words` ``.
struct FieldList {
  let paths: [FieldPath]

  init(_ text: String) throws {
    var paths: [FieldPath] = []
    for part in FieldList.parts(of: text) {
      do throws(DatabaseError) {
        paths.append(try FieldPath(part))
      } catch {
        throw ValidationError("\"\(part)\" is no field: \(error.message)")
      }
    }
    self.paths = paths
  }

  /// Splits at the commas outside of backticks. Inside backticks a backslash escapes.
  private static func parts(of text: String) -> [String] {
    var parts: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      if byte == .comma && !isQuoted {
        parts.append([])
        continue
      }
      if byte == UInt8(ascii: "`"), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == .backslash && !isEscaped
      parts[parts.count - 1].append(byte)
    }
    return parts.map { part in
      String(decoding: part.drop { $0.isBlank }.trimmingSuffixBlanks, as: UTF8.self)
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmingSuffixBlanks: ArraySlice<UInt8> {
    var trimmed = self
    while let last = trimmed.last, last.isBlank { trimmed.removeLast() }
    return trimmed
  }
}

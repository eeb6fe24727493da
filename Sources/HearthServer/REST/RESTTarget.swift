import HearthDocumentModel

/// The address of a request of REST: `/v1/projects/P/databases/D/documents/…:verb?parameters`.
struct RESTTarget {
  /// The database's name: `projects/P/databases/D`.
  let database: String
  /// Segments of the path below `documents`, decoded.
  let path: [String]
  /// Text after the last colon of the last segment, if it is a known verb; `nil` for none.
  let verb: String?
  /// Parameters in their order, decoded.
  private(set) var parameters: [(name: String, value: String)]

  private static let versions = ["v1", "v1beta1"]
  private static let verbs = [
    "batchGet", "commit", "batchWrite", "beginTransaction", "rollback", "executePipeline",
    "runQuery", "runAggregationQuery", "partitionQuery", "listCollectionIds",
  ]

  /// - Parameter takesVerb: whether the request's method is one that verbs have.
  /// - Returns: `nil` for an address of something else, and for one with broken escapes.
  init?(_ target: String, takesVerb: Bool) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard segments.count >= 7, segments[0].isEmpty, RESTTarget.versions.contains(segments[1]),
      segments[2] == "projects", segments[4] == "databases"
    else { return nil }
    var verb: String?
    if takesVerb, let last = segments.last, let colon = last.lastIndex(of: ":") {
      let text = String(last[last.index(after: colon)...])
      if RESTTarget.verbs.contains(text) {
        verb = text
        segments[segments.count - 1] = String(last[..<colon])
      }
    }
    // Ids may contain a slash in no form, so segments are decoded one by one.
    let decoded = segments.compactMap { $0.percentDecoded(plusIsSpace: false) }
    guard decoded.count == segments.count, !decoded.contains(where: { $0.contains("/") }),
      decoded[6] == "documents"
    else { return nil }
    database = "projects/\(decoded[3])/databases/\(decoded[5])"
    path = Array(decoded.dropFirst(7))
    self.verb = verb
    parameters = []
    for parameter in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let halves = parameter.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = String(halves[0]).percentDecoded(plusIsSpace: true),
        let value = String(halves.dropFirst().first ?? "").percentDecoded(plusIsSpace: true)
      else { return nil }
      parameters.append((name, value))
    }
  }

  /// The name of what the path names; the root of the documents for an empty path.
  var name: String { name(of: path[...]) }

  /// The name of the parent of the collection that the path names.
  var parent: String { name(of: path.dropLast()) }

  private func name(of path: ArraySlice<String>) -> String {
    (["\(database)/documents"] + path).joined(separator: "/")
  }
}

extension String {
  /// Returns the text that an address writes so; `nil` for broken escapes, and for bytes that
  /// aren't UTF-8.
  fileprivate func percentDecoded(plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
          return nil
        }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit; `nil` for any other byte.
  fileprivate var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

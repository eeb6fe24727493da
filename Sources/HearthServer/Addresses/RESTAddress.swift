import HearthFirestoreJSON

/// The parts of an address: `/path/of/segments?name=value`.
struct RESTAddress {
  /// Segments of the path after the first slash, as they are written. They are decoded one by one,
  /// since an id may contain an encoded slash or colon.
  var segments: [String]
  /// Parameters in their order, decoded.
  let parameters: [(name: String, value: String)]

  /// - Returns: `nil` for a path that begins with no slash, and for broken escapes in a parameter.
  init?(_ target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard segments[0].isEmpty else { return nil }
    self.segments = segments.dropFirst().map(String.init)
    var parameters: [(name: String, value: String)] = []
    for parameter in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let halves = parameter.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = String(halves[0]).percentDecoded(plusIsSpace: true),
        let value = String(halves.dropFirst().first ?? "").percentDecoded(plusIsSpace: true)
      else { return nil }
      parameters.append((name, value))
    }
    self.parameters = parameters
  }

  /// The segments, decoded; `nil` if one has broken escapes or contains a slash, which no id does.
  var path: [String]? {
    let decoded = segments.compactMap { $0.percentDecoded() }
    guard decoded.count == segments.count, !decoded.contains(where: { $0.contains("/") }) else {
      return nil
    }
    return decoded
  }

  /// Removes the text after the last colon of the last segment, if it is one of some verbs.
  ///
  /// - Returns: the verb; `nil` for none.
  mutating func removeVerb(of verbs: some Collection<String>) -> String? {
    guard let last = segments.last, let colon = last.lastIndex(of: ":") else { return nil }
    let verb = String(last[last.index(after: colon)...])
    guard verbs.contains(verb) else { return nil }
    segments[segments.count - 1] = String(last[..<colon])
    return verb
  }
}

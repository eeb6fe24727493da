import HearthDocumentModel

/// A path: segments, some of which may still be variables for `bind`.
struct RulesPath: Sendable, Equatable {
  /// A part of a path.
  enum Segment: Sendable, Equatable {
    case text(String)
    /// A variable for one segment.
    case variable(String)
    /// A variable for any number of segments.
    case glob(String)
  }

  private(set) var segments: [Segment]
  /// The values that `bind` gave to variables.
  private(set) var bindings: [RulesMap.Entry] = []

  init(_ segments: [Segment]) {
    self.segments = segments
  }

  /// Creates the path of a document or a collection, which begins with the database.
  init(_ path: ResourcePath, in database: String) {
    segments = [.text("databases"), .text(database), .text("documents")]
    segments.reserveCapacity(3 + path.segments.count)
    for segment in path.segments { segments.append(.text(segment)) }
  }

  /// Reads a text such as `/a/{b}`, as the function `path` does.
  init(reading text: String) throws(RulesError) {
    guard !text.isEmpty else { throw .other("Empty Path Template is not allowed.") }
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 1, parts[0].isEmpty { parts.removeFirst() }
    segments = []
    for part in parts {
      guard !part.isEmpty else {
        throw .other("Invalid Path Template \(text). Empty segment is not allowed.")
      }
      segments.append(Segment(reading: part))
    }
  }

  /// The path below the database's root; `nil` if this is no path of a document in `database`.
  func document(in database: String) -> ResourcePath? {
    guard segments.count >= 5, segments.count % 2 == 1, case .text(let name) = segments[1],
      name.utf8Equal(database), segments[0] == .text("databases"),
      segments[2] == .text("documents")
    else { return nil }
    var ids: [String] = []
    for segment in segments[3...] {
      guard case .text(let id) = segment else { return nil }
      ids.append(id)
    }
    return try? ResourcePath(segments: ids)
  }

  /// The path with slashes, as `string` writes it. Variables are empty.
  var description: String {
    segments.map { if case .text(let text) = $0 { "/\(text)" } else { "/" } }.joined()
  }

  static func == (left: RulesPath, right: RulesPath) -> Bool {
    left.segments.count == right.segments.count
      && zip(left.segments, right.segments).allSatisfy { $0 == $1 }
  }
}

extension RulesPath.Segment {
  fileprivate init(reading text: Substring) {
    self = .text(String(text))
    guard text.first == "{", text.last == "}", text.count > 2 else { return }
    let parts = text.dropFirst().dropLast().split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    switch parts.dropFirst().first {
    case nil, "*": self = .variable(String(parts[0]))
    case "**": self = .glob(String(parts[0]))
    default: break
    }
  }

  static func == (left: RulesPath.Segment, right: RulesPath.Segment) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)), (.variable(let left), .variable(let right)),
      (.glob(let left), .glob(let right)):
      left.utf8Equal(right)
    default: false
    }
  }
}

extension RulesPath {
  /// Returns the path with its variables filled from `values`. Those without a value stay.
  func bound(to values: [RulesMap.Entry]) throws(RulesError) -> RulesPath {
    var unused = values.map(\.key)
    var result: [Segment] = []
    for segment in segments {
      guard let name = segment.variableName,
        let value = values.first(where: { $0.key.utf8Equal(name) })?.value
      else {
        result.append(segment)
        continue
      }
      unused.removeAll { $0.utf8Equal(name) }
      switch (segment, value) {
      case (.glob, .path(let path)): result += path.segments
      case (.glob, _): throw .type(value.type, expected: "path")
      case (_, .string(let text)): result.append(.text(text))
      case (_, _): throw .type(value.type, expected: "string")
      }
    }
    guard unused.isEmpty else {
      let names = unused.joined(separator: ",")
      throw .other("Variable(s) \(names) do not exist in the path template.")
    }
    var path = RulesPath(result)
    path.bindings = bindings + values
    return path
  }
}

extension RulesPath.Segment {
  /// The name of the variable; `nil` for a text.
  var variableName: String? {
    switch self {
    case .text: nil
    case .variable(let name), .glob(let name): name
    }
  }
}

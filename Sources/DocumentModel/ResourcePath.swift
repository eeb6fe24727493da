/// A path below a database's root: collection and document ids in turn (§1.1).
///
/// An even number of segments names a document (none is the root), an odd number a collection.
/// Paths are compared segment by segment, by UTF-8 bytes, a shorter path first.
public struct ResourcePath: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The ids, of collections and documents in turn.
  public let segments: [String]

  /// The database's root.
  public static let root = ResourcePath(unchecked: [])

  /// For segments that are known to follow the rules of §1.1.
  package init(unchecked segments: [String]) {
    self.segments = segments
  }

  /// Reads `users/alice/posts`; leading and trailing slashes are errors.
  ///
  /// - Throws: `invalidArgument` where a segment breaks the rules of §1.1.
  public init(_ text: String) throws(DatabaseError) {
    try self.init(segments: text.split(separator: "/", omittingEmptySubsequences: false))
  }

  /// - Throws: `invalidArgument` where a segment breaks the rules of §1.1.
  public init(segments: some Sequence<some StringProtocol>) throws(DatabaseError) {
    var checked: [String] = []
    for segment in segments {
      checked.append(
        try ResourcePath.validated(String(segment), isCollection: checked.count % 2 == 0))
    }
    guard checked.count <= 2 * Limits.collectionDepth else {
      throw .invalidArgument(
        "The path has more than \(Limits.collectionDepth) levels of collections.")
    }
    self.segments = checked
  }

  /// Whether it is the root, which holds the collections at the top.
  public var isRoot: Bool { segments.isEmpty }
  /// Whether the path names a document. The root does not.
  public var isDocument: Bool { !segments.isEmpty && segments.count % 2 == 0 }
  /// Whether it names a collection.
  public var isCollection: Bool { segments.count % 2 == 1 }

  /// The last id, or `nil` for the root.
  public var lastSegment: String? { segments.last }

  /// The path without its last segment; the root's is the root.
  public var parent: ResourcePath { ResourcePath(unchecked: Array(segments.dropLast())) }

  /// - Throws: `invalidArgument` where `id` breaks the rules of §1.1.
  public func appending(_ id: String) throws(DatabaseError) -> ResourcePath {
    try ResourcePath(segments: segments + [id])
  }

  package func appending(unchecked id: String) -> ResourcePath {
    ResourcePath(unchecked: segments + [id])
  }

  /// Whether `self` is `ancestor` or lies below it.
  public func hasPrefix(_ ancestor: ResourcePath) -> Bool {
    segments.count >= ancestor.segments.count
      && zip(segments, ancestor.segments).allSatisfy { $0.utf8Equal($1) }
  }

  /// The segments joined by `/`; empty for the root.
  public var description: String { segments.joined(separator: "/") }

  /// The order of paths: segment by segment, by their UTF-8 bytes, a parent first (§2.3).
  public func compare(_ other: ResourcePath) -> Ordering {
    for (left, right) in zip(segments, other.segments) {
      let order = left.utf8Compare(right)
      if order != .equal { return order }
    }
    return Ordering(segments.count, other.segments.count)
  }

  public static func < (left: ResourcePath, right: ResourcePath) -> Bool {
    left.compare(right) == .less
  }

  public static func == (left: ResourcePath, right: ResourcePath) -> Bool {
    left.segments.count == right.segments.count
      && zip(left.segments, right.segments).allSatisfy { $0.utf8Equal($1) }
  }

  public func hash(into hasher: inout Hasher) {
    for segment in segments { segment.utf8Hash(into: &hasher) }
  }
}

extension ResourcePath {
  /// `id` if it may stand in a path (§1.1).
  package static func validated(
    _ id: String, isCollection: Bool
  ) throws(DatabaseError) -> String {
    let kind = isCollection ? "Collection" : "Resource"
    guard !id.isEmpty else { throw .invalidArgument("\(kind) id is the empty string.") }
    guard !id.utf8.contains(UInt8(ascii: "/")) else {
      throw .invalidArgument("\(kind) id \"\(id)\" is invalid because it contains \"/\".")
    }
    guard id.utf8.count <= Limits.idByteCount else {
      throw .invalidArgument(
        "The key path element \(isCollection ? "kind" : "name") is longer than "
          + "\(Limits.idByteCount) bytes.")
    }
    guard !id.utf8Equal("."), !id.utf8Equal(".."), !id.isReservedName else {
      throw .invalidArgument("\(kind) id \"\(id)\" is invalid because it is reserved.")
    }
    return id
  }
}

extension String {
  /// Whether the name matches `__.*__`, which Firestore keeps for itself (§1.1).
  package var isReservedName: Bool {
    utf8.count >= 4 && utf8.starts(with: "__".utf8) && utf8.suffix(2).elementsEqual("__".utf8)
  }
}

/// A path below a database's root: collection ids and document ids in turn (§1.1).
///
/// An even number of segments names a document (none is the root), an odd number a collection.
/// Paths are compared segment by segment, by UTF-8 bytes, a shorter path first. Ids that stand for
/// numbers come before all others.
public struct ResourcePath: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The ids of collections and documents in turn.
  public let segments: [String]

  /// The database's root.
  public static let root = ResourcePath(unchecked: [])

  /// Creates a path from segments that are known to follow the rules of §1.1.
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
    guard checked.count <= 2 * Limits.collectionDepth else { throw .tooManyCollectionLevels }
    self.segments = checked
  }

  /// Whether the path is the root, which holds the top-level collections.
  public var isRoot: Bool { segments.isEmpty }
  /// Whether the path names a document. The root does not.
  public var isDocument: Bool { !segments.isEmpty && segments.count % 2 == 0 }
  /// Whether the path names a collection.
  public var isCollection: Bool { segments.count % 2 == 1 }

  /// The last id, or `nil` for the root.
  public var lastSegment: String? { segments.last }

  /// The id of the collection that a document is in, for the path of a document; otherwise the id
  /// before the last one, or `nil`.
  package var collectionID: String? { segments.count < 2 ? nil : segments[segments.count - 2] }

  /// The path without its last segment. The root's parent is the root.
  public var parent: ResourcePath {
    segments.count <= 1 ? .root : ResourcePath(unchecked: Array(segments.dropLast()))
  }

  /// - Throws: `invalidArgument` where `id` breaks the rules of §1.1.
  public func appending(_ id: String) throws(DatabaseError) -> ResourcePath {
    let id = try ResourcePath.validated(id, isCollection: segments.count % 2 == 0)
    guard segments.count < 2 * Limits.collectionDepth else { throw .tooManyCollectionLevels }
    return appending(unchecked: id)
  }

  package func appending(unchecked id: String) -> ResourcePath {
    // Most paths have one or two segments.
    if segments.isEmpty { return ResourcePath(unchecked: [id]) }
    if segments.count == 1 { return ResourcePath(unchecked: [segments[0], id]) }
    return ResourcePath(unchecked: segments + [id])
  }

  /// Whether `self` is `ancestor` or lies below it.
  public func hasPrefix(_ ancestor: ResourcePath) -> Bool {
    let (own, wanted) = (segments.span, ancestor.segments.span)
    guard own.count >= wanted.count else { return false }
    for index in wanted.indices where !own[unchecked: index].utf8Equal(wanted[unchecked: index]) {
      return false
    }
    return true
  }

  /// Returns the path of the first `count` segments.
  package func prefix(_ count: Int) -> ResourcePath {
    count == segments.count ? self : ResourcePath(unchecked: Array(segments.prefix(count)))
  }

  /// Returns a hash that spreads paths evenly: that of the first `count` segments, which the path
  /// has. Equal paths have the same hash.
  package func byteHash(ofFirst count: Int) -> UInt64 {
    let segments = segments.span
    var hash = ByteHash()
    for index in 0..<count { hash.combine(segments[index]) }
    return hash.value
  }

  /// The segments joined by `/`; empty for the root.
  public var description: String { segments.joined(separator: "/") }

  /// Compares segment by segment, by their UTF-8 bytes, a parent first (§2.3). Numeric ids come
  /// before all others, by their numbers.
  public func compare(_ other: ResourcePath) -> Ordering {
    for (left, right) in zip(segments, other.segments) {
      let order = left.utf8Compare(right)
      if order == .equal { continue }
      switch (left.numericID, right.numericID) {
      case (nil, nil): return order
      case (_?, nil): return .less
      case (nil, _?): return .greater
      case (let left?, let right?): return Ordering(left, right)
      }
    }
    return Ordering(segments.count, other.segments.count)
  }

  public static func < (left: ResourcePath, right: ResourcePath) -> Bool {
    left.compare(right) == .less
  }

  public static func == (left: ResourcePath, right: ResourcePath) -> Bool {
    let (own, other) = (left.segments.span, right.segments.span)
    // Paths are compared with their own copies more than with others.
    return own.isIdentical(to: other)
      || (own.count == other.count && left.hasPrefix(right))
  }

  public func hash(into hasher: inout Hasher) {
    let segments = segments.span
    for index in segments.indices { segments[unchecked: index].utf8Hash(into: &hasher) }
  }
}

extension ResourcePath {
  /// Returns `id` if it is allowed in a path (§1.1).
  package static func validated(
    _ id: String, isCollection: Bool
  ) throws(DatabaseError) -> String {
    let bytes = id.utf8.span.bytes
    var kind: String { isCollection ? "Collection" : "Resource" }
    guard bytes.byteCount > 0 else { throw .invalidArgument("\(kind) id is the empty string.") }
    guard !bytes.contains(UInt8(ascii: "/")) else {
      throw .invalidArgument("\(kind) id \"\(id)\" is invalid because it contains \"/\".")
    }
    guard bytes.byteCount <= Limits.idByteCount else {
      throw .invalidArgument(
        "The key path element \(isCollection ? "kind" : "name") is longer than "
          + "\(Limits.idByteCount) bytes.")
    }
    guard !bytes.areDots, !id.isReservedName || !isCollection && id.numericID != nil else {
      throw .reservedID(id, kind)
    }
    return id
  }
}

extension ResourcePath {
  /// Whether an id of the path stands for a number. No document has such a name: it is only a
  /// position among the names, as which clients use the least one.
  package var isNumeric: Bool { segments.contains { $0.numericID != nil } }

  /// - Throws: `invalidArgument` if an id of the path stands for a number.
  package func refuseNumericIDs() throws(DatabaseError) {
    for id in segments where id.numericID != nil { throw .reservedID(id, "Resource") }
  }
}

extension DatabaseError {
  fileprivate static func reservedID(_ id: String, _ kind: String) -> DatabaseError {
    .invalidArgument("\(kind) id \"\(id)\" is invalid because it is reserved.")
  }

  fileprivate static var tooManyCollectionLevels: DatabaseError {
    .invalidArgument("The path has more than \(Limits.collectionDepth) levels of collections.")
  }
}

extension RawSpan {
  private func byte(at offset: Int) -> UInt8 {
    unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  fileprivate func contains(_ byte: UInt8) -> Bool {
    for offset in 0..<byteCount where self.byte(at: offset) == byte { return true }
    return false
  }

  /// Whether the bytes are `.` or `..`, which mean this level and the one above in file systems.
  fileprivate var areDots: Bool {
    (1...2).contains(byteCount) && byte(at: 0) == UInt8(ascii: ".")
      && byte(at: byteCount - 1) == UInt8(ascii: ".")
  }

  fileprivate var areBetweenUnderscores: Bool {
    let underscore = UInt8(ascii: "_")
    return byteCount >= 4 && byte(at: 0) == underscore && byte(at: 1) == underscore
      && byte(at: byteCount - 2) == underscore && byte(at: byteCount - 1) == underscore
  }
}

extension String {
  /// Whether the name matches `__.*__`, which Firestore reserves for itself (§1.1).
  package var isReservedName: Bool { beginsWithUnderscore && utf8.span.bytes.areBetweenUnderscores }

  /// Whether the name may be reserved.
  package var beginsWithUnderscore: Bool { utf8.first == UInt8(ascii: "_") }

  /// The number of an id of the form `__id7__`, as which numbers are shown that Datastore gave to
  /// documents (§1.1); `nil` for any other id.
  package var numericID: Int64? {
    guard isReservedName, hasPrefix("__id"), utf8.count > 6 else { return nil }
    let digits = dropFirst(4).dropLast(2)
    // A number has one name only: neither a plus sign nor zeros before it.
    return Int64(digits).flatMap { String($0) == digits ? $0 : nil }
  }
}

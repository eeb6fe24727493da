public import HearthDocumentModel
public import HearthQueryPlanning

/// Contents and use of one index, or of two that differ only in direction and share their entries.
public struct IndexStatistics: Sendable, Codable {
  /// Kinds of indexes.
  public enum Kind: String, Sendable, Codable {
    /// An index of several fields together.
    case composite
    /// The index of a single field.
    case field
    /// The index of document names.
    case names
  }

  /// Kind of the index.
  public let kind: Kind
  /// Indexes that the entries serve: one, or a field's ascending and descending ones.
  public let definitions: [IndexDefinition]
  /// State of the index, which tells whether queries use it yet.
  public let state: IndexState
  /// Whether the index is hidden from queries.
  public package(set) var isHidden = false
  /// Number of entries; `nil` if entries weren't counted, unless the index is a composite index
  /// with sums.
  public package(set) var entryCount: Int?
  /// Number of bytes of the entries' keys and values, uncompressed; `nil` if entries weren't
  /// counted.
  public package(set) var byteCount: Int?
  /// Approximate number of bytes on disk; the latest writes may be missing. If entries weren't
  /// counted, it is `nil` for fields and names, whose entries lie among others, and known for a
  /// composite index.
  public package(set) var diskByteCount: Int?
  /// Time since which its use is recorded: its creation, or the beginning of recording.
  public let since: Timestamp
  /// Number of queries that it served, alone or with others; `nil` if it is unknown: queries used
  /// the indexes of more fields than are counted, and this may be one of the others.
  public package(set) var queryCount: Int?
  /// Time of the last query that it served; `nil` if none is known since recording began.
  public package(set) var lastQueryTime: Timestamp?
  /// Number of entries that writes of documents put and deleted; those of builds don't count.
  public package(set) var entryWriteCount = 0

  package init(
    _ kind: Kind, _ definitions: [IndexDefinition], _ state: IndexState, since: Timestamp
  ) {
    self.kind = kind
    self.definitions = definitions
    self.state = state
    self.since = since
  }

  /// - Throws: `DecodingError` for statistics without a definition.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    kind = try members.decode(Kind.self, forKey: .kind)
    definitions = try members.decode([IndexDefinition].self, forKey: .definitions)
    state = try members.decode(IndexState.self, forKey: .state)
    isHidden = try members.decode(Bool.self, forKey: .isHidden)
    entryCount = try members.decodeIfPresent(Int.self, forKey: .entryCount)
    byteCount = try members.decodeIfPresent(Int.self, forKey: .byteCount)
    diskByteCount = try members.decodeIfPresent(Int.self, forKey: .diskByteCount)
    since = try members.decode(Timestamp.self, forKey: .since)
    queryCount = try members.decodeIfPresent(Int.self, forKey: .queryCount)
    lastQueryTime = try members.decodeIfPresent(Timestamp.self, forKey: .lastQueryTime)
    entryWriteCount = try members.decode(Int.self, forKey: .entryWriteCount)
    guard !definitions.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .definitions, in: members, debugDescription: "Statistics are of an index.")
    }
  }

  /// Id of the collections that the index is for.
  public var collectionGroup: String { definitions[0].collectionGroup }

  /// Whether the index existed at `time`, its use was recorded, and no query has used it since. The
  /// result is `false` if that isn't known.
  public func isUnused(since time: Timestamp) -> Bool {
    queryCount != nil && since <= time && lastQueryTime.map { $0 < time } ?? true
  }
}

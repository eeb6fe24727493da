public import HearthDocumentModel
public import HearthQueryPlanning

/// Progress of a build. For a resumed build, work done before the database was opened doesn't
/// count.
public struct BuildProgress: Sendable, Equatable, Codable {
  /// Number of documents read so far.
  public let documentsDone: Int
  /// Number of documents to read, counted at the beginning.
  public let documentsTotal: Int

  package init(documentsDone: Int, documentsTotal: Int) {
    self.documentsDone = documentsDone
    self.documentsTotal = documentsTotal
  }
}

/// Status of a build.
public struct BuildStatus: Sendable, Codable {
  /// States of a build.
  public enum State: String, Sendable, Hashable, Codable {
    /// Documents are being read, or entries written.
    case building = "BUILDING"
    /// The build is paused until it is resumed, even after the database is opened again.
    case paused = "PAUSED"
    /// The index is ready for queries.
    case ready = "READY"
    /// A document can't be indexed; the index is dropped again.
    case failed = "FAILED"
    /// The index was dropped before it was ready.
    case cancelled = "CANCELLED"
  }

  /// Kinds of things that are built.
  public enum Subject: Sendable, Hashable {
    /// A composite index.
    case index(IndexDefinition)
    /// A composite index whose entries start or stop carrying their documents.
    case covering(IndexDefinition)
    /// The single-field indexes of a field; `nil` for all fields of the group without an override.
    case fields(collectionGroup: String, field: FieldPath?)
    /// The index by which a time to live finds its documents.
    case timeToLive(collectionGroup: String, field: FieldPath)
  }

  private enum CodingKeys: String, CodingKey {
    case subject, state
    case failure = "error"
    case documentsDone, documentsTotal, fraction, entriesWritten, documentsDoneEarlier
    case documentsPerSecond, secondsLeft, stalledSeconds
  }

  /// The build's number. No two builds of an open database share one. It isn't encoded.
  package private(set) var number = 0
  /// The index that is built.
  public let subject: Subject
  /// State of the build.
  public let state: State
  private let failure: ReportedError?
  /// Number of documents whose entries are written.
  public package(set) var documentsDone = 0
  /// Approximate number of documents in the collection group; exact if the build has a caller that
  /// receives its progress.
  public package(set) var documentsTotal = 0
  /// Fraction of the work that is done, 0...1.
  public package(set) var fraction = 0.0
  /// Number of entries written since the database was opened.
  public package(set) var entriesWritten = 0
  /// Number of the documents done before the database was opened; `nil` if there are none.
  public package(set) var documentsDoneEarlier: Int?
  /// Rate over about the last ten seconds; `nil` before it is known.
  public package(set) var documentsPerSecond: Double?
  /// Estimated number of seconds left at the present rate; `nil` before it is known.
  public package(set) var secondsLeft: Double?
  /// Number of seconds without progress, if that is too long; `nil` for a build that progresses or
  /// is paused.
  public package(set) var stalledSeconds: Double?

  /// Creates the status of a build that has done nothing yet.
  package init(number: Int, _ subject: Subject, _ state: State, _ error: DatabaseError?) {
    self.number = number
    self.subject = subject
    self.state = state
    failure = error.map(ReportedError.init)
  }

  /// - Throws: `DecodingError` for a fraction beyond 0...1.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    subject = try members.decode(Subject.self, forKey: .subject)
    state = try members.decode(State.self, forKey: .state)
    failure = try members.decodeIfPresent(ReportedError.self, forKey: .failure)
    documentsDone = try members.decode(Int.self, forKey: .documentsDone)
    documentsTotal = try members.decode(Int.self, forKey: .documentsTotal)
    fraction = try members.decode(Double.self, forKey: .fraction)
    entriesWritten = try members.decode(Int.self, forKey: .entriesWritten)
    documentsDoneEarlier = try members.decodeIfPresent(Int.self, forKey: .documentsDoneEarlier)
    documentsPerSecond = try members.decodeIfPresent(Double.self, forKey: .documentsPerSecond)
    secondsLeft = try members.decodeIfPresent(Double.self, forKey: .secondsLeft)
    stalledSeconds = try members.decodeIfPresent(Double.self, forKey: .stalledSeconds)
    guard (0...1).contains(fraction) else {
      throw DecodingError.dataCorruptedError(
        forKey: .fraction, in: members, debugDescription: "A fraction is a part of 1.")
    }
  }

  /// Reason why the build failed; for an unfinished build, the last obstacle.
  public var error: DatabaseError? { failure?.error }
  /// Whether the build has made no progress for half a minute.
  public var isStalled: Bool { stalledSeconds != nil }
  /// Whether an obstacle stopped the last step of the build.
  package var isHeldUp: Bool { state == .building && failure != nil }
  /// Whether the build has ended, so that its status won't change any more.
  public var isFinished: Bool { state != .building && state != .paused }
}

extension BuildStatus.Subject: Codable {
  private enum CodingKeys: String, CodingKey {
    case index, covering, collectionGroup, names, timeToLive
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if let index = try members.decodeIfPresent(IndexDefinition.self, forKey: .index) {
      self = .index(index)
    } else if let index = try members.decodeIfPresent(IndexDefinition.self, forKey: .covering) {
      self = .covering(index)
    } else {
      let group = try members.decode(String.self, forKey: .collectionGroup)
      if let field = try members.decodeIfPresent(FieldPath.self, forKey: .timeToLive) {
        self = .timeToLive(collectionGroup: group, field: field)
      } else {
        let field = try members.decodeIfPresent(FieldPath.self, forKey: .names)
        self = .fields(collectionGroup: group, field: field)
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .index(let definition): try members.encode(definition, forKey: .index)
    case .covering(let definition): try members.encode(definition, forKey: .covering)
    case .fields(let group, let field):
      try members.encode(group, forKey: .collectionGroup)
      try members.encodeIfPresent(field, forKey: .names)
    case .timeToLive(let group, let field):
      try members.encode(group, forKey: .collectionGroup)
      try members.encode(field, forKey: .timeToLive)
    }
  }
}

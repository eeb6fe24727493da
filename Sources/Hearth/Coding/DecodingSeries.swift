import HearthStorageFormat

/// The decodings of one call, one document after the other.
///
/// They share one run, unless a type has kept the run of an earlier document, and the containers,
/// unless a type has kept one of them.
struct DecodingSeries: ~Copyable {
  private let decoder: DocumentDecoder
  private let isOfDocuments: Bool
  private var database: Database
  private var run: DecodingRun?
  private var containers: KeyedContainers

  /// - Parameters:
  ///   - database: the database of the records.
  ///   - isOfDocuments: whether the records' paths are those of documents.
  init(_ decoder: DocumentDecoder, in database: Database, isOfDocuments: Bool = true) {
    self.decoder = decoder
    self.isOfDocuments = isOfDocuments
    self.database = database
    containers = KeyedContainers.spare.take() ?? KeyedContainers()
  }

  deinit { KeyedContainers.spare.put(containers) }

  /// Turns to the records of another database, if it is another.
  mutating func turn(to other: Database) {
    guard other !== database else { return }
    database = other
    run = nil
  }

  /// Decodes a record, or one value of it.
  ///
  /// - Parameters:
  ///   - record: the record to decode.
  ///   - place: the value to decode; `nil` for the whole document.
  mutating func decode<T: Decodable>(
    _ type: T.Type, from record: DocumentRecord, at place: Int? = nil
  ) throws(DatabaseError) -> T {
    defer { withExtendedLifetime(record) {} }
    return try decode(type, from: .passUnretained(record), at: place)
  }

  /// Does the same for a record that the caller keeps alive.
  mutating func decode<T: Decodable>(
    _ type: T.Type, from record: Unmanaged<DocumentRecord>, at place: Int? = nil
  ) throws(DatabaseError) -> T {
    let place = place ?? record._withUnsafeGuaranteedRef { $0.root }
    let run = begin(record)
    do {
      defer { end(run) }
      return try run._withUnsafeGuaranteedRef { run in
        let value = try run.value(type, at: place, DecodingLevel())
        // A failure must not pass for data because the type's own code caught it.
        if let failure = run.failure { throw failure }
        return value
      }
    } catch {
      let run = run.takeUnretainedValue()
      throw run.databaseError(run.failure ?? error, decoding: type)
    }
  }

  /// Returns a run that has begun to decode `record`, and that lives until the next call.
  private mutating func begin(_ record: Unmanaged<DocumentRecord>) -> Unmanaged<DecodingRun> {
    if run != nil, isKnownUniquelyReferenced(&run) {
      run?.replaceRecord(record)
    } else {
      run = DecodingRun(
        record.takeUnretainedValue(), decoder, database, isOfDocument: isOfDocuments)
    }
    guard let run else { preconditionFailure("a series without a run") }
    run.begin(containers)
    return .passUnretained(run)
  }

  private mutating func end(_ run: Unmanaged<DecodingRun>) {
    run._withUnsafeGuaranteedRef { $0.end() }
    if !containers.end() { containers = KeyedContainers() }
    if !isKnownUniquelyReferenced(&self.run) { self.run?.outlive() }
  }
}

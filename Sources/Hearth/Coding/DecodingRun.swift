import HearthDocumentEngine
import HearthDocumentModel
import HearthStorageFormat

/// The decoding of one document: its bytes, and the rules for reading them as Swift's types.
///
/// No path is kept while decoding. An error finds the path from the value's place.
final class DecodingRun {
  /// The record, which the decoding call keeps alive. It changes only between two decodings.
  @exclusivity(unchecked) private(set) var borrowedRecord: Unmanaged<DocumentRecord>
  /// The same record, retained if the run may live longer than the call.
  @exclusivity(unchecked) private var ownRecord: DocumentRecord?
  private let isOfDocument: Bool
  let decoder: DocumentDecoder
  let database: Database
  /// Whether a strategy converts the stored names.
  let convertsNames: Bool
  /// Path to the record's contents, if the record is only a part of a document.
  private let enclosing: [PlaceStep]?
  /// Containers for reuse, which the decoding call keeps alive; `nil` for parts of a document, and
  /// once the call has returned. A decoder that was kept can still be used after that.
  @exclusivity(unchecked) private var containers: Unmanaged<KeyedContainers>?
  /// The last two types that decode themselves, which are found without a search.
  @exclusivity(unchecked) private var ownTypes: (ObjectIdentifier?, ObjectIdentifier?) = (nil, nil)
  /// The first failure that no `init(from:)` may hide by catching it.
  var failure: (any Error)?

  init(
    _ record: DocumentRecord, _ decoder: DocumentDecoder, _ database: Database,
    isOfDocument: Bool = true, enclosing: [PlaceStep]? = nil
  ) {
    ownRecord = record
    borrowedRecord = .passUnretained(record)
    self.isOfDocument = isOfDocument
    self.decoder = decoder
    self.database = database
    self.enclosing = enclosing
    convertsNames = if case .useDefaultKeys = decoder.keyDecodingStrategy { false } else { true }
  }

  var record: DocumentRecord { borrowedRecord.takeUnretainedValue() }

  /// Path of the document, made at each call.
  private var path: ResourcePath { record.path }

  /// The place of the document that is decoded; `nil` for fields without a document.
  var documentPlace: DocumentPlace? { isOfDocument ? DocumentPlace(of: record, in: database) : nil }

  /// The document's id, which needs no whole path; `nil` for fields without a document.
  var documentID: String? {
    isOfDocument ? borrowedRecord._withUnsafeGuaranteedRef { $0.documentID } : nil
  }

  /// Shows another record, when the decoding of the last one has ended. The caller keeps it alive
  /// until it calls `replaceRecord` again, or `outlive`.
  func replaceRecord(_ record: Unmanaged<DocumentRecord>) {
    borrowedRecord = record
    if ownRecord != nil { ownRecord = nil }
    if failure != nil { failure = nil }
  }

  /// Keeps the record, for code that has kept the decoding.
  func outlive() { ownRecord = record }

  /// Begins the decoding with containers that stay alive until it ends.
  func begin(_ containers: KeyedContainers) { self.containers = .passUnretained(containers) }

  /// Ends the decoding: containers that are asked for later are new ones.
  func end() { containers = nil }

  // MARK: Types that decode themselves

  /// Whether `type` is one of the last types that were found to be none of Firestore's.
  @inline(__always)
  func isDecodedBySelf(_ type: Any.Type) -> Bool {
    ownTypes.0 == ObjectIdentifier(type) || ownTypes.1 == ObjectIdentifier(type)
  }

  /// Remembers a type that is none of Firestore's.
  func noteDecodedBySelf(_ type: Any.Type) { ownTypes = (ObjectIdentifier(type), ownTypes.0) }

  /// Decodes the value at `place` by the type's own `init(from:)`.
  func bySelf<T: Decodable>(_ type: T.Type, at place: Int, _ level: DecodingLevel) throws -> T {
    guard level.callCount < DocumentDecoder.callLimit else {
      throw corrupted(
        CodingMismatch(
          found: "\(DocumentDecoder.callLimit) calls of init(from:) inside of each other",
          wanted: "\(type)",
          sentence: "\(type) decodes itself without end."),
        at: place)
    }
    let keepsNames = convertsNames && type is any StringKeyedDictionary.Type
    let level = level.next(keepsNames: keepsNames)
    guard let containers else { return try T(from: RecordDecoder(self, place, level)) }
    let last = containers._withUnsafeGuaranteedRef { $0.lastLent }
    defer { containers._withUnsafeGuaranteedRef { $0.takeBack(downTo: last) } }
    return try T(from: RecordDecoder(self, place, level))
  }

  /// Returns a container for the map at `place`, which a type decodes by its keys.
  func container<Key: CodingKey>(
    keyedBy type: Key.Type, at place: Int, _ level: DecodingLevel
  ) throws -> KeyedDecodingContainer<Key> {
    let lent = containers?._withUnsafeGuaranteedRef { $0.lend(keyedBy: ObjectIdentifier(type)) }
    guard let container = lent ?? nil else {
      return try newContainer(keyedBy: type, at: place, level)
    }
    return try container._withUnsafeGuaranteedRef {
      try $0.fields.begin(self, mapAt: place, level)
      // The lookup by key type guarantees the container's type.
      return unsafeDowncast($0, to: ReusableContainerOf<KeyedDecodingContainer<Key>>.self)
        .lentContainer()
    }
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    keyedBy type: Key.Type, at place: Int, _ level: DecodingLevel
  ) throws -> KeyedDecodingContainer<Key> {
    let containers = containers?.takeUnretainedValue()
    let fields = KeyedFields(isReusable: containers?.isFull == false)
    try fields.begin(self, mapAt: place, level)
    let container = ReusableContainerOf.make(keyedBy: type, fields)
    let lent = container.lentContainer()
    if let containers { containers.lend(new: container) } else { KeptContainers.keep(container) }
    return lent
  }

  /// Runs `body`, and keeps the error that it throws: damage must not be mistaken for another type
  /// of value.
  @inline(__always)
  func read<Result>(
    _ body: (borrowing DocumentRecord) throws(CorruptBytes) -> Result
  ) throws -> Result {
    do {
      return try borrowedRecord._withUnsafeGuaranteedRef { try body($0) }
    } catch {
      failure = error
      throw error
    }
  }

  // MARK: Leaves

  @inline(__always)
  func isNull(_ place: Int) throws -> Bool {
    try read { (record) throws(CorruptBytes) in try record.isNull(at: place) }
  }

  @inline(__always)
  func boolean(_ place: Int) throws -> Bool {
    let value = try read { (record) throws(CorruptBytes) in try record.boolean(at: place) }
    guard let value else { throw mismatch(Bool.self, at: place) }
    return value
  }

  @inline(__always)
  func string(_ place: Int) throws -> String {
    let value = try read { (record) throws(CorruptBytes) in try record.string(at: place) }
    guard let value else { throw mismatch(String.self, at: place) }
    return value
  }

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ place: Int) throws -> Integer {
    let value = try read { (record) throws(CorruptBytes) in try record.integer(at: place) }
    guard let value else { return try wholeDouble(type, place) }
    guard let exact = Integer(exactly: value) else {
      throw unfit(type, "the integer \(value)", at: place)
    }
    return exact
  }

  private func wholeDouble<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ place: Int
  ) throws -> Integer {
    let value = try read { (record) throws(CorruptBytes) in try record.double(at: place) }
    guard let value else { throw mismatch(type, at: place) }
    guard let exact = Integer(exactly: value) else {
      throw unfit(type, "the double \(value)", at: place)
    }
    return exact
  }

  @inline(__always)
  func double(_ place: Int) throws -> Double {
    let value = try read { (record) throws(CorruptBytes) in try record.double(at: place) }
    return try value ?? wholeNumber(Double.self, place)
  }

  /// Decodes a float. A double is rounded, as in any conversion to `Float`.
  func float(_ place: Int) throws -> Float {
    let value = try read { (record) throws(CorruptBytes) in try record.double(at: place) }
    guard let value else { return try wholeNumber(Float.self, place) }
    let rounded = Float(value)
    guard rounded.isFinite || !value.isFinite else {
      throw unfit(Float.self, "the double \(value)", at: place)
    }
    return rounded
  }

  private func wholeNumber<Number: BinaryFloatingPoint>(
    _ type: Number.Type, _ place: Int
  ) throws -> Number {
    let value = try read { (record) throws(CorruptBytes) in try record.integer(at: place) }
    guard let value else { throw mismatch(type, at: place) }
    guard let exact = Number(exactly: value) else {
      throw unfit(type, "the integer \(value)", at: place)
    }
    return exact
  }

  /// Returns the elements of the vector at `place` as an array in a run of their own; `nil` for
  /// another type of value.
  func expanded(vectorAt place: Int) throws -> (run: DecodingRun, place: Int)? {
    let elements = try read { (record) throws(CorruptBytes) in try record.vector(at: place) }
    guard let elements else { return nil }
    let array = MapValue([("elements", .array(elements.map(Value.double)))])
    let part = try read { (record) throws(CorruptBytes) in
      try DocumentRecord(array, of: path, own: record.own)
    }
    let run = DecodingRun(part, decoder, database, enclosing: way(to: place))
    let map = try read { (record) throws(CorruptBytes) in try run.record.map(at: run.record.root) }
    return map.map { (run, $0.place(at: 0)) }
  }

  // MARK: Errors

  func way(to place: Int) -> [PlaceStep] {
    // Bytes that can't be walked were reported when they were read.
    let steps = (try? record.way(to: place)) ?? []
    return enclosing.map { $0 + steps.dropFirst() } ?? steps
  }

  func codingPath(to place: Int) -> [any CodingKey] { way(to: place).map(FieldKey.init) }

  func mismatch(_ type: Any.Type, at place: Int) -> any Error {
    let found: ValueTag
    do {
      found = try read { (record) throws(CorruptBytes) in try record.tag(at: place) }
    } catch {
      return error
    }
    let mismatch = CodingMismatch(found: found.description, wanted: "\(type)")
    let context = context(mismatch, at: place)
    return found == .null
      ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
  }

  func unfit(_ type: Any.Type, _ found: String, at place: Int) -> any Error {
    corrupted(
      CodingMismatch(
        found: found, wanted: "\(type)", sentence: "Found \(found), which \(type) can't hold."),
      at: place)
  }

  func corrupted(_ mismatch: CodingMismatch, at place: Int) -> any Error {
    DecodingError.dataCorrupted(context(mismatch, at: place))
  }

  func missing(_ key: any CodingKey, _ type: Any.Type, inMapAt place: Int) -> any Error {
    let mismatch = CodingMismatch(found: "no such field", wanted: "\(type)")
    return DecodingError.keyNotFound(key, context(mismatch, at: place))
  }

  private func context(_ mismatch: CodingMismatch, at place: Int) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: codingPath(to: place), debugDescription: mismatch.description,
      underlyingError: mismatch)
  }

  /// Returns the error of a call that decoded `type`.
  func databaseError(_ error: any Error, decoding type: Any.Type) -> DatabaseError {
    if error is CorruptBytes {
      return DatabaseError(reporting: error)
    }
    return DatabaseError(
      coding: error, subject: "Document \"\(path)\" doesn't decode as \(type).",
      document: path.description)
  }
}

extension ValueTag {
  var description: String {
    switch self {
    case .null: "null"
    case .false, .true: "a boolean"
    case .integer: "an integer"
    case .double: "a double"
    case .timestamp: "a timestamp"
    case .string: "a string"
    case .bytes: "bytes"
    case .reference, .foreignReference: "a reference"
    case .geoPoint: "a geo point"
    case .array: "an array"
    case .vector: "a vector"
    case .map: "a map"
    }
  }
}

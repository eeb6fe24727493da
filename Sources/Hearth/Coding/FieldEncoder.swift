import HearthDocumentModel
import HearthStorageFormat

/// The encoder that a type's `encode(to:)` receives. It builds one value of a document.
final class FieldEncoder {
  /// Content encoded so far.
  private enum Content {
    case nothing
    /// No field, or a field that a write sets by other means than a value.
    case leftOut
    case value(Value)
    case map
    case array
  }

  /// Maximum number of nested `encode(to:)` calls.
  private static let callLimit = 160

  private let run: EncodingRun
  private let parent: FieldEncoder?
  /// Step from the parent's value to this one; `nil` if they are the same value.
  private let step: PlaceStep?
  /// Number of arrays and maps around this value, without the document itself.
  private let depth: Int
  private let callCount: Int
  /// Whether the names are those of a dictionary, which no strategy converts.
  private let keepsNames: Bool

  private var content = Content.nothing
  private var fields: [MapValue.Field] = []
  private var elements: [Value] = []
  /// Fields and elements with an encoder of their own, which is complete only at the end.
  private var deferred: [(index: Int, encoder: FieldEncoder)] = []

  private init(_ run: EncodingRun, keepsNames: Bool) {
    self.run = run
    self.keepsNames = keepsNames
    parent = nil
    step = nil
    depth = 0
    callCount = 0
  }

  private init(_ parent: FieldEncoder, _ step: PlaceStep?, keepsNames: Bool = false) {
    run = parent.run
    self.parent = parent
    self.step = step
    self.keepsNames = keepsNames
    depth = step == nil ? parent.depth : parent.depth + 1
    callCount = parent.callCount + 1
  }

  /// Returns `value` as a document's field would hold it.
  ///
  /// - Throws: the errors of encoding; an error for a value that is no value, such as a server
  ///   timestamp.
  static func encode<T: Encodable>(_ value: T, _ encoder: DocumentEncoder) throws -> Value {
    let (encoded, changes) = try encodeWithChanges(value, encoder)
    guard let encoded, changes.isEmpty else {
      let names = changes.first?.path ?? []
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: names.map(FieldKey.init(stringValue:)),
          debugDescription: "Only a write can hold what is to change a field."))
    }
    return encoded
  }

  /// Returns `value` as a document's field would hold it, without changes of fields, such as server
  /// timestamps; and these changes.
  static func encodeWithChanges<T: Encodable>(
    _ value: T, _ encoder: DocumentEncoder
  ) throws -> (value: Value?, changes: [EncodedChange]) {
    let run = EncodingRun(encoder)
    let root = FieldEncoder(run, keepsNames: value is any StringKeyedDictionary)
    if let known = try Value(known: value) {
      root.setValue(known)
    } else {
      try value.encode(to: root)
    }
    return (try root.finish(), run.changes)
  }

  // MARK: Building

  /// Returns the value, once all is encoded; `nil` if it was left out.
  private func finish() throws -> Value? {
    if let failure = run.failure { throw failure }
    // In reverse, so that the indexes of the earlier ones stay right.
    for (index, encoder) in deferred.reversed() {
      let value = try encoder.finish()
      switch (content, value) {
      case (.map, let value?): fields[index].value = value
      case (.map, nil): fields.remove(at: index)
      case (_, let value?): elements[index] = value
      case (_, nil): throw encoder.refusalOfElement()
      }
    }
    switch content {
    case .nothing: return .map(MapValue())
    case .leftOut: return nil
    case .value(let value): return value
    case .map: return .map(MapValue(unsorted: fields))
    case .array:
      for (index, element) in elements.enumerated() {
        guard case .array = element else { continue }
        throw refusal(elements, .element(index), "Nested arrays are not allowed")
      }
      return .array(elements)
    }
  }

  /// Leaves the value out of the document.
  func leaveOut() {
    guard case .nothing = content else { return fail(self, "More than one value is encoded.") }
    content = .leftOut
  }

  /// Sets the change that a write makes to the field instead of giving it a value.
  func setChange(_ change: FieldValue) {
    leaveOut()
    var path: [String] = []
    for encoder in sequence(first: self, next: \.parent) {
      switch encoder.step {
      case .field(let name): path.append(name)
      case .element:
        return fail(self, "An array holds values, and no changes of fields.")
      case nil: break
      }
    }
    path.reverse()
    run.changes.append(EncodedChange(path: path, change: change))
  }

  func setValue(_ value: Value) {
    guard case .nothing = content else { return fail(value, "More than one value is encoded.") }
    content = .value(value)
  }

  func beginMap() {
    switch content {
    case .nothing:
      content = .map
      checkDepth()
    case .map: break
    case .value, .leftOut, .array: fail(self, "More than one value is encoded.")
    }
  }

  func beginArray() {
    switch content {
    case .nothing:
      content = .array
      checkDepth()
    case .array: break
    case .value, .leftOut, .map: fail(self, "More than one value is encoded.")
    }
  }

  private func checkDepth() {
    guard depth > Limits.nestingDepth else { return }
    fail(self, "Arrays and maps lie more than \(Limits.nestingDepth) deep inside each other.")
  }

  var elementCount: Int { elements.count }
  var nextStep: PlaceStep { .element(elements.count) }

  /// Returns the name of the field for a key.
  func name(of key: some CodingKey) -> String {
    switch run.encoder.keyEncodingStrategy {
    case .useDefaultKeys: key.stringValue
    case _ where keepsNames: key.stringValue
    case .convertToSnakeCase: key.stringValue.snakeCased
    case .custom(let convert): convert(codingPath + [key]).stringValue
    }
  }

  var encodesNil: Bool {
    if case .null = run.encoder.nilEncodingStrategy { true } else { false }
  }

  func append(_ value: Value, named name: String) { fields.append((name, value)) }
  func append(_ value: Value) { elements.append(value) }

  /// Appends the encoded `value` as an element.
  func appendElement<T: Encodable>(_ value: T) throws {
    guard let encoded = try self.value(value, nextStep) else {
      throw refusal(value, nextStep, FieldEncoder.elementSentence)
    }
    append(encoded)
  }

  private static let elementSentence = "An element of an array can't be left out."

  private func refusalOfElement() -> any Error {
    refusal(self, nil, FieldEncoder.elementSentence)
  }

  /// Encodes `value` as this encoder's own value.
  func setEncoded<T: Encodable>(_ value: T) throws {
    guard let encoded = try self.value(value, nil) else { return leaveOut() }
    setValue(encoded)
  }

  /// Returns the encoded `value`, one step below this encoder's value, or in its place without a
  /// step; `nil` if it is left out.
  private func value<T: Encodable>(_ value: T, _ step: PlaceStep?) throws -> Value? {
    do {
      if let known = try Value(known: value) { return known }
    } catch let error as CodingMismatch {
      throw refusal(value, step, error.description, error)
    }
    if let failure = run.failure { throw failure }
    guard callCount < FieldEncoder.callLimit else {
      throw refusal(value, step, "\(T.self) encodes itself without end.")
    }
    let keepsNames = run.convertsNames && value is any StringKeyedDictionary
    let encoder = FieldEncoder(self, step, keepsNames: keepsNames)
    try value.encode(to: encoder)
    return try encoder.finish()
  }

  /// Appends a field with the encoded `value`, unless the value is left out.
  func appendField<T: Encodable>(_ value: T, named name: String) throws {
    if let encoded = try self.value(value, .field(name)) { append(encoded, named: name) }
  }

  func exact(_ integer: some FixedWidthInteger, _ step: PlaceStep?) throws -> Value {
    do {
      return try Value(exactly: integer)
    } catch let error as CodingMismatch {
      throw refusal(integer, step, error.description, error)
    }
  }

  /// Returns an encoder for a field or element whose value is complete only at the end.
  func deferring(_ step: PlaceStep) -> FieldEncoder {
    let encoder = FieldEncoder(self, step)
    switch step {
    case .field(let name):
      deferred.append((fields.count, encoder))
      append(.null, named: name)
    case .element:
      deferred.append((elements.count, encoder))
      append(.null)
    }
    return encoder
  }

  // MARK: Errors

  private func fail(_ value: Any, _ sentence: String) {
    // This call can't throw; the next call that can throws the error.
    if run.failure == nil { run.failure = refusal(value, nil, sentence) }
  }

  private func refusal(
    _ value: Any, _ step: PlaceStep?, _ sentence: String, _ mismatch: CodingMismatch? = nil
  ) -> any Error {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath + (step.map { [FieldKey($0)] } ?? []),
        debugDescription: sentence, underlyingError: mismatch))
  }
}

/// The encoding of one document.
private final class EncodingRun {
  let encoder: DocumentEncoder
  /// Whether a strategy converts the names of the properties.
  let convertsNames: Bool
  /// Changes that the write makes to fields without a value.
  var changes: [EncodedChange] = []
  /// The first failure in a call that can't throw.
  var failure: (any Error)?

  init(_ encoder: DocumentEncoder) {
    self.encoder = encoder
    convertsNames = if case .useDefaultKeys = encoder.keyEncodingStrategy { false } else { true }
  }
}

extension MapValue {
  /// Creates a map from the fields that a type encoded. If several have the same name, the last one
  /// wins.
  fileprivate init(unsorted fields: [Field]) {
    let isSorted = zip(fields, fields.dropFirst()).allSatisfy {
      $0.name.utf8Compare($1.name) == .less
    }
    if isSorted {
      self.init(sorted: fields)
    } else {
      self.init(fields.lazy.map { ($0.name, $0.value) })
    }
  }
}

extension FieldEncoder: DocumentValueEncoder {
  var codingPath: [any CodingKey] {
    (parent?.codingPath ?? []) + (step.map { [FieldKey($0)] } ?? [])
  }

  var userInfo: [CodingUserInfoKey: Any] { run.encoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    beginMap()
    return KeyedEncodingContainer(FieldKeyedContainer<Key>(self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    beginArray()
    return FieldUnkeyedContainer(self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

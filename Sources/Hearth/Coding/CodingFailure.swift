import HearthDocumentModel
import HearthStorageFormat

/// A mismatch between a type and a document. It is in the details of the `invalidArgument` that
/// decoding and encoding throw.
public struct CodingFailure: DatabaseError.Details, Equatable {
  /// The document, if it is known.
  public let document: String?
  /// The field, such as `address.city` or `tags[2]`; `nil` for the document as a whole.
  public let field: String?
  /// Kind of value found, such as `a string`.
  public let found: String?
  /// Type that was wanted, such as `Int`.
  public let wanted: String?
}

extension DatabaseError {
  /// The mismatch between a document and a `Codable` type; `nil` for other errors.
  public var codingFailure: CodingFailure? { details as? CodingFailure }
}

/// The two sides of a mismatch. They travel inside a `DecodingError` up to the call that started
/// the decoding.
struct CodingMismatch: Error, CustomStringConvertible {
  let found: String
  let wanted: String
  /// A sentence that replaces the plain one.
  var sentence: String?

  var description: String { sentence ?? "Found \(found), wanted \(wanted)." }
}

extension DatabaseError {
  /// - Parameter subject: the beginning of the message, such as `Document "a/b" doesn't decode as
  ///   Task.`
  init(coding error: any Error, subject: String, document: String?) {
    switch error {
    case let error as DatabaseError: self = error
    case let error as DecodingError:
      let (path, context) = error.place
      self.init(subject, path, context.debugDescription, context.underlyingError, error, document)
    case EncodingError.invalidValue(_, let context):
      self.init(
        subject, context.codingPath, context.debugDescription, context.underlyingError, error,
        document)
    default: self.init(subject, [], "\(error)", nil, error, document)
    }
  }

  private init(
    _ subject: String, _ path: [any CodingKey], _ sentence: String, _ underlying: (any Error)?,
    _ cause: any Error, _ document: String?
  ) {
    let field = path.isEmpty ? nil : path.fieldText
    let mismatch = underlying as? CodingMismatch
    let place = field.map { "Field \"\($0)\": " } ?? ""
    self.init(
      .invalidArgument, "\(subject) \(place)\(sentence)",
      details: CodingFailure(
        document: document, field: field, found: mismatch?.found, wanted: mismatch?.wanted),
      cause: cause)
  }
}

extension DecodingError {
  fileprivate var place: (path: [any CodingKey], context: Context) {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      (context.codingPath, context)
    case .keyNotFound(let key, let context):
      // The field's name, even if the key also has a number.
      (context.codingPath + [FieldKey(stringValue: key.stringValue)], context)
    @unknown default:
      ([], Context(codingPath: [], debugDescription: "\(self)"))
    }
  }
}

/// A field or an element on the path to a value.
struct FieldKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  init(_ step: PlaceStep) {
    switch step {
    case .field(let name): self.init(stringValue: name)
    case .element(let index): self.init(intValue: index)
    }
  }
}

extension [any CodingKey] {
  /// Text of the path, such as `address.city` or `tags[2].name`, with names in backticks if they
  /// need them.
  fileprivate var fieldText: String {
    var text = ""
    for key in self {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        if !text.isEmpty { text += "." }
        text += FieldPath(unchecked: [key.stringValue]).description
      }
    }
    return text
  }
}

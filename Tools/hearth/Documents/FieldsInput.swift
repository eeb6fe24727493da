import ArgumentParser
import HearthFirestoreJSON
import Hearth

/// The fields of a document, given on the command line or by standard input.
struct FieldsInput {
  /// The text, or `-` for standard input.
  let argument: String
  /// Whether the text is the JSON of Firestore's REST interface.
  let isTyped: Bool

  /// - Throws: ``InputError`` or ``ToolFailure`` for a text that is no JSON object.
  func fields() throws -> MapValue {
    let bytes = try bytes()
    return try ToolFailure.reading("The JSON") {
      isTyped ? try TypedJSON.fields(from: bytes) : try PlainJSON.fields(from: bytes)
    }
  }

  private func bytes() throws(InputError) -> [UInt8] {
    guard argument.utf8Equal("-") else { return Array(argument.utf8) }
    return try InputFile(path: "-").bytes()
  }
}

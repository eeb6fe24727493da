/// An error of encoding with another encoder than ``Firestore/Encoder``.
public enum FirestoreEncodingError: Error, Sendable, Hashable {
  /// Only a document can hold the value to encode; the text names its type.
  case encodingIsNotSupported(String)
}

/// An error of decoding with another decoder than ``Firestore/Decoder``.
public enum FirestoreDecodingError: Error, Sendable, Hashable {
  /// Only a document can hold the value to decode; the text names its type.
  case decodingIsNotSupported(String)
  /// This error is never thrown: if a document has a field with the name of a ``DocumentID``, the
  /// field is ignored.
  case fieldNameConflict(String)
}

extension Encoder {
  /// Checks that this is the encoder of a document.
  ///
  /// - Throws: ``FirestoreEncodingError`` if it isn't.
  func requireDocument(for name: String) throws {
    guard !makesDocument else { return }
    throw FirestoreEncodingError.encodingIsNotSupported(
      "Only a document holds a \(name): it is encoded by Firestore.Encoder.")
  }
}

extension Decoder {
  /// Checks that this is the decoder of a document.
  ///
  /// - Throws: ``FirestoreDecodingError`` if it isn't.
  func requireDocument(for name: String) throws {
    guard !readsDocument else { return }
    throw FirestoreDecodingError.decodingIsNotSupported(
      "Only a document holds a \(name): it is decoded by Firestore.Decoder.")
  }
}

/// An error of encoding by another encoder than ``Firestore/Encoder``.
public enum FirestoreEncodingError: Error, Sendable, Hashable {
  /// Only a document holds what is to be encoded; the text says what.
  case encodingIsNotSupported(String)
}

/// An error of decoding by another decoder than ``Firestore/Decoder``.
public enum FirestoreDecodingError: Error, Sendable, Hashable {
  /// Only a document holds what is to be decoded; the text says what.
  case decodingIsNotSupported(String)
  /// Never: where a document has a field that is named as a ``DocumentID``, the field is passed
  /// over.
  case fieldNameConflict(String)
}

extension Encoder {
  /// - Throws: ``FirestoreEncodingError`` if this isn't the encoder of a document.
  func requireDocument(for name: String) throws {
    guard !makesDocument else { return }
    throw FirestoreEncodingError.encodingIsNotSupported(
      "Only a document holds a \(name): it is encoded by Firestore.Encoder.")
  }
}

extension Decoder {
  /// - Throws: ``FirestoreDecodingError`` if this isn't the decoder of a document.
  func requireDocument(for name: String) throws {
    guard !readsDocument else { return }
    throw FirestoreDecodingError.decodingIsNotSupported(
      "Only a document holds a \(name): it is decoded by Firestore.Decoder.")
  }
}

import HearthStorageFormat

/// A type with a value for a missing field.
package protocol DecodableFromNothing {
  static var nothing: Self { get }
}

extension Optional: DecodableFromNothing {
  package static var nothing: Wrapped? { nil }
}

/// A type that decodes from the place of the document, without a field.
package protocol DecodableFromPath {
  init(_ place: DocumentPlace) throws
}

/// The place of the document that is decoded. Its parts are made when they are asked for.
package struct DocumentPlace {
  private let record: DocumentRecord
  private let database: Database

  init(of record: DocumentRecord, in database: Database) {
    (self.record, self.database) = (record, database)
  }

  package var documentID: String { record.documentID }
  package var reference: DocumentReference {
    DocumentReference(unchecked: record.path, in: database)
  }
}

import Foundation
import Hearth
public import OpenCombine

// The calls with completion handlers as futures, which begin at once. The futures' overloads are
// disfavored, so that a statement whose result is dropped still means the call without a future.

extension Future where Failure == any Error {
  /// Returns the future of a call that completes with a result or an error.
  fileprivate static func of(
    _ call: @escaping (@escaping (Output?, (any Error)?) -> Void) throws -> Void
  ) -> Future {
    Future { promise in
      do {
        try call { output, error in
          if let error {
            promise(.failure(error))
          } else if let output {
            promise(.success(output))
          }
        }
      } catch {
        promise(.failure(error))
      }
    }
  }
}

extension Future where Output == Void, Failure == any Error {
  /// Returns the future of a call that completes with or without an error.
  fileprivate static func of(
    _ call: @escaping (@escaping ((any Error)?) -> Void) throws -> Void
  ) -> Future {
    .of { completion in try call { completion((), $0) } }
  }
}

// MARK: - Documents

extension DocumentReference {
  /// Publishes the document as it is now.
  @_disfavoredOverload
  public func getDocument(
    source: FirestoreSource = .default
  ) -> Future<DocumentSnapshot, any Error> {
    .of { self.getDocument(source: source, completion: $0) }
  }

  /// Creates the document or replaces it.
  @_disfavoredOverload
  public func setData(_ documentData: [String: Any]) -> Future<Void, any Error> {
    .of { self.setData(documentData, completion: $0) }
  }

  /// Merges data into the document, or creates it.
  @_disfavoredOverload
  public func setData(_ documentData: [String: Any], merge: Bool) -> Future<Void, any Error> {
    .of { self.setData(documentData, merge: merge, completion: $0) }
  }

  /// Replaces these fields of the document, or creates it.
  @_disfavoredOverload
  public func setData(
    _ documentData: [String: Any], mergeFields: [Any]
  ) -> Future<Void, any Error> {
    .of { self.setData(documentData, mergeFields: mergeFields, completion: $0) }
  }

  /// Replaces the document by `value`, or creates it.
  @_disfavoredOverload
  public func setData<T: Encodable>(
    from value: T, encoder: Firestore.Encoder = Firestore.Encoder()
  ) -> Future<Void, any Error> {
    .of { try self.setData(from: value, encoder: encoder, completion: $0) }
  }

  /// Merges `value` into the document, or creates it.
  @_disfavoredOverload
  public func setData<T: Encodable>(
    from value: T, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder()
  ) -> Future<Void, any Error> {
    .of { try self.setData(from: value, merge: merge, encoder: encoder, completion: $0) }
  }

  /// Replaces these fields by those of `value`, or creates the document.
  @_disfavoredOverload
  public func setData<T: Encodable>(
    from value: T, mergeFields: [Any], encoder: Firestore.Encoder = Firestore.Encoder()
  ) -> Future<Void, any Error> {
    .of {
      try self.setData(from: value, mergeFields: mergeFields, encoder: encoder, completion: $0)
    }
  }

  /// Changes single fields of an existing document.
  @_disfavoredOverload
  public func updateData(_ documentData: [AnyHashable: Any]) -> Future<Void, any Error> {
    .of { self.updateData(documentData, completion: $0) }
  }

  /// Deletes the document, if there is one.
  @_disfavoredOverload
  public func delete() -> Future<Void, any Error> {
    .of { self.delete(completion: $0) }
  }
}

// MARK: - Collections and queries

extension CollectionReference {
  /// Creates a document with a new id, and publishes its reference.
  @_disfavoredOverload
  public func addDocument(data: [String: Any]) -> AnyPublisher<DocumentReference, any Error> {
    let document = document()
    return document.setData(data).map { document }.eraseToAnyPublisher()
  }

  /// Creates a document with a new id from `value`, and publishes its reference.
  @_disfavoredOverload
  public func addDocument<T: Encodable>(
    from value: T, encoder: Firestore.Encoder = Firestore.Encoder()
  ) -> AnyPublisher<DocumentReference, any Error> {
    let document = document()
    return document.setData(from: value, encoder: encoder).map { document }.eraseToAnyPublisher()
  }
}

extension Query {
  /// Publishes the results as they are now.
  @_disfavoredOverload
  public func getDocuments(
    source: FirestoreSource = .default
  ) -> Future<QuerySnapshot, any Error> {
    .of { self.getDocuments(source: source, completion: $0) }
  }
}

// MARK: - Batches and transactions

extension WriteBatch {
  /// Applies the writes in order, all of them or none.
  @_disfavoredOverload
  public func commit() -> Future<Void, any Error> {
    .of { self.commit(completion: $0) }
  }
}

extension Firestore {
  /// Runs a closure as one serialisable transaction, and publishes the result of its last run. An
  /// error that the closure throws ends the transaction without writes.
  @_disfavoredOverload
  public func runTransaction<T>(
    _ updateBlock: @escaping (Transaction) throws -> T
  ) -> Future<T, any Error> {
    Future { promise in
      self.runTransaction(
        { transaction, errorPointer in
          do {
            return try updateBlock(transaction)
          } catch {
            errorPointer?.pointee = error as NSError
            return nil
          }
        },
        completion: { value, error in
          // The error comes first: if T is optional, the missing value can be cast to it.
          if let error {
            promise(.failure(error))
          } else if let value = value as? T {
            promise(.success(value))
          } else {
            promise(.failure(DatabaseError(.internal, "A transaction came without its value.")))
          }
        })
    }
  }
}

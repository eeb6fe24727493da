import Hearth
import HearthDocumentModel
import HearthServerCalls
import SwiftProtobuf

extension ServiceMethod {
  /// The method of queries that is tried once more when the index that the query lacks has been
  /// created.
  ///
  /// - Parameters:
  ///   - creation: creates indexes; `nil` for refusing the query.
  ///   - query: returns the query of a request; `nil` for one that isn't to be run.
  func retried<Request: Message>(
    by creation: IndexCreation?,
    _ query: @escaping @Sendable (Request) throws -> RequestedQuery?
  ) -> ServiceMethod {
    guard let creation else { return self }
    return ServiceMethod(
      requestType: requestType, responseType: responseType, streams: streams
    ) { bytes, context, send in
      do {
        try await answer(bytes, context, send)
      } catch let error as DatabaseError where error.missingIndex != nil {
        // A query is refused before it answers anything.
        let request = try Request(serializedBytes: bytes)
        guard let query = try query(request), let refusal = Refusal(query, error),
          await creation.create(for: refusal, context)
        else {
          throw error
        }
        try await answer(bytes, context, send)
      }
    }
  }
}

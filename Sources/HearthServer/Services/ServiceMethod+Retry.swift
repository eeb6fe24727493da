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
  ///   - request: the type of the method's requests.
  func retried<Request: QueryRequest & Message>(
    by creation: IndexCreation?, _ request: Request.Type
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
        guard let query = try request.requestedQuery(), let refusal = Refusal(query, error),
          await creation.create(for: refusal, context)
        else {
          throw error
        }
        try await answer(bytes, context, send)
      }
    }
  }
}

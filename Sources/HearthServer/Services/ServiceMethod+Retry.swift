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
  ///   - parent: returns the name of the query's parent; `nil` for a query that isn't to be run.
  func retried<Request: Message>(
    by creation: IndexCreation?, _ parent: @escaping @Sendable (Request) -> String?
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
        guard let parent = parent(request),
          await creation.create(for: error, below: parent, context)
        else {
          throw error
        }
        try await answer(bytes, context, send)
      }
    }
  }
}

import HearthServerCalls

extension FirestoreService {
  /// The methods whose clients send any number of messages, by their names. REST has none of them.
  ///
  /// - Parameter creation: creates the indexes that queries lack; `nil` for refusing the queries.
  static func streams(
    _ calls: DocumentCalls, _ creation: IndexCreation?
  ) -> [String: StreamMethod] {
    [
      "Listen": StreamMethod { receive, context, send in
        try await calls.listen(receive, context, creating: creation, send: send)
      },
      "Write": StreamMethod(calls.write),
    ]
  }
}

import Hearth
package import HearthDocumentModel
import HearthFirestoreJSON
package import HearthServerCalls

/// A call that has ended, as the log of calls keeps it: about 17 KiB at most.
package struct RecordedCall: Sendable {
  /// The largest request that is kept, in bytes.
  private static let requestLimit = 8 << 10
  /// The longest text that is kept of an error or a subject, in characters.
  private static let textLimit = 2 << 10

  /// The number of the call among all that the server has answered.
  package let number: Int
  /// The time of its end, in milliseconds since 1970.
  let time: Int64
  /// The name of the method, such as `RunQuery`.
  let method: String
  /// The time that it took; `nil` for a listener that has ended.
  let duration: Duration?
  /// The name of the code of its status, such as `OK`.
  let code: String
  /// The text of the error that it ended with; `nil` for none.
  let message: String?
  /// Whether it is a query that lacks an index.
  let isRefusal: Bool
  /// The work of its queries; `nil` for a call without one.
  let work: CallWork.Sums?
  /// Number of messages that it answered with.
  let answerCount: Int
  /// The message of the client and the name of its type; `nil` for a stream and for a message of
  /// more than 8 KiB.
  package let request: (type: String, bytes: [UInt8])?
  /// The query of a listener that has ended, with its database; `nil` for another call.
  let listener: (query: String, database: DatabaseID)?

  init(_ end: CallEnd, number: Int, time: Int64) {
    self.number = number
    self.time = time
    (method, duration) = (end.method, end.duration)
    code = end.error?.code.name ?? "OK"
    message = end.error.map { String($0.forClient.message.prefix(RecordedCall.textLimit)) }
    isRefusal = end.isRefusal
    (work, answerCount) = (end.work, end.answerCount)
    listener = end.query.map { query in
      let text = QueryText.text(of: query.query, in: query.database)
      return (String(text.prefix(RecordedCall.textLimit)), query.database)
    }
    request = (end.request?.bytes.count ?? .max) <= RecordedCall.requestLimit ? end.request : nil
  }
}

/// The end of a call, or of a listener by an error.
package struct CallEnd: Sendable {
  let method: String
  let duration: Duration?
  let error: DatabaseError?
  let work: CallWork.Sums?
  let answerCount: Int
  let request: (type: String, bytes: [UInt8])?
  /// The query of a listener; `nil` for another call.
  let query: RequestedQuery?

  package init(
    method: String, duration: Duration?, error: DatabaseError?, work: CallWork.Sums? = nil,
    answerCount: Int = 0, request: (type: String, bytes: [UInt8])? = nil,
    query: RequestedQuery? = nil
  ) {
    (self.method, self.duration, self.error) = (method, duration, error)
    (self.work, self.answerCount, self.request) = (work, answerCount, request)
    self.query = query
  }

  /// Whether it is a query that lacks an index.
  var isRefusal: Bool { error?.missingIndex != nil }
}

package import HearthDocumentModel
package import HearthServerCalls

/// A call that has ended, as the log of calls keeps it.
package struct RecordedCall: Sendable {
  /// The largest request that is kept, in bytes.
  private static let requestLimit = 8 << 10

  /// The number of the call among all that the server has answered.
  package let number: Int
  /// The time of its end, in milliseconds since 1970.
  let time: Int64
  /// The name of the method, such as `RunQuery`.
  let method: String
  let duration: Duration
  /// The error that it ended with; `nil` for none.
  let error: DatabaseError?
  /// The work of its queries; `nil` for a call without one.
  let work: CallWork.Sums?
  /// Number of messages that it answered with.
  let answerCount: Int
  /// The message of the client and the name of its type; `nil` for a stream and for a message of
  /// more than 8 KiB.
  package let request: (type: String, bytes: [UInt8])?
  /// The query of a listener that has ended; `nil` for another call.
  let query: RequestedQuery?

  init(_ end: CallEnd, number: Int, time: Int64) {
    self.number = number
    self.time = time
    (method, duration, error) = (end.method, end.duration, end.error)
    (work, answerCount) = (end.work, end.answerCount)
    query = end.query
    request = (end.request?.bytes.count ?? .max) <= RecordedCall.requestLimit ? end.request : nil
  }
}

/// The end of a call, or of a listener by an error.
package struct CallEnd: Sendable {
  let method: String
  let duration: Duration
  let error: DatabaseError?
  let work: CallWork.Sums?
  let answerCount: Int
  let request: (type: String, bytes: [UInt8])?
  let query: RequestedQuery?

  package init(
    method: String, duration: Duration, error: DatabaseError?, work: CallWork.Sums? = nil,
    answerCount: Int = 0, request: (type: String, bytes: [UInt8])? = nil,
    query: RequestedQuery? = nil
  ) {
    (self.method, self.duration, self.error) = (method, duration, error)
    (self.work, self.answerCount, self.request) = (work, answerCount, request)
    self.query = query
  }
}

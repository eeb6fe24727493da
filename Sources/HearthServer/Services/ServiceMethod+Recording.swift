import HearthDocumentModel
import HearthServerCalls

extension ServiceMethod {
  /// Returns the method whose calls are written to a log.
  func recorded(as name: String, in log: CallLog) -> ServiceMethod {
    ServiceMethod(requestType: requestType, responseType: responseType, streams: streams) {
      [self] bytes, context, send in
      guard context.isRecorded else { return try await answer(bytes, context, send) }
      let record = CallRecord(of: name, in: log, request: (requestType, bytes))
      var context = context
      context.work = record.work
      do {
        try await answer(bytes, context) { try await send(record.counting($0)) }
      } catch {
        throw record.end(by: error)
      }
      record.end()
    }
  }
}

extension StreamMethod {
  /// Returns the method whose streams are written to a log when they end, and its listeners when
  /// they end by an error.
  func recorded(as name: String, in log: CallLog) -> StreamMethod {
    StreamMethod(requestType: requestType, responseType: responseType) {
      [self] receive, context, send in
      let record = CallRecord(of: name, in: log)
      var context = context
      context.noteListenerEnd = { error, query in
        log.note(CallEnd(method: name, duration: nil, error: error, query: query))
      }
      do {
        try await answer(receive, context) { try await send(record.counting($0)) }
      } catch {
        throw record.end(by: error)
      }
      record.end()
    }
  }
}

/// The record of a call that goes on.
private final class CallRecord {
  let work = CallWork()
  private let method: String
  private let log: CallLog
  private let request: (type: String, bytes: [UInt8])?
  private let begun = ContinuousClock.now
  private var answerCount = 0

  init(of method: String, in log: CallLog, request: (type: String, bytes: [UInt8])? = nil) {
    (self.method, self.log, self.request) = (method, log, request)
  }

  /// Returns an answer, which it counts.
  func counting(_ answer: [UInt8]) -> [UInt8] {
    answerCount += 1
    return answer
  }

  /// Writes the end of the call by an error, which it returns.
  func end(by error: any Error) -> any Error {
    end(DatabaseError(ending: error))
    return error
  }

  func end(_ error: DatabaseError? = nil) {
    log.note(
      CallEnd(
        method: method, duration: .now - begun, error: error, work: work.sums,
        answerCount: answerCount, request: request))
  }
}

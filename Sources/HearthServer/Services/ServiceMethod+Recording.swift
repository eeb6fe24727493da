import HearthDocumentModel
import HearthServerCalls

extension ServiceMethod {
  /// Returns the method whose calls are written to a log.
  func recorded(as name: String, in log: CallLog) -> ServiceMethod {
    ServiceMethod(requestType: requestType, responseType: responseType, streams: streams) {
      [self] bytes, context, send in
      guard context.isRecorded else { return try await answer(bytes, context, send) }
      let begun = ContinuousClock.now
      let work = CallWork()
      var (context, count) = (context, 0)
      context.work = work
      func end(_ error: DatabaseError?) {
        log.note(
          CallEnd(
            method: name, duration: .now - begun, error: error, work: work.sums,
            answerCount: count, request: (requestType, bytes)))
      }
      do {
        try await answer(bytes, context) { message in
          count += 1
          try await send(message)
        }
        end(nil)
      } catch {
        end(DatabaseError(ending: error))
        throw error
      }
    }
  }
}

extension StreamMethod {
  /// Returns the method whose streams are written to a log when they end, and its listeners when
  /// they end by an error.
  func recorded(as name: String, in log: CallLog) -> StreamMethod {
    StreamMethod(requestType: requestType, responseType: responseType) {
      [self] receive, context, send in
      let begun = ContinuousClock.now
      var (context, count) = (context, 0)
      context.noteListenerEnd = { error, query in
        log.note(CallEnd(method: name, duration: nil, error: error, query: query))
      }
      func end(_ error: DatabaseError?) {
        log.note(
          CallEnd(method: name, duration: .now - begun, error: error, answerCount: count))
      }
      do {
        try await answer(receive, context) { message in
          count += 1
          try await send(message)
        }
        end(nil)
      } catch {
        end(DatabaseError(ending: error))
        throw error
      }
    }
  }
}

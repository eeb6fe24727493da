import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerCalls
import HearthServerTransport

/// The addresses that emulators have beside Firestore's own (W§9.1).
struct EmulatorService: Sendable {
  private static let prefix = "/emulator"

  private let calls: DocumentCalls
  private let upload: RulesUpload

  init(_ calls: DocumentCalls, _ rules: ServedRules) {
    self.calls = calls
    upload = RulesUpload(rules)
  }

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address that nothing answers.
  func answer(_ request: HTTPRequest) async -> HTTPResponse? {
    guard request.target.hasPrefix(EmulatorService.prefix) else { return nil }
    let address = String(request.target.dropFirst(EmulatorService.prefix.count))
    if let answer = upload.answer(request, at: address) { return answer }
    guard request.method == "DELETE", let target = RESTTarget(address, takesVerb: false) else {
      return nil
    }
    do throws(DatabaseError) {
      let path = target.path.joined(separator: "/")
      try await calls.clear(path, of: target.database, CallContext())
      return RESTService.response(200, .object([]))
    } catch {
      return RESTService.refusal(error, streams: false)
    }
  }
}

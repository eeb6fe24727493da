import HearthServerTransport

/// The refusal of a request on a channel. Its status ends the channel at the client, which opens
/// another one.
enum ChannelRefusal: Error {
  /// A request that means nothing.
  case badRequest(_ reason: String)
  /// A channel that isn't there, or no more.
  case unknownSession
  /// A channel is to be opened without the token that the server asks for.
  case missingToken
  /// The server holds as much as it may.
  case tooMuch(_ reason: String)

  private var status: Int {
    switch self {
    case .badRequest, .unknownSession: 400
    case .missingToken: 401
    case .tooMuch: 503
    }
  }

  private var message: String {
    switch self {
    case .badRequest(let reason), .tooMuch(let reason): reason
    // Clients look for the last two words (W§7.5).
    case .unknownSession: "The channel is not there: Unknown SID"
    case .missingToken: Admission.missingToken
    }
  }

  var response: HTTPResponse { HTTPResponse(status, text: message + "\n") }
}

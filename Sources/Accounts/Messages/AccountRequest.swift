package import HearthFirestoreJSON

/// A request of sign-in, as HTTP carries it.
package struct AccountRequest: Sendable {
  /// The method of HTTP.
  package var method: String
  /// The path and the parameters, as HTTP has them.
  package var target: String
  /// The header of that name; `nil` for none.
  package var authorization: String?
  /// The media type of the body; `nil` for JSON.
  package var contentType: String?
  package var body: [UInt8]
  /// The address by which the client has reached the server, such as `http://127.0.0.1:9099`. Links
  /// begin with it.
  package var origin = "http://localhost"
  /// The address of the client, as the system writes it; `nil` for a client in the process.
  package var clientAddress: String?

  package init(
    _ method: String, _ target: String, authorization: String? = nil,
    contentType: String? = nil, body: [UInt8]
  ) {
    self.method = method
    self.target = target
    self.authorization = authorization
    self.contentType = contentType
    self.body = body
  }

  /// Makes a request with a body of JSON; `nil` for none.
  package init(
    _ method: String, _ target: String, authorization: String? = nil,
    json: JSONValue? = nil
  ) {
    self.init(method, target, authorization: authorization, body: json?.text ?? [])
  }

  /// Reads the body: JSON, or a form.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a body that is neither.
  func fields() throws(AccountError) -> RequestFields {
    guard !body.isEmpty else { return RequestFields([]) }
    if contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
      guard let form = FormFields(String(decoding: body, as: UTF8.self)) else {
        throw AccountError(
          status: 400, "The body of the request is no form: an escape in it is broken.")
      }
      return RequestFields(form.fields.map { ($0.name, .string($0.value)) })
    }
    do {
      guard case .object(let members) = try JSONValue(parsing: body) else {
        throw AccountError(
          status: 400,
          "Invalid JSON payload received. Unknown name \"\": Root element must be a message.")
      }
      return RequestFields(members)
    } catch let error as JSONError {
      throw AccountError(status: 400, "Invalid JSON payload received. \(error)")
    } catch let error as AccountError {
      throw error
    } catch {
      throw AccountError(status: 400, "Invalid JSON payload received.")
    }
  }
}

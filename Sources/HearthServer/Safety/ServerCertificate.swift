import HearthDocumentModel
import HearthServerTransport

/// The files of a server's certificate, for TLS.
public struct ServerCertificate: Sendable {
  /// The path of a file in PEM form: the certificate, followed by those that vouch for it.
  public var chain: String
  /// The path of its private key, in PEM form and without a password.
  public var key: String

  /// Names the files, which are read when the server starts.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }

  /// - Throws: `invalidArgument` for files that can't be used.
  func read() throws(DatabaseError) -> PortCertificate {
    do {
      return try PortCertificate(chain: chain, key: key)
    } catch {
      throw DatabaseError(.invalidArgument, error.description, cause: error)
    }
  }
}

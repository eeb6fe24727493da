import NIOSSL

/// The certificate with which a port proves its names by TLS, and its private key.
package struct PortCertificate: Sendable {
  let context: NIOSSLContext

  /// Reads both.
  ///
  /// - Parameters:
  ///   - chain: the path of a file in PEM form: the certificate, and those that vouch for it.
  ///   - key: the path of a file in PEM form, without a password.
  /// - Throws: ``CertificateFailure`` for a file that can't be read or is none, and for a key of
  ///   another certificate.
  package init(chain: String, key: String) throws(CertificateFailure) {
    let certificates = try CertificateFailure.of("The certificate \(chain) can't be read") {
      try NIOSSLCertificate.fromPEMFile(chain)
    }
    let privateKey = try CertificateFailure.of("The private key \(key) can't be read") {
      try NIOSSLPrivateKey(file: key, format: .pem)
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["h2", "http/1.1"]
    context = try CertificateFailure.of("The private key \(key) doesn't belong to \(chain)") {
      [configuration] in try NIOSSLContext(configuration: configuration)
    }
  }
}

/// The reason why a certificate can't be used.
package struct CertificateFailure: Error, CustomStringConvertible {
  package let description: String

  static func of<Result>(
    _ text: String, _ body: () throws -> Result
  ) throws(CertificateFailure) -> Result {
    do {
      return try body()
    } catch {
      throw CertificateFailure(description: "\(text): \(error).")
    }
  }
}

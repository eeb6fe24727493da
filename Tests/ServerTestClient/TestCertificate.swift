import Foundation

/// A certificate of the tests' own, for this machine's names. It proves nothing to anyone else.
package struct TestCertificate {
  /// Files in PEM form: the certificate, its key, and a key of none.
  package let chain, key, otherKey: String
  private let folder: URL

  /// Writes the files.
  package init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("hearth-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (chain, key, otherKey) = (
      folder.appendingPathComponent("chain.pem").path,
      folder.appendingPathComponent("key.pem").path,
      folder.appendingPathComponent("other.pem").path
    )
    for (path, text) in [
      (chain, TestCertificate.chainText), (key, TestCertificate.keyText),
      (otherKey, TestCertificate.otherKeyText),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  package func remove() { try? FileManager.default.removeItem(at: folder) }

  // Valid until 2126.
  private static let chainText = """
    -----BEGIN CERTIFICATE-----
    MIIBoDCCAUWgAwIBAgIUUGLvZPEylB5wU0RgeUS+iTCN72EwCgYIKoZIzj0EAwIw
    FjEUMBIGA1UEAwwLSGVhcnRoIHRlc3QwIBcNMjYxMTIzMDc1NzExWhgPMjEyNjEw
    MzAwNzU3MTFaMBYxFDASBgNVBAMMC0hlYXJ0aCB0ZXN0MFkwEwYHKoZIzj0CAQYI
    KoZIzj0DAQcDQgAEHB+voJ4NTzi2gjeumvLsVAD9UJaLCHxvfP70pF1LIrQt9Ri5
    rS62+HQh7h0OdrkK45cmd1ybfPtDw9DEtk51naNvMG0wHQYDVR0OBBYEFN27B/2d
    n1KFS0evnjG0cGQkk2nHMB8GA1UdIwQYMBaAFN27B/2dn1KFS0evnjG0cGQkk2nH
    MA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAoG
    CCqGSM49BAMCA0kAMEYCIQCG+mBBC3jDszNRdwc7lqQA80EwsNRf2SUa08ZD2Y1c
    yQIhANEaZw/Y00ocKVyi17lc9D3uEPYVG4MOQMr1ben+0MTM
    -----END CERTIFICATE-----
    """

  private static let keyText = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGMHKPWhi/zShL1nH
    scdDPt51z7CQ/qM4aegHtYh+QIGhRANCAAQcH6+gng1POLaCN66a8uxUAP1QlosI
    fG98/vSkXUsitC31GLmtLrb4dCHuHQ52uQrjlyZ3XJt8+0PD0MS2TnWd
    -----END PRIVATE KEY-----
    """

  private static let otherKeyText = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjW54QplKywxSKGzl
    gzJFVGgmHQD1kU4RFKf2TzI9j9GhRANCAAReFlcllt08ye/lVSN9Q/o/PKxxJP+Q
    moiQUcQu0Gsg8A0ycNeNMaLo5XUj2OFHFKYuO5Hby2SMkpe7+VljuAdQ
    -----END PRIVATE KEY-----
    """
}

import HearthDocumentModel

/// The common prefix of the keys of a scan's entries, as the key of a table.
struct ScanKey: Hashable, Sendable {
  let bytes: [UInt8]
  let fingerprint: UInt64

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var hash = ByteHash()
    hash.combine(bytes.span.bytes)
    fingerprint = hash.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

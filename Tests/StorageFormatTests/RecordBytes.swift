import HearthStorageFormat

extension DocumentRecord {
  /// Returns a copy of the record's bytes.
  var byteArray: [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}

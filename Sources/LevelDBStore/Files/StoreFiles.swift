import HearthOrderedStore

/// LevelDB's files in a folder, by the kinds and numbers in their names.
struct StoreFiles {
  private(set) var tables: [UInt64: String] = [:]
  private(set) var logs: [UInt64: String] = [:]
  private(set) var manifests: [UInt64: String] = [:]

  init(_ names: [String]) {
    for name in names {
      if let number = Self.number(of: name, "", ".ldb") ?? Self.number(of: name, "", ".sst") {
        tables[number] = name
      } else if let number = Self.number(of: name, "", ".log") {
        logs[number] = name
      } else if let number = Self.number(of: name, Self.manifestPrefix, "") {
        manifests[number] = name
      }
    }
  }

  private static let manifestPrefix = "MANIFEST-"

  private static func number(of name: String, _ prefix: String, _ suffix: String) -> UInt64? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return UInt64(name.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// Returns the MANIFEST that the contents of CURRENT name, whether it exists or not; `nil` if
  /// none.
  static func manifestName(in current: [UInt8]) -> String? {
    let name = String(decoding: current.dropLast(), as: UTF8.self)
    guard current.last == UInt8(ascii: "\n"), number(of: name, manifestPrefix, "") != nil
    else { return nil }
    return name
  }

  // MARK: By a MANIFEST

  /// Returns the logs that LevelDB replays, in its order.
  func liveLogs(of manifest: Manifest) -> [String] {
    logs.filter { $0.key >= manifest.logNumber || $0.key == manifest.previousLogNumber }
      .sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the oldest live log if it is missing, in words; otherwise `nil`.
  func missingLog(of manifest: Manifest) -> String? {
    let number = manifest.logNumber
    return number == 0 || logs[number] != nil ? nil : "the log \(number)"
  }

  /// Returns a listed table or the oldest live log, if it is missing, in words; otherwise `nil`.
  func missingFile(of manifest: Manifest) -> String? {
    manifest.tables.keys.filter { tables[$0] == nil }.min().map { "the table \($0)" }
      ?? missingLog(of: manifest)
  }

  /// Returns the name of a table that isn't listed; `nil` if there is none.
  func unlistedTable(of manifest: Manifest) -> String? {
    tables.filter { manifest.tables[$0.key] == nil }.min { $0.key < $1.key }?.value
  }
}

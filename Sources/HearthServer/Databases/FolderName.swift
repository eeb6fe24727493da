package import HearthDocumentModel

extension DatabaseID {
  /// The path of the database's folder below that of all: a segment for the project, and one for
  /// the database.
  ///
  /// Letters, digits, `_`, `-` and parentheses stand for themselves, other bytes are
  /// percent-encoded. So different ids have different folders, and none begins with a dot.
  ///
  /// - Throws: `invalidArgument` for an id that names a folder itself, or that is too long for one.
  package func folderPath() throws(DatabaseError) -> String {
    try projectFolderName() + "/" + database.folderName()
  }

  /// The name of the project's folder, as in `folderPath()`.
  ///
  /// - Throws: like `folderPath()`.
  func projectFolderName() throws(DatabaseError) -> String { try project.folderName() }
}

extension String {
  /// The longest name of a folder that file systems take, in bytes.
  private static let longestName = 255

  fileprivate func folderName() throws(DatabaseError) -> String {
    guard self != ".", self != ".." else {
      throw .invalidArgument("\"\(self)\" is no project or database id: it names a folder.")
    }
    var name = ""
    for byte in utf8 {
      if byte.standsForItself {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    guard name.utf8.count <= String.longestName else {
      throw .invalidArgument(
        "The id \"\(prefix(40))…\" is too long: the name of its folder has \(name.utf8.count) "
          + "bytes, and may have \(String.longestName).")
    }
    return name
  }
}

extension UInt8 {
  fileprivate var standsForItself: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "("), UInt8(ascii: ")"):
      true
    default: false
    }
  }
}

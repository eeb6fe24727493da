package import HearthDocumentModel
import HearthFirestoreJSON

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

  /// The identity for a new database, if its folder is one in which a server looks for it:
  /// `PROJECT/(default)`, or another `PROJECT/DATABASE` beside that. Otherwise the names of folders
  /// say nothing, and the identity is `nil`, as for a database that exists.
  ///
  /// - Parameter path: an absolute path.
  package init?(newFolder path: String) {
    let names = path.split(separator: "/").suffix(2)
    guard !DatabaseRoot.isDatabase(path), names.count == 2,
      let project = names.first.flatMap({ String(folderName: String($0)) }),
      let database = names.last.flatMap({ String(folderName: String($0)) }),
      let id = try? DatabaseID(project: project, database: database)
    else { return nil }
    let beside = path.split(separator: "/").dropLast() + [Substring(DatabaseID.default.database)]
    guard
      database == DatabaseID.default.database
        || DatabaseRoot.isDatabase("/" + beside.joined(separator: "/"))
    else { return nil }
    self = id
  }

  /// The database of a project that a folder is; `nil` for a folder of another kind.
  init?(project: String, folderName: String) {
    guard let database = String(folderName: folderName),
      let id = try? DatabaseID(project: project, database: database)
    else { return nil }
    self = id
  }

  /// The name of the project's folder, as in `folderPath()`.
  ///
  /// - Throws: like `folderPath()`.
  func projectFolderName() throws(DatabaseError) -> String { try project.folderName() }
}

extension String {
  /// The longest name of a folder that file systems take, in bytes.
  private static let longestName = 255

  /// Returns the id that a folder has its name from; `nil` for a folder of another kind.
  fileprivate init?(folderName: String) {
    guard let id = folderName.percentDecoded(), (try? id.folderName()) == folderName else {
      return nil
    }
    self = id
  }

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

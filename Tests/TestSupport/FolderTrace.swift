import Foundation

/// The state of a folder as seen from outside: names, bytes, rights and times.
package struct FolderTrace: Equatable {
  private struct Item: Equatable {
    let bytes: Data?
    let changed: Date?
    let rights: Int?
  }

  private var items: [String: Item] = [:]

  package init(_ path: String) throws {
    let files = FileManager.default
    for name in try files.subpathsOfDirectory(atPath: path) + [""] {
      let item = path + "/" + name
      let attributes = try files.attributesOfItem(atPath: item)
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      items[name] = Item(
        bytes: isFolder ? nil : try Data(contentsOf: URL(fileURLWithPath: item)),
        changed: attributes[.modificationDate] as? Date,
        rights: attributes[.posixPermissions] as? Int)
    }
  }
}

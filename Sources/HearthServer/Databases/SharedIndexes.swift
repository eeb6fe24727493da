import FoundationEssentials
package import Hearth
package import HearthDocumentModel
import HearthServerCalls
import Synchronization

/// The indexes that all databases of a server get, and the file that they are in.
package final class SharedIndexes: Sendable {
  private let path: String?
  private let file: Mutex<IndexFile?>

  /// - Throws: `invalidArgument` for a file that is no index file; `unavailable` for one that can't
  ///   be read.
  package init(_ served: ServedDatabases) throws(DatabaseError) {
    guard case .created(let path) = served.missingIndexes else {
      path = nil
      file = Mutex(served.indexes)
      return
    }
    self.path = path
    guard let indexes = served.indexes else {
      file = Mutex(try SharedIndexes.contents(of: path))
      return
    }
    file = Mutex(indexes)
  }

  /// The present indexes; `nil` for none.
  var present: IndexFile? { file.withLock { $0 } }

  /// Adds an index to the file as it is now, and writes the file as a whole. A link to it stays
  /// one, and its permissions stay.
  ///
  /// - Parameter present: the single-field indexes that the field of such an index has now.
  /// - Throws: `resourceExhausted` for too many composite indexes, or fields with indexes of their
  ///   own; `invalidArgument` for a file that is no index file any more; `unavailable`, with the
  ///   system's words.
  @Sendable package func add(
    _ index: IndexDefinition, beside present: [SingleFieldIndex]
  ) throws(DatabaseError) {
    guard let path else { return }
    let failure: DatabaseError? = file.withLock { file in
      do throws(DatabaseError) {
        var changed = try SharedIndexes.contents(of: path) ?? file ?? IndexFile()
        guard try changed.add(index, beside: present) else { return nil }
        try SharedIndexes.write(changed, to: path)
        file = changed
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private static func contents(of path: String) throws(DatabaseError) -> IndexFile? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let text: String
    do {
      text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    } catch {
      throw DatabaseError(
        .unavailable, "The server can't read \(path): \(SystemCalls.reason(of: error))",
        cause: error)
    }
    return try IndexFile(text: text)
  }

  private static func write(_ file: IndexFile, to path: String) throws(DatabaseError) {
    do {
      let place = URL(filePath: path).resolvingSymlinksInPath()
      let manager = FileManager.default
      let mode = try? manager.attributesOfItem(atPath: place.path())[.posixPermissions]
      try Data(file.text.utf8).write(to: place, options: .atomic)
      if let mode {
        try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: place.path())
      }
    } catch {
      throw DatabaseError(
        .unavailable, "The server can't write \(path): \(SystemCalls.reason(of: error))",
        cause: error)
    }
  }
}

extension IndexFile {
  /// - Returns: whether the index was missing.
  /// - Throws: `resourceExhausted` for too many composite indexes, or fields.
  fileprivate mutating func add(
    _ index: IndexDefinition, beside present: [SingleFieldIndex]
  ) throws(DatabaseError) -> Bool {
    guard let (field, single) = index.singleField else {
      guard !composites.contains(index) else { return false }
      guard composites.count < Limits.compositeIndexesPerDatabase else {
        throw DatabaseError(
          .resourceExhausted, "The file has \(composites.count) composite indexes already.")
      }
      composites.append(index)
      return true
    }
    let name = IndexedField(index.collectionGroup, field)
    guard let place = overrides.firstIndex(where: { $0.name == name }) else {
      guard overrides.count < IndexCreation.fieldLimit else {
        throw DatabaseError(
          .resourceExhausted, "The file has \(overrides.count) fields with indexes already.")
      }
      overrides.append(
        FieldIndexes(
          collectionGroup: index.collectionGroup, field: field,
          indexes: present.filter { $0 != single } + [single]))
      return true
    }
    guard !overrides[place].indexes.contains(single) else { return false }
    overrides[place].indexes.append(single)
    return true
  }
}

import HearthFirestoreJSON
import HearthAdminSocket
import Hearth

/// Names and values of the database, sampled for completion, and kept until a command has run.
final class SampledNames {
  /// The number of documents that are looked at in a collection.
  private static let sampleCount = 200
  /// The most values of a field.
  private static let valueCount = 50

  private struct Sample {
    var ids: [String] = []
    var fields: Set<String> = []
    var values: [String: [String]] = [:]
  }

  private let database: DatabaseOptions
  private var samples: [String: Sample] = [:]
  private var collections: [String: [String]] = [:]

  init(_ database: DatabaseOptions) {
    self.database = database
  }

  /// Forgets all, since the database may have changed.
  func forget() {
    samples = [:]
    collections = [:]
  }

  /// Returns the paths that begin with what is typed of one: collections, and below a collection
  /// documents.
  func paths(typed: String) -> [String] {
    let segments = typed.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let parent = segments.joined(separator: "/")
    let start = parent.isEmpty ? "" : parent + "/"
    let names =
      segments.count.isMultiple(of: 2) ? collections(below: parent) : sample(of: parent).ids
    return names.map { start + $0 }
  }

  /// Returns the names of a collection's fields.
  func fields(of collection: String) -> [String] { Array(sample(of: collection).fields) }

  /// Returns values of a field, as conditions have them.
  func values(of field: String, in collection: String) -> [String] {
    sample(of: collection).values[field] ?? []
  }

  /// Returns the columns that follow the `given` ones in the collection's composite indexes.
  func indexColumns(of collection: String, after given: [String]) -> [String] {
    var columns: [String] = []
    read { session in
      for index in try session.run(IndexListCall()).composites.map(\.definition)
      where index.collectionGroup.utf8Equal(collection) {
        let words = index.columnArguments
        if words.count > given.count, words.starts(with: given) {
          columns.append(words[given.count])
        }
      }
    }
    return columns
  }

  /// Reads from the database, which is opened for reading alone, so that completion never keeps an
  /// application from it. Without an answer there is nothing to complete.
  private func read(_ body: (AdminSession) throws -> Void) {
    try? database.withSession(access: .readOnly, isQuiet: true, body)
  }

  private func collections(below parent: String) -> [String] {
    if let known = collections[parent] { return known }
    var ids: [String] = []
    read { session in
      let path = parent.isEmpty ? .root : try ResourcePath(parent)
      _ = try session.run(CollectionsCall(below: path)) { ids += $0.elements }
    }
    collections[parent] = ids
    return ids
  }

  private func sample(of collection: String) -> Sample {
    if let known = samples[collection] { return known }
    var sample = Sample()
    let scope = NameScope(.default, collection: nil)
    read { session in
      let query = try session.queries.collection(collection).query
        .limit(to: SampledNames.sampleCount)
      _ = try session.run(QueryCall(RunnableQuery(query))) { document in
        sample.ids.append(document.id)
        for field in document.fields {
          sample.fields.insert(FieldPath(unchecked: [field.name]).description)
          let text = ValueText.text(of: field.value, in: scope)
          guard text.utf8.count < 40,
            sample.values[field.name, default: []].count < SampledNames.valueCount
          else { continue }
          sample.values[field.name, default: []].append(text)
        }
      }
    }
    samples[collection] = sample
    return sample
  }
}

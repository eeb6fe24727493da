import Foundation
import Hearth
import TestSupport
import Testing

// The code of Errors.md, word for word: DocumentationTests compares the two.

func population(of id: String, in cities: CollectionReference) -> Int64? {
  do {
    return try cities.document(id).getDocument().value("population")?.integerValue
  } catch {
    print("\(id): \(error.code.name), \(error.message)")
    return nil
  }
}

func openPatiently(at path: String) throws -> Database? {
  var options = Database.Options()
  options.lockTimeout = .seconds(5)
  do {
    return try Database.open(at: path, options: options)
  } catch {
    guard error.isInUse else { throw error }
    return nil
  }
}

func openForReading(at path: String) throws -> Database {
  var options = Database.Options()
  options.access = .readOnly
  return try Database.open(at: path, options: options)
}

func ensureIndex(_ definition: IndexDefinition, in database: Database) throws {
  do {
    try database.indexes.create(definition)
  } catch {
    guard error.code == .alreadyExists else { throw error }
    // As good as created.
  }
}

@Suite struct ErrorsExampleTests {
  @Test func readsAPopulation() throws {
    let cities = try Cities().collection
    #expect(population(of: "tokyo", in: cities) == 37_400_000)
    #expect(population(of: "el-dorado", in: cities) == nil)
    #expect(population(of: "a/b", in: cities) == nil)
  }

  @Test func opensPatiently() throws {
    let folder = try TemporaryFolder()
    let database = try openPatiently(at: folder.path(of: "cities"))
    #expect(database != nil)
    // A folder that holds something else.
    #expect(code { _ = try openPatiently(at: folder.path) } == .notFound)
    // A failure of the files has the same code as a lock that another holds.
    let broken = folder.path(of: "broken")
    try Database.open(at: broken).close()
    try FileManager.default.removeItem(atPath: broken + "/LOCK")
    try FileManager.default.createDirectory(
      atPath: broken + "/LOCK", withIntermediateDirectories: false)
    #expect(code { _ = try openPatiently(at: broken) } == .unavailable)
  }

  @Test func opensForReading() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cities")
    let writer = try Database.open(at: path)
    try writer.document("cities/tokyo").setData([:])
    let reader = try openForReading(at: path)
    #expect(try reader.document("cities/tokyo").getDocument().exists)
    #expect(code { try reader.document("cities/tokyo").delete() } == .failedPrecondition)
  }

  @Test func ensuresAnIndex() throws {
    let cities = try Cities()
    try ensureIndex(Cities.countryAndPopulation(), in: cities.database)
    try ensureIndex(Cities.countryAndPopulation(), in: cities.database)
    #expect(try cities.database.indexes.list().count == 1)
    let impossible = IndexDefinition("cities", [])
    #expect(code { try ensureIndex(impossible, in: cities.database) } == .invalidArgument)
  }
}

import HearthFirestoreJSON
import Hearth

/// A file of queries to measure, one per line: `page *3: cities where countryCode == ? limit 20`.
///
/// A name may precede the query, and a weight may follow the name. Blank lines and lines that begin
/// with `#` are skipped.
struct QueryFile {
  let path: String

  /// - Throws: `InputError` for a file that can't be read; ``ToolFailure`` for a line that is no
  ///   query, and for a file without any.
  func queries(in database: Database) throws -> [BenchQuery] {
    let id = try database.id()
    var lines = InputLines(try InputBytes(try ByteSource(path: path)))
    var queries: [BenchQuery] = []
    var line: [UInt8] = []
    while try lines.next(into: &line) {
      guard let text = String(validating: line.drop(while: \.isBlank), as: UTF8.self) else {
        throw failure(lines, "this is not valid UTF-8.")
      }
      if text.utf8.first == UInt8(ascii: "#") { continue }
      let query: BenchQuery
      do {
        query = try self.query(text, line: lines.number, in: id)
      } catch let error as ToolFailure {
        throw failure(lines, error.message)
      } catch let error as DatabaseError {
        throw failure(lines, error.message.sentence)
      } catch let error as QueryTextError {
        throw failure(lines, "\n\(error)")
      }
      guard !queries.contains(where: { $0.name.utf8Equal(query.name) }) else {
        throw failure(lines, "there is another query \(query.name).")
      }
      queries.append(query)
    }
    guard !queries.isEmpty else {
      throw ToolFailure.badInput("\(lines.source.name) holds no query.")
    }
    return queries
  }

  private func failure(_ lines: InputLines, _ problem: String) -> ToolFailure {
    let gap = problem.utf8.first == .newline ? "" : " "
    return ToolFailure.badInput("\(lines.source.name), line \(lines.number):\(gap)\(problem)")
  }

  private func query(_ text: String, line: Int, in database: DatabaseID) throws -> BenchQuery {
    guard let match = text.prefixMatch(of: /([A-Za-z][A-Za-z0-9_-]*)(?: *\*([0-9]+))?:[ \t]+/)
    else {
      let kind = try BenchQuery.kind(text, in: database)
      return BenchQuery(name: "line\(line)", text: text, weight: 1, kind: kind)
    }
    let name = String(match.1)
    guard !QueryFile.reserved.contains(where: name.utf8Equal) else {
      throw ToolFailure.badInput(
        "\(name) is what reports call something else: choose another name.")
    }
    let weight = match.2.map { Int($0) ?? 0 } ?? 1
    guard (1...1_000_000).contains(weight) else {
      throw ToolFailure.badInput("a weight is a number from 1 to 1,000,000.")
    }
    let rest = String(text[match.range.upperBound...])
    return BenchQuery(
      name: name, text: rest, weight: weight, kind: try BenchQuery.kind(rest, in: database))
  }

  /// Names of figures that belong to no single query.
  private static let reserved = [LoadFigures.allQueries, LoadFigures.writes]
}

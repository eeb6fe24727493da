import HearthFirestoreJSON
import Hearth

/// A verdict on whether a set of indexes serves a query, in production's words.
struct QueryVerdict {
  private enum Outcome {
    case served(Plan)
    case refused(DatabaseError, beside: [SingleFieldIndex])
  }

  private let outcome: Outcome

  /// Creates the verdict on one line of a file of queries.
  init(line: [UInt8], indexes: IndexSet, in database: DatabaseID) {
    do {
      let logged = try LoggedQuery(line: line, in: database)
      self.init(logged.query, indexes: indexes, in: logged.database ?? database)
    } catch let error as DatabaseError {
      self.init(.refused(error, beside: []))
    } catch {
      self.init(.refused(DatabaseError(.invalidArgument, "\(error)"), beside: []))
    }
  }

  private init(_ outcome: Outcome) {
    self.outcome = outcome
  }

  private init(_ query: AnyQuery, indexes: IndexSet, in database: DatabaseID) {
    do throws(DatabaseError) {
      let normalized: NormalizedQuery
      switch query {
      case .documents(let query): normalized = try NormalizedQuery(query, in: database)
      case .figures(let query): normalized = try NormalizedAggregation(query, in: database).query
      }
      outcome = .served(try Planner.plan(normalized, indexes: indexes))
    } catch {
      let present = error.missingIndex.map { indexes.singleFieldIndexes(beside: $0.index) }
      outcome = .refused(error, beside: present ?? [])
    }
  }

  var isServed: Bool {
    if case .served = outcome { true } else { false }
  }

  /// - Parameter number: the number of the query's line, counted from 1.
  func json(line number: Int) -> JSONLine {
    let verdict: JSONLine =
      switch outcome {
      case .served(let plan):
        [
          "indexesUsed": plan.indexesUsed.map { $0.usedJSON(by: plan) }, "plan": plan.description,
        ]
      case .refused(let error, let present):
        [
          "code": error.code.name, "message": error.message,
          "suggestedIndex": error.missingIndex?.index.creationJSON(beside: present),
          "smallerIndex": error.missingIndex?.smaller?.creationJSON(beside: []),
        ]
      }
    return ["line": number, "served": isServed] + verdict
  }
}

extension IndexDefinition {
  /// Returns the index as production's explain lists it (§5.10).
  fileprivate func usedJSON(by plan: Plan) -> JSONLine {
    [
      "queryScope": plan.source.scope == .collection ? "Collection" : "Collection group",
      "properties": description,
    ]
  }

  /// Returns the index with the command that creates it.
  fileprivate func creationJSON(beside present: [SingleFieldIndex]) -> JSONLine {
    proposalJSON(command: creationCommand(databasePath: nil), beside: present)
  }
}

extension IndexSet {
  /// Returns the single-field indexes that the field of `index` already has.
  fileprivate func singleFieldIndexes(beside index: IndexDefinition) -> [SingleFieldIndex] {
    guard let single = index.singleField else { return [] }
    return SingleFieldIndex.all.filter {
      state(of: $0, field: single.field, in: index.collectionGroup) != nil
    }
  }
}

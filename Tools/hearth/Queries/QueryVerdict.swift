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
    var json = JSONLine()
    json.append("line", .integer(Int64(number)))
    json.append("served", .boolean(isServed))
    switch outcome {
    case .served(let plan):
      json.append("indexesUsed", plan.indexesUsed.map { $0.usedJSON(by: plan) })
      json.append("plan", .string(plan.description))
    case .refused(let error, let present):
      json.append("code", .string(error.code.name))
      json.append("message", .string(error.message))
      if let missing = error.missingIndex {
        json.append(
          "suggestedIndex",
          missing.index.proposalJSON(
            command: missing.index.creationCommand(databasePath: nil), beside: present))
        if let smaller = missing.smaller {
          json.append(
            "smallerIndex",
            smaller.proposalJSON(
              command: smaller.creationCommand(databasePath: nil), beside: []))
        }
      }
    }
    return json
  }
}

extension IndexDefinition {
  /// Returns the index as production's explain lists it (§5.10).
  fileprivate func usedJSON(by plan: Plan) -> JSONLine {
    var json = JSONLine()
    json.append(
      "queryScope", .string(plan.source.scope == .collection ? "Collection" : "Collection group"))
    json.append("properties", .string(description))
    return json
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

public import Foundation
import Hearth

extension Query {
  /// The query for the number of results.
  public var count: AggregateQuery { AggregateQuery(self, [.count()]) }

  /// Returns the query for figures over the results, computed from index entries alone (§9.1).
  public func aggregate(_ aggregateFields: [AggregateField]) -> AggregateQuery {
    AggregateQuery(self, aggregateFields)
  }
}

/// One figure over the results of a query.
public final class AggregateField: Sendable {
  fileprivate enum Operator: Sendable {
    case count
    case sum(Result<Hearth.FieldPath, DatabaseError>)
    case average(Result<Hearth.FieldPath, DatabaseError>)
  }

  fileprivate let `operator`: Operator

  private init(_ operator: Operator) { self.operator = `operator` }

  /// Returns a figure for the number of results.
  public static func count() -> AggregateField { AggregateField(.count) }

  /// Returns a figure for the sum of the numbers in `field`, a path such as `size.km2`.
  public static func sum(_ field: String) -> AggregateField {
    AggregateField(.sum(path(field)))
  }

  /// Returns a figure for the sum of a field's numbers.
  public static func sum(_ field: FieldPath) -> AggregateField {
    AggregateField(.sum(path(field)))
  }

  /// Returns a figure for the average of the numbers in `field`.
  public static func average(_ field: String) -> AggregateField {
    AggregateField(.average(path(field)))
  }

  /// Returns a figure for the average of a field's numbers.
  public static func average(_ field: FieldPath) -> AggregateField {
    AggregateField(.average(path(field)))
  }

  private static func path(_ field: some FieldNaming) -> Result<Hearth.FieldPath, DatabaseError> {
    Result { () throws(DatabaseError) in try field.storedPath() }
  }

  /// Returns Hearth's aggregation for the figure.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  fileprivate func aggregation(as alias: String) throws(DatabaseError) -> Aggregation {
    switch `operator` {
    case .count: .count(as: alias)
    case .sum(let path): .sum(try path.get(), as: alias)
    case .average(let path): .average(try path.get(), as: alias)
    }
  }
}

extension AggregateField: Hashable {
  public static func == (left: AggregateField, right: AggregateField) -> Bool {
    switch (left.operator, right.operator) {
    case (.count, .count): true
    case (.sum(.success(let left)), .sum(.success(let right))): left == right
    case (.average(.success(let left)), .average(.success(let right))): left == right
    default: left === right
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch `operator` {
    case .count: hasher.combine(0)
    case .sum(.success(let path)):
      hasher.combine(1)
      hasher.combine(path)
    case .average(.success(let path)):
      hasher.combine(2)
      hasher.combine(path)
    case .sum(.failure), .average(.failure): hasher.combine(ObjectIdentifier(self))
    }
  }
}

extension AggregateField: CustomStringConvertible {
  public var description: String {
    switch `operator` {
    case .count: "count()"
    case .sum(let path): "sum(\(AggregateField.description(of: path)))"
    case .average(let path): "avg(\(AggregateField.description(of: path)))"
    }
  }

  private static func description(of path: Result<Hearth.FieldPath, DatabaseError>) -> String {
    switch path {
    case .success(let path): path.description
    case .failure(let error): error.message
    }
  }
}

/// Source of figures, which is the database.
public enum AggregateSource: Sendable, Hashable {
  /// The database.
  case server
}

/// A query for figures over the results of another.
public final class AggregateQuery: Sendable {
  /// The query over whose results the figures are computed.
  public let query: Query
  fileprivate let fields: [AggregateField]

  fileprivate init(_ query: Query, _ fields: [AggregateField]) {
    self.query = query
    self.fields = fields
  }

  /// Computes the figures as they are now.
  public func getAggregation(
    source: AggregateSource,
    completion: @escaping (AggregateQuerySnapshot?, (any Error)?) -> Void
  ) {
    query.firestore.read(reading(), completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  @discardableResult
  public func getAggregation(source: AggregateSource) async throws -> AggregateQuerySnapshot {
    try await query.firestore.read(reading())
  }

  private func reading() -> @Sendable () throws -> AggregateQuerySnapshot {
    let requests = query.firestore.requests
    return { try self.read(by: requests) }
  }

  private func read(by requests: any DatabaseRequests) throws -> AggregateQuerySnapshot {
    var aggregations: [Aggregation] = []
    for (index, field) in fields.enumerated() {
      aggregations.append(try field.aggregation(as: AggregateQuery.alias(index)))
    }
    return AggregateQuerySnapshot(
      try requests.aggregate(aggregations, of: query.target.get()), of: self)
  }

  /// Returns the alias of a figure. Aliases are the module's own, as any name may be a field's.
  fileprivate static func alias(_ index: Int) -> String { "figure_\(index)" }
}

/// Figures computed over the results of a query at one moment.
public final class AggregateQuerySnapshot: Sendable {
  /// The query that computed the figures.
  public let query: AggregateQuery
  private let stored: AggregateSnapshot

  fileprivate init(_ stored: AggregateSnapshot, of query: AggregateQuery) {
    self.stored = stored
    self.query = query
  }

  /// The number of results. If it wasn't requested, the value is -1, which is no count, and an
  /// error goes to ``FirestoreSettings/unhandledErrorHandler``.
  public var count: NSNumber { self.get(.count()) as? NSNumber ?? -1 }

  /// Returns a figure as an `NSNumber`; `NSNull` for an average of nothing. For a figure that
  /// wasn't requested, it returns `nil`, and an error goes to
  /// ``FirestoreSettings/unhandledErrorHandler``. Firebase ends the process in that case.
  public func get(_ aggregateField: AggregateField) -> Any? {
    let firestore = query.query.firestore
    do {
      guard let index = query.fields.firstIndex(of: aggregateField) else {
        throw DatabaseError(
          .invalidArgument, "'\(aggregateField)' was not requested in the aggregation query.")
      }
      return try stored[AggregateQuery.alias(index)].any(in: firestore)
    } catch {
      firestore.report(error)
      return nil
    }
  }
}

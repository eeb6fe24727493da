import HearthDocumentModel

/// The requirements of one conjunction on indexes: E, C and T0 of §5.1. It has fields, but no
/// values.
struct IndexRequirement: Equatable {
  /// A field that an index must fix to one value.
  struct Constraint: Equatable {
    let field: FieldPath
    /// Whether the field is an array that must contain the value.
    let isContains: Bool
  }

  let collectionGroup: String
  let scope: QueryScope
  /// E, sorted by field, followed by C.
  let constraints: [Constraint]
  /// T0: the orders that entries must be sorted by after the fixed columns. It ends with
  /// `__name__`.
  let orders: [Order]
  /// The vectors of a search for the nearest ones; `nil` for any other query.
  let vector: VectorColumn?

  /// - Parameter form: the form of one of the query's alternatives.
  init(_ query: NormalizedQuery, _ form: Conjunction.Form) {
    collectionGroup = query.source.collectionGroup
    scope = query.source.scope
    constraints = form.restrictions.filter { $0.kind != .inequality }.map {
      Constraint(field: $0.field, isContains: $0.kind == .contains)
    }
    let aggregated = query.aggregatedFields.filter { field in
      form.places(.equality, of: field) == nil && !query.orders.contains { $0.field == field }
    }
    orders = query.orders(inserting: aggregated)
    vector = query.nearest.map { VectorColumn($0.field, dimension: $0.vector.count) }
  }

  /// Creates the requirement of queries that fix the columns of `prefix` and sort by `orders`.
  init(
    _ collectionGroup: String, scope: QueryScope, fixing prefix: some Sequence<IndexColumn>,
    orders: [Order], vector: VectorColumn?
  ) {
    var equalities: Set<FieldPath> = []
    var contains: [Constraint] = []
    for column in prefix {
      if column.mode == .contains {
        contains = [Constraint(field: column.field, isContains: true)]
      } else {
        equalities.insert(column.field)
      }
    }
    self.collectionGroup = collectionGroup
    self.scope = scope
    constraints =
      equalities.sorted().map { Constraint(field: $0, isContains: false) } + contains
    self.orders = orders
    self.vector = vector
  }

  /// All constraints of E and C.
  var all: ConstraintSet { ConstraintSet(first: constraints.count) }

  /// The equalities on the first columns of T0. They narrow any scan that is sorted by T0 to one
  /// range (§5.3, coverage).
  var leading: ConstraintSet {
    var set = ConstraintSet()
    for order in orders {
      guard let index = equality(on: order.field) else { break }
      set.insert(index)
    }
    return set
  }

  /// Returns the position of the equality on a field; `nil` if there is none.
  func equality(on field: FieldPath) -> Int? {
    constraints.firstIndex { !$0.isContains && $0.field == field }
  }

  /// Returns the position of the constraint that fixes an index's column to one value; `nil` if
  /// there is none.
  func constraint(fixing column: IndexColumn) -> Int? {
    let isContains = column.mode == .contains
    return constraints.firstIndex { $0.isContains == isContains && $0.field == column.field }
  }
}

extension IndexColumn {
  /// The order that the column gives; `nil` for the elements of an array.
  var order: Order? {
    switch mode {
    case .ascending: Order(field, .ascending)
    case .descending: Order(field, .descending)
    case .contains: nil
    }
  }

  /// Whether the column sorts by `order`.
  func sorts(by order: Order) -> Bool {
    switch (mode, order.direction) {
    case (.ascending, .ascending), (.descending, .descending): field == order.field
    default: false
    }
  }

  init(_ order: Order) {
    self.init(order.field, order.direction == .ascending ? .ascending : .descending)
  }
}

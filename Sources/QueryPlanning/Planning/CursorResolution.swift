import HearthDocumentModel

/// Converts a cursor from a query's orders to the columns that a plan's scans are sorted by.
///
/// A cursor's value disappears if its column does: the column of an order on a field that equals
/// one value and is left out of the index (S2 of §5.3), or a name outside the query's source. The
/// shorter cursor's side, before or after its equals, then replaces the value.
///
/// A cursor that consists of values alone can't be a position at a value that an index cuts. It is
/// widened to take in all entries that look alike, and these are compared with their documents
/// (§3.6).
struct CursorResolution {
  enum Outcome: Equatable {
    case unrestricted
    case position(Cursor)
    /// A position at a name among the entries that equal the cursor's values. These entries are
    /// sorted by the summed fields first, so that the ones after the name are not adjacent (T0 of
    /// §5.1).
    case amongEquals(Cursor, name: Value)
    /// The cursor leaves no document.
    case nothing

    var cursor: Cursor? {
      switch self {
      case .position(let cursor), .amongEquals(let cursor, _): cursor
      case .unrestricted, .nothing: nil
      }
    }

    var isAmongEquals: Bool {
      if case .amongEquals = self { true } else { false }
    }

    var isNothing: Bool {
      if case .nothing = self { true } else { false }
    }
  }

  let query: NormalizedQuery
  let conjunction: Conjunction
  let suffix: [Order]

  func start(_ cursor: Cursor) -> Outcome {
    let outcome = resolve(cursor, wideSide: true)
    guard case .position(let resolved) = outcome, resolved.values.isEmpty else { return outcome }
    return resolved.isBefore ? .unrestricted : .nothing
  }

  func end(_ cursor: Cursor) -> Outcome {
    let outcome = resolve(cursor, wideSide: false)
    guard case .position(let resolved) = outcome, resolved.values.isEmpty else { return outcome }
    return resolved.isBefore ? .nothing : .unrestricted
  }

  /// Whether the suffix has columns that the query's own orders, and so its cursors, lack.
  private var hasColumnsBeforeName: Bool {
    suffix.contains { column in !query.orders.contains { $0.field == column.field } }
  }

  /// Returns the same position in terms of the suffix. A position without values is before or after
  /// everything.
  ///
  /// - Parameter wideSide: the side of a widened cursor: before its equals (`true`) for a start,
  ///   after them for an end.
  private func resolve(_ cursor: Cursor, wideSide: Bool) -> Outcome {
    let isNamed = query.isNamed(cursor)
    var values: [Value] = []
    for (order, value) in zip(query.orders, cursor.values) {
      if order.field.isDocumentID, case .reference(let name) = value {
        return resolve(name, order.direction, values, isBefore: cursor.isBefore)
      }
      if suffix.contains(order) {
        values.append(value)
        if !isNamed, value.isCutByIndexes {
          return .position(Cursor(values, isBefore: wideSide))
        }
        continue
      }
      // The order was left out because every document has this one value in the field.
      guard let constant = conjunction.value(of: order.field) else { continue }
      let place = isNamed ? constant.compareAsIndexed(value) : constant.compare(value)
      guard place != .equal else { continue }
      let comesFirst = order.direction == .ascending ? Ordering.less : .greater
      return .position(Cursor(values, isBefore: place != comesFirst))
    }
    return .position(Cursor(values, isBefore: cursor.isBefore))
  }

  private func resolve(
    _ name: DocumentName, _ direction: SortDirection, _ values: [Value], isBefore: Bool
  ) -> Outcome {
    switch query.source.position(of: name.path) {
    case .at: return position(values, .reference(name), isBefore: isBefore)
    case .after(let path):
      let document = Value.reference(DocumentName(unchecked: path, in: name.database))
      return position(values, document, isBefore: direction == .descending)
    case .beforeAll: return .position(Cursor(values, isBefore: direction == .ascending))
    case .afterAll: return .position(Cursor(values, isBefore: direction == .descending))
    }
  }

  private func position(_ values: [Value], _ name: Value, isBefore: Bool) -> Outcome {
    hasColumnsBeforeName
      ? .amongEquals(Cursor(values, isBefore: isBefore), name: name)
      : .position(Cursor(values + [name], isBefore: isBefore))
  }
}

extension NormalizedQuery {
  /// Whether a cursor, as it is, is a position among entries that are sorted by the query's orders.
  func isPosition(_ cursor: Cursor) -> Bool {
    let isNamed = isNamed(cursor)
    for (order, value) in zip(orders, cursor.values) {
      if order.field.isDocumentID, case .reference(let name) = value {
        guard source.position(of: name.path) == .at(name.path) else { return false }
      } else if !isNamed, value.isCutByIndexes {
        return false
      }
    }
    return true
  }
}

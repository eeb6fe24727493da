import DocumentModel

/// Moves a cursor from a query's orders to the columns that a plan's scans are sorted by.
///
/// A slot disappears where the column does: an order on a field that equals one value, left out of
/// the index (S2 of §5.3), and a name that lies outside of what the query looks at. What the slot
/// said is then said by the side of the shorter cursor.
struct CursorResolution {
  enum Outcome: Equatable {
    case unrestricted
    case position(Cursor)
    /// The cursor leaves no document.
    case nothing

    var cursor: Cursor? {
      if case .position(let cursor) = self { cursor } else { nil }
    }
  }

  let query: NormalizedQuery
  let suffix: [Order]

  func start(_ cursor: Cursor) -> Outcome {
    let resolved = resolve(cursor)
    guard resolved.values.isEmpty else { return .position(resolved) }
    return resolved.isBefore ? .unrestricted : .nothing
  }

  func end(_ cursor: Cursor) -> Outcome {
    let resolved = resolve(cursor)
    guard resolved.values.isEmpty else { return .position(resolved) }
    return resolved.isBefore ? .nothing : .unrestricted
  }

  /// The same position in terms of the suffix; one without values lies before or behind everything.
  private func resolve(_ cursor: Cursor) -> Cursor {
    var values: [Value] = []
    for (order, value) in zip(query.orders, cursor.values) {
      if order.field.isDocumentID, case .reference(let name) = value {
        return resolve(name, order.direction, values, isBefore: cursor.isBefore)
      }
      if suffix.contains(order) {
        values.append(value)
        continue
      }
      // The order was left out because all documents have this one value there.
      guard let constant = query.conjunction.value(of: order.field) else { continue }
      let place = constant.compareAsIndexed(value)
      guard place != .equal else { continue }
      let comesFirst = order.direction == .ascending ? Ordering.less : .greater
      return Cursor(values, isBefore: place != comesFirst)
    }
    return Cursor(values, isBefore: cursor.isBefore)
  }

  private func resolve(
    _ name: DocumentName, _ direction: SortDirection, _ values: [Value], isBefore: Bool
  ) -> Cursor {
    switch query.source.position(of: name.path) {
    case .at: return Cursor(values + [.reference(name)], isBefore: isBefore)
    case .behind(let path):
      let document = Value.reference(DocumentName(unchecked: path, in: name.database))
      return Cursor(values + [document], isBefore: direction == .descending)
    case .beforeAll: return Cursor(values, isBefore: direction == .ascending)
    case .behindAll: return Cursor(values, isBefore: direction == .descending)
    }
  }
}

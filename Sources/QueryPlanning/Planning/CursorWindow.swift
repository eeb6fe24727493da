import HearthDocumentModel

/// A part of an index's suffix to read: adjacent entries, and the names among them.
///
/// Usually two cursors leave one window. A cursor at a name cuts through the entries that equal its
/// other values. If those are sorted by the summed fields (T0 of §5.1), the entries after the name
/// are scattered, and get a window of their own.
struct CursorWindow: Equatable {
  var start: Cursor?
  var end: Cursor?
  var names: ValueRange?

  /// Returns the windows that two cursors leave, at least one of which is among equals, in the
  /// order of the suffix; empty if no entry is left.
  static func windows(
    from start: CursorResolution.Outcome, to end: CursorResolution.Outcome, suffix: [Order]
  ) -> [CursorWindow] {
    let cut = CursorCut(start: start, end: end, suffix: suffix)
    return [cut.equalsOfStart, cut.between, cut.equalsOfEnd].compactMap { $0 }
  }
}

/// Two cursors, at least one of which is at a name among equals.
private struct CursorCut {
  let start: CursorResolution.Outcome
  let end: CursorResolution.Outcome
  let suffix: [Order]

  /// The entries that equal the start, with the names after it; `nil` if there are none.
  var equalsOfStart: CursorWindow? {
    guard case .amongEquals(let cursor, let name) = start else { return nil }
    var window = equals(of: cursor, names: names(from: name, isInclusive: cursor.isBefore))
    guard let last = end.cursor else { return window }
    switch place(cursor.values, last.values) {
    case .less: return window
    case .greater: return nil
    case .equal:
      guard case .amongEquals(_, let name) = end else { return last.isBefore ? nil : window }
      let upTo = names(upTo: name, isInclusive: !last.isBefore)
      guard let shared = window.names?.intersection(upTo) else { return nil }
      window.names = shared
      return window
    }
  }

  /// The entries between those that equal one of the cursors; `nil` if there are none.
  var between: CursorWindow? {
    var window = CursorWindow(start: start.cursor, end: end.cursor)
    if start.isAmongEquals {
      guard let values = start.cursor?.values, !values.isEmpty else { return nil }
      window.start = Cursor(values, isBefore: false)
    }
    if end.isAmongEquals {
      guard let values = end.cursor?.values, !values.isEmpty else { return nil }
      window.end = Cursor(values, isBefore: true)
    }
    if let first = window.start, let last = window.end {
      let place = place(first.values, last.values)
      let meet = place == .equal && start.isAmongEquals && end.isAmongEquals
      guard place != .greater, !meet else { return nil }
    }
    return window
  }

  /// The entries that equal the end, with the names up to it; `nil` if there are none.
  var equalsOfEnd: CursorWindow? {
    guard case .amongEquals(let cursor, let name) = end else { return nil }
    let window = equals(of: cursor, names: names(upTo: name, isInclusive: !cursor.isBefore))
    guard let first = start.cursor else { return window }
    switch place(first.values, cursor.values) {
    case .less: return window
    case .equal: return !start.isAmongEquals && first.isBefore ? window : nil
    case .greater: return nil
    }
  }

  private func equals(of cursor: Cursor, names: ValueRange) -> CursorWindow {
    guard !cursor.values.isEmpty else { return CursorWindow(names: names) }
    return CursorWindow(
      start: Cursor(cursor.values, isBefore: true), end: Cursor(cursor.values, isBefore: false),
      names: names)
  }

  private var isAscending: Bool { suffix.last?.direction == .ascending }

  private func names(from name: Value, isInclusive: Bool) -> ValueRange {
    isAscending
      ? ValueRange(from: name, isInclusive: isInclusive)
      : ValueRange(upTo: name, isInclusive: isInclusive)
  }

  private func names(upTo name: Value, isInclusive: Bool) -> ValueRange {
    isAscending
      ? ValueRange(upTo: name, isInclusive: isInclusive)
      : ValueRange(from: name, isInclusive: isInclusive)
  }

  /// Compares two positions in the suffix's order, by the values that both have.
  private func place(_ left: [Value], _ right: [Value]) -> Ordering {
    for (order, (left, right)) in zip(suffix, zip(left, right)) {
      let place = left.compareAsIndexed(right)
      if place != .equal { return order.direction == .ascending ? place : place.reversed }
    }
    return .equal
  }
}

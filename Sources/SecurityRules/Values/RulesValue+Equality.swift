import HearthDocumentModel

extension RulesValue {
  /// The places at which an integer equals the float of its value.
  enum NumberMixing {
    /// Not inside of lists and maps: `1 == 1.0`, but not `[1] == [1.0]`.
    case outermost
    case everywhere
    case never

    /// The same inside of a list or map.
    fileprivate var inside: NumberMixing { self == .everywhere ? .everywhere : .never }
  }

  /// Whether the values are equal. Values of different types are not, nor are differences of maps.
  ///
  /// - Throws: `unknown` if it depends on the document that a query returns.
  func equals(
    _ other: RulesValue, mixing: NumberMixing = .outermost
  ) throws(RulesError) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.int(let left), .int(let right)): return left == right
    case (.float(let left), .float(let right)): return left == right
    case (.int(let left), .float(let right)): return mixing != .never && Double(left) == right
    case (.float(let left), .int(let right)): return mixing != .never && left == Double(right)
    case (.string(let left), .string(let right)): return left.utf8Equal(right)
    case (.bytes(let left), .bytes(let right)): return left == right
    case (.timestamp(let left), .timestamp(let right)): return left == right
    case (.duration(let left), .duration(let right)): return left == right
    case (.latlng(let left), .latlng(let right)): return left == right
    case (.path(let left), .path(let right)): return left == right
    case (.vector(let left), .vector(let right)): return left == right
    case (.list(let left), .list(let right)): return try left.equals(right, mixing.inside)
    case (.map(let left), .map(let right)): return try left.equals(right, mixing.inside)
    case (.set(let left), .set(let right)): return try left.equals(right)
    case (.constraint, _), (_, .constraint): throw .unknown
    default: return false
    }
  }
}

extension RulesList {
  fileprivate func equals(
    _ other: RulesList, _ mixing: RulesValue.NumberMixing
  ) throws(RulesError) -> Bool {
    guard count == other.count else { return false }
    var isOpen = false
    for index in 0..<count {
      do throws(RulesError) {
        guard try self[index].equals(other[index], mixing: mixing) else { return false }
      } catch {
        isOpen = true
      }
    }
    if isOpen { throw .unknown }
    return true
  }
}

extension RulesMap {
  fileprivate func equals(
    _ other: RulesMap, _ mixing: RulesValue.NumberMixing
  ) throws(RulesError) -> Bool {
    let (left, right) = (try entries(), try other.entries())
    guard left.count == right.count else { return false }
    for index in left.indices where !left[index].key.utf8Equal(right[index].key) { return false }
    var isOpen = false
    for index in left.indices {
      do throws(RulesError) {
        guard try left[index].value.equals(right[index].value, mixing: mixing) else {
          return false
        }
      } catch {
        isOpen = true
      }
    }
    if isOpen { throw .unknown }
    return true
  }
}

extension RulesSet {
  func equals(_ other: RulesSet) throws(RulesError) -> Bool {
    guard elements.count == other.elements.count else { return false }
    for element in elements where !(try other.contains(element)) { return false }
    return true
  }
}

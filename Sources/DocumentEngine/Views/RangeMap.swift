import HearthDocumentModel
import HearthOrderedStore
package import HearthStorageFormat

/// A map of key ranges to elements, to find the elements of all ranges that contain a key.
///
/// It is a treap: a search tree by lower bounds, and a heap by priorities that look random. So its
/// depth is logarithmic for ranges in any order. Every node knows the highest upper bound below it,
/// and a search skips all subtrees that end before the key.
///
/// Elements are plain bits, such as numbers, so a removed range leaves nothing alive.
package struct RangeMap<Element: BitwiseCopyable & Sendable>: Sendable {
  /// The handle by which a range is removed.
  package struct Handle: Sendable, Hashable {
    fileprivate let slot: Int
  }

  private struct Node: Sendable {
    var range: KeyRange
    var element: Element
    /// A number that tells nodes with the same lower bound apart.
    var sequence: UInt64
    var left = RangeMap.none
    var right = RangeMap.none
    /// The node at or below this one whose range ends last.
    var highest: Int

    var priority: UInt64 {
      var mixed = sequence &* 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
      return mixed ^ (mixed &>> 31)
    }
  }

  private static var none: Int { -1 }

  private var nodes: [Node] = []
  private var freeSlots: [Int] = []
  private var root = RangeMap.none
  /// The node whose range begins first. Most keys of a document come before all ranges.
  private var first = RangeMap.none
  private var nextSequence: UInt64 = 1

  package init() {}

  package var count: Int { nodes.count - freeSlots.count }

  /// Adds a range, even if the same one was added before.
  ///
  /// - Complexity: O(log n) comparisons of keys.
  package mutating func insert(_ range: KeyRange, _ element: Element) -> Handle {
    let slot = freeSlots.popLast() ?? nodes.count
    let node = Node(range: range, element: element, sequence: nextSequence, highest: slot)
    nextSequence += 1
    if slot == nodes.count { nodes.append(node) } else { nodes[slot] = node }
    root = inserting(slot, below: root)
    if first == RangeMap.none || precedes(slot, first) { first = slot }
    return Handle(slot: slot)
  }

  /// Removes the range with this handle from `insert`, once.
  ///
  /// - Complexity: O(log n) comparisons of keys.
  package mutating func remove(_ handle: Handle) {
    root = removing(handle.slot, below: root)
    if first == handle.slot { first = leftmost(below: root) }
    nodes[handle.slot].range = KeyRange(lower: [], upper: [])
    freeSlots.append(handle.slot)
  }

  /// Calls `body` for each range that contains `key`, in the order of their lower bounds.
  ///
  /// - Returns: the number of ranges that were looked at.
  /// - Complexity: O(log n) comparisons of keys, and O(log n) for each range that is found.
  @discardableResult
  package func forEach(containing key: RawSpan, _ body: (Element) -> Void) -> Int {
    guard first != RangeMap.none, !key.precedes(nodes[first].range.lower) else { return 0 }
    return visit(root, key, body)
  }

  private func visit(_ slot: Int, _ key: RawSpan, _ body: (Element) -> Void) -> Int {
    guard slot != RangeMap.none, key.precedes(nodes[nodes[slot].highest].range.upper) else {
      return 0
    }
    var count = 1 + visit(nodes[slot].left, key, body)
    // Everything to the right begins even later.
    guard !key.precedes(nodes[slot].range.lower) else { return count }
    if key.precedes(nodes[slot].range.upper) { body(nodes[slot].element) }
    count += visit(nodes[slot].right, key, body)
    return count
  }

  // MARK: The tree

  private mutating func inserting(_ slot: Int, below top: Int) -> Int {
    guard top != RangeMap.none else { return slot }
    if precedes(slot, top) {
      let left = inserting(slot, below: nodes[top].left)
      nodes[top].left = left
      if nodes[left].priority > nodes[top].priority { return turnRight(top) }
    } else {
      let right = inserting(slot, below: nodes[top].right)
      nodes[top].right = right
      if nodes[right].priority > nodes[top].priority { return turnLeft(top) }
    }
    updateHighest(of: top)
    return top
  }

  private mutating func removing(_ slot: Int, below top: Int) -> Int {
    precondition(top != RangeMap.none, "The range \(slot) isn't there.")
    if slot == top { return joining(nodes[top].left, nodes[top].right) }
    if precedes(slot, top) {
      nodes[top].left = removing(slot, below: nodes[top].left)
    } else {
      nodes[top].right = removing(slot, below: nodes[top].right)
    }
    updateHighest(of: top)
    return top
  }

  /// Joins two trees into one. All nodes of the left tree precede those of the right one.
  private mutating func joining(_ left: Int, _ right: Int) -> Int {
    guard left != RangeMap.none else { return right }
    guard right != RangeMap.none else { return left }
    if nodes[left].priority > nodes[right].priority {
      nodes[left].right = joining(nodes[left].right, right)
      updateHighest(of: left)
      return left
    }
    nodes[right].left = joining(left, nodes[right].left)
    updateHighest(of: right)
    return right
  }

  private func leftmost(below top: Int) -> Int {
    var slot = top
    while slot != RangeMap.none, nodes[slot].left != RangeMap.none { slot = nodes[slot].left }
    return slot
  }

  private mutating func turnRight(_ top: Int) -> Int {
    let left = nodes[top].left
    nodes[top].left = nodes[left].right
    nodes[left].right = top
    updateHighest(of: top)
    updateHighest(of: left)
    return left
  }

  private mutating func turnLeft(_ top: Int) -> Int {
    let right = nodes[top].right
    nodes[top].right = nodes[right].left
    nodes[right].left = top
    updateHighest(of: top)
    updateHighest(of: right)
    return right
  }

  private func precedes(_ slot: Int, _ other: Int) -> Bool {
    switch nodes[slot].range.lower.byteCompare(nodes[other].range.lower) {
    case .less: true
    case .equal: nodes[slot].sequence < nodes[other].sequence
    case .greater: false
    }
  }

  private mutating func updateHighest(of slot: Int) {
    var highest = slot
    for child in [nodes[slot].left, nodes[slot].right] where child != RangeMap.none {
      let candidate = nodes[child].highest
      if nodes[highest].range.upper.precedes(nodes[candidate].range.upper) { highest = candidate }
    }
    nodes[slot].highest = highest
  }
}

extension RangeMap {
  /// Number of nodes on the longest path down, for tests of the tree's balance.
  package var depth: Int { depth(below: root) }

  private func depth(below slot: Int) -> Int {
    guard slot != RangeMap.none else { return 0 }
    return 1 + max(depth(below: nodes[slot].left), depth(below: nodes[slot].right))
  }
}

extension RawSpan {
  fileprivate func precedes(_ key: [UInt8]) -> Bool { precedes(key.span.bytes) }
}

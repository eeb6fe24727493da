import DocumentModel

/// The entries of several branches as one ordered list, in which a document of several branches
/// appears once (§4.3).
///
/// A heap holds the branches by their current keys. A branch that hasn't been read yet has a lower
/// bound of its keys there, and is opened when the bound comes first. So a page that ends before
/// the bound costs the branch nothing.
struct BranchMerge {
  let branches: [BranchEntries]
  private var keys: [[UInt8]]
  /// Branches that have entries left, as a binary heap with the first branch on top.
  private var heap: [Int] = []
  /// The branches that stand on the current entry's document.
  private(set) var current: [Int] = []

  init(_ branches: [BranchEntries]) {
    self.branches = branches
    keys = branches.map(\.lowestKey)
    for index in branches.indices { push(index) }
  }

  /// Moves to the next document. Returns `false` at the end.
  mutating func next(_ deadline: inout Deadline) throws -> Bool {
    for index in current { try advance(index, &deadline) }
    current.removeAll(keepingCapacity: true)
    while let first = heap.first {
      pop()
      if branches[first].isOpen {
        current.append(first)
        while let other = heap.first, keys[other] == keys[first] {
          current.append(other)
          pop()
        }
        return true
      }
      try advance(first, &deadline)
    }
    return false
  }

  private mutating func advance(_ index: Int, _ deadline: inout Deadline) throws {
    guard try branches[index].next(&deadline) else { return }
    try branches[index].readKey(into: &keys[index])
    push(index)
  }

  // MARK: The heap

  /// Whether one branch comes before another. If their keys are equal, an unopened branch comes
  /// first, since it may have the same document.
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    switch keys[left].byteCompare(keys[right]) {
    case .less: true
    case .greater: false
    case .equal: !branches[left].isOpen && branches[right].isOpen
    }
  }

  private mutating func push(_ index: Int) {
    var child = heap.count
    heap.append(index)
    while child > 0, precedes(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && precedes(heap[child], heap[first]) {
        first = child
      }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }
}

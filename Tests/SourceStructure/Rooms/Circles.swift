/// The strongly connected components of a directed graph, by Tarjan's algorithm ("Depth-First
/// Search and Linear Graph Algorithms", 1972).
struct Circles {
  /// Sets of nodes that all lead to each other; a node that doesn't lead back is alone in its set.
  private(set) var all: [[Int]] = []
  private let edges: [[Int]]
  private var order: [Int?]
  private var lowest: [Int]
  private var isOpen: [Bool]
  private var open: [Int] = []
  private var count = 0

  init(of edges: [[Int]]) {
    self.edges = edges
    order = Array(repeating: nil, count: edges.count)
    lowest = Array(repeating: 0, count: edges.count)
    isOpen = Array(repeating: false, count: edges.count)
    for node in edges.indices where order[node] == nil { _ = visit(node) }
  }

  private mutating func visit(_ node: Int) -> Int {
    let number = count
    count += 1
    order[node] = number
    lowest[node] = number
    isOpen[node] = true
    open.append(node)
    for next in edges[node] {
      if let reached = order[next] {
        if isOpen[next] { lowest[node] = min(lowest[node], reached) }
      } else {
        lowest[node] = min(lowest[node], visit(next))
      }
    }
    if lowest[node] == number {
      let start = open.lastIndex(of: node) ?? 0
      for member in open[start...] { isOpen[member] = false }
      all.append(Array(open[start...]))
      open.removeSubrange(start...)
    }
    return lowest[node]
  }
}

import HearthDocumentModel

/// The check of calls between functions: no circles, and chains of a bounded length.
struct CallCheck {
  private static let depthLimit = 20

  private let names: [Name]
  /// The functions that each function calls, by their numbers.
  private let calls: [[Int]]
  private var issues: [RulesIssue] = []
  private var isDone: [Bool]
  private var stack: [Int] = []
  /// The length of the longest chain of calls from each function, itself included.
  private var heights: [Int]

  private init(names: [Name], calls: [[Int]]) {
    (self.names, self.calls) = (names, calls)
    isDone = Array(repeating: false, count: names.count)
    heights = Array(repeating: 1, count: names.count)
  }

  /// Returns the faults of functions with these names, each of which calls others by number.
  static func issues(names: [Name], calls: [[Int]]) -> [RulesIssue] {
    var check = CallCheck(names: names, calls: calls)
    for function in names.indices { check.visit(function) }
    if check.issues.isEmpty { check.checkDepth() }
    return check.issues
  }

  private mutating func visit(_ function: Int) {
    guard !isDone[function] else { return }
    // The stack of the walk is a list, as a file may have a chain of many thousand functions.
    var pending: [(function: Int, next: Int)] = [(function, 0)]
    stack = [function]
    while let (caller, next) = pending.last {
      guard next < calls[caller].count else {
        isDone[caller] = true
        heights[caller] = 1 + (calls[caller].map { heights[$0] }.max() ?? 0)
        pending.removeLast()
        stack.removeLast()
        continue
      }
      pending[pending.count - 1].next += 1
      let callee = calls[caller][next]
      if let place = stack.firstIndex(of: callee) {
        reportCircle(Array(stack[place...]))
      } else if !isDone[callee] {
        pending.append((callee, 0))
        stack.append(callee)
      }
    }
  }

  private mutating func reportCircle(_ circle: [Int]) {
    guard circle.count > 1 else {
      report("Recursive call is not allowed.", at: circle[0])
      return
    }
    let list = circle.map { names[$0].text }.joined(separator: ",")
    report("Detected a call cycle between [\(list)] functions.", at: circle[0])
  }

  /// Reports the first chain that is too long, at the function that ends it.
  private mutating func checkDepth() {
    // Production takes a chain of one function more than it says.
    let limit = Self.depthLimit + 2
    guard let start = heights.firstIndex(where: { $0 == limit }) else { return }
    var chain = [start]
    while let last = chain.last, let next = calls[last].max(by: { heights[$0] < heights[$1] }) {
      chain.append(next)
    }
    guard let end = chain.popLast() else { return }
    let stack = chain.map { names[$0].text }.joined(separator: "->")
    report("Maximum allowed call depth of 20 is reached for [\(stack)] call stack.", at: end)
  }

  private mutating func report(_ description: String, at function: Int) {
    issues.append(RulesIssue(.error, description, at: names[function].range))
  }
}

import SourceStructure

/// Where a function, initializer, subscript or computed property begins and how long it is.
struct FunctionExtent {
  /// The line of its keyword, counted from 1.
  var line: Int
  /// Its lines, from the keyword to the closing brace.
  var lineCount: Int

  /// Every one in `file` that has a body, in the order in which they end.
  ///
  /// What stands between two braces tells whether the second opens a function: the last declaring
  /// keyword is that function's. A closure among default arguments is taken for the body, which
  /// is good enough for a limit on length.
  static func all(in file: SourceFile) -> [FunctionExtent] {
    var extents: [FunctionExtent] = []
    var open: [Int?] = []
    var header = Header()
    for (number, code) in file.codeLines {
      for token in Words.all(of: code) {
        switch token {
        case "{":
          open.append(header.functionLine)
          header = Header()
        case "}":
          if let start = open.popLast() ?? nil {
            extents.append(FunctionExtent(line: start, lineCount: number - start + 1))
          }
          header = Header()
        default:
          header.read(token, at: number)
        }
      }
    }
    return extents
  }

  /// What was read since the last brace.
  private struct Header {
    private var keywordLine: Int?
    private var isVariable = false
    private var previous = ""

    /// The line of the function that a brace would open now.
    var functionLine: Int? { keywordLine }

    mutating func read(_ token: String, at line: Int) {
      switch token {
      case "func", "init", "deinit", "subscript", "var":
        // `self.init(…)` and `.init(…)` are calls.
        if previous != "." {
          keywordLine = line
          isVariable = token == "var"
        }
      case "=":
        // A variable with a value has no getter; the brace belongs to the value.
        if isVariable { keywordLine = nil }
      default:
        break
      }
      previous = token
    }
  }
}

import SourceStructure

/// The place and length of a function, initializer, subscript or computed property.
struct FunctionExtent {
  /// Line of its keyword, counted from 1.
  var line: Int
  /// Number of its lines, from the keyword to the closing brace.
  var lineCount: Int

  /// Returns every function in `file` that has a body, in the order of their ends.
  ///
  /// The text between two braces tells whether the second opens a function: the last declaring
  /// keyword is that function's. A closure among default arguments is taken for the body, which is
  /// good enough for a limit on length.
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

  /// The text since the last brace.
  private struct Header {
    private var keywordLine: Int?
    private var isVariable = false
    private var previous = ""

    /// Line of the function that a brace would open now.
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

/// Where a message is being read, the way production names the place in its errors: field names in
/// snake case, list items by their index, such as `writes[0].update.fields[2].value` (§6.1).
struct MessagePath {
  private enum Step {
    case field(String)
    case item(Int)
  }

  private let root: String
  private var steps: [Step] = []

  /// - Parameter root: the place of the message itself in its request; empty for none.
  init(_ root: String) {
    self.root = root
  }

  mutating func enter(field name: String) { steps.append(.field(name)) }

  mutating func enter(item index: Int) { steps.append(.item(index)) }

  mutating func leave() { steps.removeLast() }

  var text: String {
    steps.reduce(into: root) { text, step in
      switch step {
      case .field(let name): text += (text.isEmpty ? "" : ".") + name
      case .item(let index): text += "[\(index)]"
      }
    }
  }

  /// ` at '…'`, or nothing for the root of a request.
  var location: String {
    let text = text
    return text.isEmpty ? "" : " at '\(text)'"
  }
}

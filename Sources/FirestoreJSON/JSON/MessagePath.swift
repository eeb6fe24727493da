/// A place in a message, in the form of production's errors: field names in snake case and list
/// items by their index, such as `writes[0].update.fields[2].value` (§6.1).
struct MessagePath {
  private enum Step {
    case field(String)
    case item(Int)
  }

  private let root: String
  private var steps: [Step] = []

  /// - Parameter root: the place of the message itself in its request; empty if it is the request.
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

  /// The place as ` at '…'`; empty for the root of a request.
  var location: String {
    let text = text
    return text.isEmpty ? "" : " at '\(text)'"
  }
}

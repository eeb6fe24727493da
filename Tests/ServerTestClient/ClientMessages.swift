/// The messages of a call's answer, one after the other.
package struct ClientMessages {
  private let stream: ClientStream
  private var bytes: [UInt8] = []
  private var end = ClientAnswer()

  package init(of stream: ClientStream) {
    self.stream = stream
  }

  /// The code in the trailers; `nil` as long as the answer hasn't ended.
  package var status: Int? { end.status }
  package var message: String? { end.message }

  /// Returns the next message; `nil` after the last one.
  package mutating func next() async -> [UInt8]? {
    while true {
      if let message = takeMessage() { return message }
      switch await stream.next() {
      case .headers(let headers, _): end.headers.append(headers)
      case .data(let data, _): bytes += data
      case .reset(let code): end.resetCode = code
      case .closed: return nil
      }
    }
  }

  private mutating func takeMessage() -> [UInt8]? {
    guard bytes.count >= 5 else { return nil }
    let count = bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 5 + count else { return nil }
    defer { bytes.removeFirst(5 + count) }
    return Array(bytes.dropFirst(5).prefix(count))
  }
}

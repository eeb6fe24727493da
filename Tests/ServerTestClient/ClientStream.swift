import NIOCore
import NIOHPACK
import NIOHTTP2
import Synchronization

/// One HTTP/2 stream of a test: frames go out as the test says, and come back as they are.
package final class ClientStream: Sendable {
  /// A frame of the server's.
  package enum Event: Sendable, Equatable {
    case headers([String: String], isLast: Bool)
    case data([UInt8], isLast: Bool)
    case reset(code: Int)
    case closed
  }

  private let channel: any Channel
  private let events: ClientEvents

  init(_ channel: any Channel, _ events: ClientEvents) {
    self.channel = channel
    self.events = events
  }

  // MARK: Sending

  package func send(headers: [(String, String)], isLast: Bool = false) async throws {
    let frame = HTTP2Frame.FramePayload.headers(
      .init(headers: HPACKHeaders(headers), endStream: isLast))
    try await channel.writeAndFlush(frame)
  }

  package func send(bytes: [UInt8], isLast: Bool = false) async throws {
    let data = HTTP2Frame.FramePayload.Data(
      data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: isLast)
    try await channel.writeAndFlush(HTTP2Frame.FramePayload.data(data))
  }

  /// Sends a message in its frame.
  package func send(message: [UInt8], isLast: Bool = false) async throws {
    try await send(bytes: ClientStream.framed(message), isLast: isLast)
  }

  package func end() async throws { try await send(bytes: [], isLast: true) }

  package func reset() async throws {
    try await channel.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.cancel))
  }

  /// Leaves reading to `read()`. The server's window is used up after a while.
  package func stopReading() async throws {
    try await channel.setOption(.autoRead, value: false).get()
  }

  // MARK: Receiving

  /// Returns the next frame. Only one task at a time may ask.
  package func next() async -> Event { await events.next() }

  /// Returns the next frame of a stream that has stopped to read. It reads on when the frames that
  /// came before have been returned.
  package func read() async -> Event {
    if events.isEmpty { channel.read() }
    return await events.next()
  }

  /// Returns everything up to the end of the stream.
  package func answer() async -> ClientAnswer {
    var answer = ClientAnswer()
    while true {
      switch await next() {
      case .headers(let headers, _): answer.headers.append(headers)
      case .data(let bytes, _): answer.bytes += bytes
      case .reset(let code): answer.resetCode = code
      case .closed: return answer
      }
    }
  }

  package static func framed(_ message: [UInt8], flag: UInt8 = 0) -> [UInt8] {
    let count = UInt32(message.count)
    return [flag] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + message
  }
}

/// The whole answer to a call.
package struct ClientAnswer: Sendable {
  package var headers: [[String: String]] = []
  package var bytes: [UInt8] = []
  package var resetCode: Int?

  package init() {}

  /// The messages without their frames.
  package var messages: [[UInt8]] {
    var rest = bytes[...]
    var messages: [[UInt8]] = []
    while rest.count >= 5 {
      let count = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
      messages.append(Array(rest.dropFirst(5).prefix(count)))
      rest = rest.dropFirst(5 + count)
    }
    return messages
  }

  /// The code in the trailers; `nil` if there are none.
  package var status: Int? { headers.last?["grpc-status"].flatMap(Int.init) }
  package var message: String? { headers.last?["grpc-message"] }
}

/// The frames that have come on a stream, and were not looked at.
final class ClientEvents: Sendable {
  private let events: AsyncStream<ClientStream.Event>
  private let continuation: AsyncStream<ClientStream.Event>.Continuation
  private let count = Atomic(0)

  init() {
    (events, continuation) = AsyncStream.makeStream()
  }

  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  func add(_ event: ClientStream.Event) {
    count.add(1, ordering: .sequentiallyConsistent)
    continuation.yield(event)
  }

  func finish() { continuation.finish() }

  func next() async -> ClientStream.Event {
    for await event in events {
      count.subtract(1, ordering: .sequentiallyConsistent)
      return event
    }
    return .closed
  }
}

/// Turns the frames of a stream into events.
final class ClientStreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload

  private let events: ClientEvents

  init(_ events: ClientEvents) {
    self.events = events
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let frame):
      let headers = Dictionary(
        frame.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      events.add(.headers(headers, isLast: frame.endStream))
    case .data(let frame):
      guard case .byteBuffer(let bytes) = frame.data else { return }
      events.add(.data(Array(bytes.readableBytesView), isLast: frame.endStream))
    case .rstStream(let code): events.add(.reset(code: code.networkCode))
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    events.finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

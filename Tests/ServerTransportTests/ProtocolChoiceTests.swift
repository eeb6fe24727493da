import HearthServerTransport
import NIOCore
import NIOEmbedded
import Testing

/// The choice of a connection's protocol.
@Suite struct ProtocolChoiceTests {
  /// Reads once more while it reads the first bytes, as a connection does that breaks under an
  /// answer.
  private final class ReadingAgain: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    var received: [String] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      received.append(String(buffer: unwrapInboundIn(data)))
      if received.count == 1 {
        context.pipeline.fireChannelRead(ByteBuffer(string: "PRI again"))
      }
    }
  }

  @Test func aConnectionChoosesOnce() throws {
    let channel = EmbeddedChannel()
    let reader = ReadingAgain()
    var choices = 0
    try channel.pipeline.syncOperations.addHandler(
      ProtocolChoice(within: .seconds(60)) { context, _ in
        choices += 1
        if choices == 1 { try context.pipeline.syncOperations.addHandler(reader) }
      })
    try channel.writeInbound(ByteBuffer(string: "PRI * HTTP/2.0"))
    #expect(choices == 1)
    #expect(reader.received == ["PRI * HTTP/2.0", "PRI again"])
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}

/// The limits of channels, and their times.
package struct ChannelLimits: Sendable {
  /// Channels that may be open at once. A tab of a browser has two of them at most.
  package var channelCount = 2_000
  /// Messages that one request may bring. The web SDK brings 1,000 at most.
  package var messageCount = 1_000
  /// Bytes of the client's messages that one channel holds until they are taken.
  package var requestByteCount = 24 << 20
  /// Bytes that one channel holds for a client that doesn't acknowledge them, before its stream
  /// waits.
  package var responseByteCount = 2 << 20
  /// Bytes that all channels hold together.
  package var totalByteCount = 256 << 20
  /// Bytes after which an answer ends, so that the client acknowledges them with its next request.
  package var answerByteCount = 1 << 20
  /// Bytes that are collected into one part.
  package var partByteCount = 64 << 10
  /// Time without a message after which the client is told that the channel lives.
  package var keepAlive = Duration.seconds(30)
  /// Time after which an answer ends, so that nothing between holds it back for good.
  package var answerTime = Duration.seconds(60)
  /// Time without a request after which a channel is forgotten.
  package var idleTime = Duration.seconds(90)
  /// Threads on which the streams run.
  package var threadCount = 8

  package init() {}
}

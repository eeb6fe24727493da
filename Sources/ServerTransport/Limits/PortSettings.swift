/// The limits of a port.
package struct PortSettings: Sendable {
  /// The largest message or body. It is more than the 10 MiB that a commit may have, so that a
  /// larger one is refused in the database's words.
  package var messageByteCount = 16 << 20
  /// Streams that one connection may have at once.
  package var streamCount = 1_000
  /// The longest list of headers.
  package var headerByteCount = 16 << 10
  /// Connections that the port takes at once. A further one is closed.
  package var connectionCount = 10_000
  /// Time that a client has for the first bytes of a connection, which tell its protocol.
  package var choiceTime = Duration.seconds(60)
  /// Time that a client has for each whole request of HTTP/1.1, and for the single message of a
  /// call. A connection of HTTP/1.1 that asks nothing ends after it, too, as do an answer and a
  /// call of which the client takes nothing for as long.
  package var requestTime = Duration.seconds(60)
  /// Time without a stream after which a connection of HTTP/2 ends.
  package var idleTime = Duration.seconds(3600)
  /// Time between looks at a connection of HTTP/2 whose client says nothing. It is pinged at the
  /// second one, and closed at the third.
  package var pingTime = Duration.seconds(120)
  /// Bytes of requests that have begun and are not whole yet, of all clients together. A request
  /// beyond them is refused.
  package var unfinishedByteCount = 512 << 20
  /// Threads for handlers.
  package var threadCount = 16

  package init() {}
}

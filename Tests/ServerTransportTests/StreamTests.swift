import HearthServerTransport
import ServerTestClient
import Synchronization
import Testing

/// Calls with any number of messages.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
  private static let echo = RPCMethod(.many) { call in
    while let message = try await call.next() { try await call.send(message) }
  }

  @Test func messagesPassInBothDirections() async throws {
    try await TestPort.withClient(["/t.T/Talk": Self.echo]) { client in
      let stream = try await client.openCall("/t.T/Talk")
      for number in 0..<5 as Range<UInt8> {
        try await stream.send(message: [number])
        if number == 0 { #expect(await stream.next().isHeaders) }
        #expect(await stream.next() == .data(ClientStream.framed([number]), isLast: false))
      }
      try await stream.end()
      #expect(await stream.answer().status == 0)
    }
  }

  @Test func headersMayComeBeforeAnyMessage() async throws {
    let methods = [
      "/t.T/Accept": RPCMethod(.many) { call in
        call.accept()
        _ = try await call.next()
      }
    ]
    try await TestPort.withClient(methods) { client in
      let stream = try await client.openCall("/t.T/Accept")
      #expect(await stream.next().isHeaders)
      try await stream.end()
      let answer = await stream.answer()
      #expect(answer.status == 0)
      #expect(answer.headers.last?[":status"] == nil)
    }
  }

  @Test func aStreamWithoutMessagesHasTrailersAlone() async throws {
    try await TestPort.withClient(["/t.T/None": RPCMethod(.one) { _ in }]) { client in
      let answer = try await client.call("/t.T/None", [])
      #expect(answer.headers.count == 1)
      #expect(answer.headers.first?[":status"] == "200")
      #expect(answer.status == 0)
    }
  }

  @Test func aMethodMayTakeSmallMessagesAlone() async throws {
    let methods = [
      "/t.T/Small": RPCMethod(.many, messageByteCount: 4) { call in
        while let message = try await call.next() { try await call.send(message) }
      }
    ]
    try await TestPort.withClient(methods) { client in
      let small = try await client.call("/t.T/Small", [1, 2, 3, 4])
      #expect(small.messages == [[1, 2, 3, 4]])
      let large = try await client.call("/t.T/Small", [1, 2, 3, 4, 5])
      #expect(large.status == 8)
    }
  }

  @Test func theServerMayEndAStreamFirst() async throws {
    let methods = [
      "/t.T/First": RPCMethod(.many) { call in
        _ = try await call.next()
        throw RPCStatus(.aborted, "enough")
      }
    ]
    try await TestPort.withClient(methods) { client in
      let stream = try await client.openCall("/t.T/First")
      try await stream.send(message: [1])
      let answer = await stream.answer()
      #expect(answer.status == 10)
      #expect(answer.message == "enough")
    }
  }

  // MARK: Back-pressure

  @Test func aHandlerWaitsForAClientThatDoesNotRead() async throws {
    let sent = Counter()
    let methods = [
      "/t.T/Flood": RPCMethod(.one) { call in
        while true {
          try await call.send([UInt8](repeating: 7, count: Self.messageByteCount))
          sent.add(1)
        }
      }
    ]
    try await TestPort.withClient(methods) { client in
      let stream = try await client.openCall("/t.T/Flood")
      try await stream.stopReading()
      try await stream.send(message: [], isLast: true)
      var byteCount = 0
      while byteCount < 100 * Self.messageByteCount {
        switch await stream.read() {
        case .data(let bytes, _): byteCount += bytes.count
        case .headers: break
        default: throw CancellationError()
        }
        // Beyond what was read: the call's own room, the stream's buffer, both windows, and what
        // the client has not looked at.
        let lead = sent.count * Self.messageByteCount - byteCount
        try #require(lead < 8 << 20)
      }
      try await stream.reset()
    }
  }

  @Test func aClientWaitsForAHandlerThatDoesNotRead() async throws {
    let (go, done) = (Signal(), Signal())
    let received = Counter()
    let methods = [
      "/t.T/Sip": RPCMethod(.many) { call in
        call.accept()
        await go.wait()
        while let message = try await call.next() { received.add(message.count) }
        done.raise()
      }
    ]
    try await TestPort.withClient(methods) { client in
      let stream = try await client.openCall("/t.T/Sip")
      #expect(await stream.next().isHeaders)
      let written = Counter()
      let count = 100
      let writing = Task {
        for _ in 0..<count {
          try await stream.send(message: [UInt8](repeating: 1, count: Self.messageByteCount))
          written.add(1)
        }
        try await stream.end()
      }
      // The server takes no more than its windows; only then does the handler begin.
      go.raise()
      try await writing.value
      await done.wait()
      #expect(received.count == count * Self.messageByteCount)
      #expect(await stream.answer().status == 0)
    }
  }

  private static let messageByteCount = 64 << 10
}

extension ClientStream.Event {
  var isHeaders: Bool { if case .headers = self { true } else { false } }
}

final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .sequentiallyConsistent) }

  func add(_ count: Int) { value.add(count, ordering: .sequentiallyConsistent) }
}

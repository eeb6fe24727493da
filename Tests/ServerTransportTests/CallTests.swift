import HearthServerTransport
import ServerTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct CallTests {
  @Test func aMessageIsAnswered() async throws {
    try await TestPort.withClient { client in
      let answer = try await client.call("/t.T/Echo", [1, 2, 3])
      #expect(answer.messages == [[1, 2, 3]])
      #expect(answer.headers.count == 2)
      #expect(answer.headers.first?[":status"] == "200")
      #expect(answer.headers.first?["content-type"] == "application/grpc")
      #expect(answer.headers.first?["grpc-accept-encoding"] == "gzip")
      #expect(answer.status == 0)
    }
  }

  @Test func anEmptyMessageIsOne() async throws {
    try await TestPort.withClient { client in
      let answer = try await client.call("/t.T/Echo", [])
      #expect(answer.messages == [[]])
      #expect(answer.status == 0)
    }
  }

  @Test func aMessageMayComeByteByByte() async throws {
    try await TestPort.withClient { client in
      let stream = try await client.openCall("/t.T/Echo")
      for byte in ClientStream.framed([1, 2, 3]) { try await stream.send(bytes: [byte]) }
      try await stream.end()
      #expect(await stream.answer().messages == [[1, 2, 3]])
    }
  }

  @Test func largeMessagesPassBothWays() async throws {
    try await TestPort.withClient { client in
      let message = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
      let answer = try await client.call("/t.T/Echo", message)
      #expect(answer.messages == [message])
    }
  }

  @Test func callsRunBesideEachOther() async throws {
    let last = Signal()
    let methods = [
      "/t.T/Echo": TestPort.echo,
      "/t.T/Wait": RPCMethod(.one) { call in
        await last.wait()
        call.reply([9])
      },
    ]
    try await TestPort.withClient(methods) { client in
      let waiting = try await client.openCall("/t.T/Wait")
      try await waiting.send(message: [], isLast: true)
      for number in 0..<200 {
        let answer = try await client.call("/t.T/Echo", [UInt8(number)])
        #expect(answer.messages == [[UInt8(number)]])
      }
      last.raise()
      #expect(await waiting.answer().messages == [[9]])
    }
  }

  // MARK: Faults

  @Test func faultsOfACallAreToldByItsTrailers() async throws {
    try await TestPort.withClient { client in
      func status(_ bytes: [UInt8], path: String = "/t.T/Echo") async throws -> [String] {
        let stream = try await client.openCall(path)
        // The server may have ended the call already, by its headers alone.
        try? await stream.send(bytes: bytes, isLast: true)
        let answer = await stream.answer()
        #expect(answer.headers.count == 1)
        #expect(answer.headers.first?[":status"] == "200")
        return [answer.headers.last?["grpc-status"] ?? "", answer.message ?? ""]
      }
      let message = ClientStream.framed([1])
      let unknown = try await status(message, path: "/t.T/Nope")
      #expect(unknown == ["12", "Method not found: t.T/Nope"])
      let midFrame = ["13", "Encountered end-of-stream mid-frame"]
      for cut in [[0, 0, 0], Array(message.dropLast())] {
        let status = try await status(cut)
        #expect(status == midFrame)
      }
      let none = try await status([])
      #expect(none == ["13", "Half-closed without a request"])
      let two = try await status(message + message)
      #expect(two == ["13", "Too many requests"])
      let tooLong = try await status([0, 0xFF, 0xFF, 0xFF, 0xFF])
      #expect(tooLong == ["8", "gRPC message exceeds maximum size 16777216: 4294967295"])
      let strange = try await status([7, 0, 0, 0, 0])
      #expect(strange[0] == "13")
      // The connection goes on.
      let next = try await client.call("/t.T/Echo", [5])
      #expect(next.messages == [[5]])
    }
  }

  @Test func aHandlersStatusIsSentWithTextAndDetails() async throws {
    let methods = [
      "/t.T/Fail": RPCMethod(.one) { _ in
        throw RPCStatus(.failedPrecondition, "é%x\n", details: "AQIDBA")
      },
      "/t.T/Late": RPCMethod(.one) { call in
        try await call.send([1])
        throw RPCStatus(.notFound, "gone")
      },
      "/t.T/Fault": RPCMethod(.one) { _ in throw Fault() },
    ]
    try await TestPort.withClient(methods) { client in
      let failed = try await client.call("/t.T/Fail", [])
      #expect(failed.headers.count == 1)
      #expect(failed.status == 9)
      #expect(failed.message == "%C3%A9%25x%0A")
      #expect(failed.headers.last?["grpc-status-details-bin"] == "AQIDBA")
      let late = try await client.call("/t.T/Late", [])
      #expect(late.messages == [[1]])
      #expect(late.headers.count == 2)
      #expect(late.status == 5)
      let fault = try await client.call("/t.T/Fault", [])
      #expect(fault.status == 13)
    }
  }

  private struct Fault: Error {}

  // MARK: Compression

  @Test func aCompressedMessageIsRead() async throws {
    try await TestPort.withClient { client in
      let answer = try await Self.send(Self.zeros, "gzip", by: client)
      #expect(answer.messages == [Self.content])
    }
  }

  @Test func theLimitCountsTheDecompressedBytes() async throws {
    var settings = PortSettings()
    settings.messageByteCount = 99
    try await TestPort.withClient(settings: settings) { client in
      let answer = try await Self.send(Self.zeros, "gzip", by: client)
      #expect(answer.status == 8)
      #expect(answer.message == "gRPC message exceeds maximum size 99: 100")
    }
  }

  @Test func compressionsThatAreNotReadableAreRefused() async throws {
    try await TestPort.withClient { client in
      let unknown = try await Self.send(Self.zeros, "br", by: client)
      #expect(unknown.status == 12)
      #expect(unknown.message == "Can't find decompressor for br")
      #expect(unknown.headers.last?["grpc-accept-encoding"] == "gzip")
      for (bytes, encoding) in [
        (Self.zeros, "identity"), (Array(Self.zeros.dropLast(9)), "gzip"), ([1, 2, 3], "gzip"),
      ] {
        let answer = try await Self.send(bytes, encoding, by: client)
        #expect(answer.status == 13)
      }
    }
  }

  /// A hundred zeros by gzip.
  private static let zeros: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0xFF, 0x63, 0x60, 0xA0, 0x3D, 0, 0, 0xCA, 0xC6, 0x88,
    0x99, 0x64, 0, 0, 0,
  ]
  private static let content = [UInt8](repeating: 0, count: 100)

  private static func send(
    _ bytes: [UInt8], _ encoding: String, by client: ServerClient
  ) async throws -> ClientAnswer {
    let stream = try await client.openCall("/t.T/Echo", headers: [("grpc-encoding", encoding)])
    try await stream.send(bytes: ClientStream.framed(bytes, flag: 1), isLast: true)
    return await stream.answer()
  }

  // MARK: Ends

  @Test func theDeadlineEndsACallAndItsHandler() async throws {
    let ended = Signal()
    // Such a handler begins with the headers, before the deadline can end the call. An answer at
    // its cancellation comes too late.
    let methods = [
      "/t.T/Wait": RPCMethod(.many) { call in
        await withTaskCancellationHandler {
          await Self.waitForEnd(ended)
        } onCancel: {
          call.reply([1])
        }
      }
    ]
    try await TestPort.withClient(methods) { client in
      let waiting = try await client.openCall(
        "/t.T/Wait", headers: [("grpc-timeout", "1m")], isLast: true)
      let answer = await waiting.answer()
      #expect(answer.status == 4)
      await ended.wait()
      for text in ["", "m", "1", "x1S", "123456789S", "1s"] {
        let stream = try await client.openCall(
          "/t.T/Wait", headers: [("grpc-timeout", text)], isLast: true)
        let answer = await stream.answer()
        #expect(answer.status == 13)
      }
    }
  }

  @Test func aHandlerKnowsTheTimeThatIsLeft() async throws {
    let methods = [
      "/t.T/Left": RPCMethod(.one) { call in
        let left = call.deadline.map { ContinuousClock.now.duration(to: $0) }
        call.reply([left.map { $0 > .seconds(1_000) && $0 <= .seconds(7_200) ? 1 : 2 } ?? 0])
      }
    ]
    try await TestPort.withClient(methods) { client in
      for text in ["2H", "120M", "7200S", "7200000m"] {
        let answer = try await client.call("/t.T/Left", [], headers: [("grpc-timeout", text)])
        #expect(answer.messages == [[1]])
      }
      let endless = try await client.call("/t.T/Left", [])
      #expect(endless.messages == [[0]])
    }
  }

  @Test func aClientsResetEndsTheHandler() async throws {
    let (begun, ended) = (Signal(), Signal())
    let methods = [
      "/t.T/Wait": RPCMethod(.one) { _ in
        begun.raise()
        await Self.waitForEnd(ended)
      },
      "/t.T/Read": RPCMethod(.many) { call in
        begun.raise()
        defer { ended.raise() }
        while try await call.next() != nil {}
      },
    ]
    try await TestPort.withClient(methods) { client in
      for path in ["/t.T/Wait", "/t.T/Read"] {
        let stream = try await client.openCall(path)
        try await stream.send(message: [], isLast: path == "/t.T/Wait")
        await begun.wait()
        try await stream.reset()
        await ended.wait()
      }
    }
  }

  @Test func theEndOfAConnectionEndsItsHandlers() async throws {
    let (begun, ended) = (Signal(), Signal())
    let methods = [
      "/t.T/Wait": RPCMethod(.one) { _ in
        begun.raise()
        await Self.waitForEnd(ended)
      }
    ]
    try await TestPort.with(methods) { port in
      let client = try await ServerClient.connect(to: port.number)
      let stream = try await client.openCall("/t.T/Wait")
      try await stream.send(message: [], isLast: true)
      await begun.wait()
      try await client.close()
      await ended.wait()
    }
  }

  /// Waits until the task is cancelled.
  private static func waitForEnd(_ ended: Signal) async {
    await TestPort.waitForever()
    ended.raise()
  }
}

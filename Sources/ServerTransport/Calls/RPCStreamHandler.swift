import NIOCore
import NIOHPACK
import NIOHTTP2

/// One call on its HTTP/2 stream: reads the client's frames, runs the handler, writes the answer.
final class RPCStreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let admits: RPCAdmission
  private let methods: RPCMethods
  private let threads: CallThreads
  private let limits: PortSettings
  private let observer: any PortObserver
  private var share: UnfinishedBytes.Share
  private var decoder: RPCFrameDecoder
  private var method: RPCMethod?
  private var call: RPCCall?
  /// The path of the method; `nil` if there is none.
  private var path: String?
  private var task: Task<Void, Never>?
  private var deadline: Scheduled<Void>?
  /// The only message of a method that takes one.
  private var request: [UInt8]?
  /// Refuses a call whose only message is not there in time.
  private var requestDeadline: Scheduled<Void>?
  private var hasSentHeaders = false
  /// Whether the client has sent all that it will send.
  private var hasAllRequests = false
  private var isReading = true
  private var isOver = false
  /// The moment at which the headers came.
  private let begun = ContinuousClock.now
  /// The code with which the call has ended; a client that goes away has cancelled it.
  private var code = RPCStatus.Code.cancelled

  init(
    _ admits: @escaping RPCAdmission, _ methods: @escaping RPCMethods, on threads: CallThreads,
    unfinished: UnfinishedBytes, limits: PortSettings, observer: any PortObserver
  ) {
    self.admits = admits
    self.methods = methods
    self.threads = threads
    self.limits = limits
    self.observer = observer
    share = UnfinishedBytes.Share(of: unfinished)
    decoder = RPCFrameDecoder(encoding: .identity, byteCountLimit: limits.messageByteCount)
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    do throws(RPCStatus) {
      switch unwrapInboundIn(data) {
      case .headers(let frame):
        hasAllRequests = frame.endStream
        if call == nil { try begin(frame.headers, context) }
        if frame.endStream { try endRequests() }
      case .data(let frame):
        hasAllRequests = frame.endStream
        if case .byteBuffer(let bytes) = frame.data { try read(bytes, context) }
        if frame.endStream { try endRequests() }
      default: break
      }
    } catch {
      end(with: error, context)
    }
  }

  private func begin(
    _ headers: HPACKHeaders, _ context: ChannelHandlerContext
  ) throws(RPCStatus) {
    let path = headers.first(name: ":path") ?? ""
    let method = try admittedMethod(at: path, headers)
    var timeout: Duration?
    if let text = headers.first(name: "grpc-timeout") {
      timeout = RPCTimeout.duration(text)
      guard timeout != nil else {
        throw RPCStatus(.internal, "Malformed grpc-timeout: \(text)")
      }
    }
    decoder = RPCFrameDecoder(
      encoding: .init(header: headers.first(name: "grpc-encoding")),
      byteCountLimit: method.messageByteCount ?? limits.messageByteCount)
    self.method = method
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    let call = RPCCall(headers: headers, deadline: timeout.map { .now + $0 }) {
      loop.execute {
        let (handler, context) = handler.value
        handler.writeOutput(context)
      }
    }
    self.call = call
    if let timeout {
      deadline = loop.scheduleTask(in: TimeAmount(timeout)) {
        // The first status counts, and a handler that is cancelled gives one too.
        call.finish(.deadlineExceeded)
        handler.value.0.task?.cancel()
      }
    }
    switch method.requests {
    case .many: start(method, call)
    case .one:
      requestDeadline = loop.scheduleTask(in: TimeAmount(limits.requestTime)) {
        let (handler, context) = handler.value
        handler.end(
          with: RPCStatus(.deadlineExceeded, "The request was not sent in time."), context)
      }
    }
  }

  private func admittedMethod(
    at path: String, _ headers: HPACKHeaders
  ) throws(RPCStatus) -> RPCMethod {
    let method = methods(path)
    if method != nil { self.path = path }
    try admits { headers.first(name: $0) }
    guard let method else {
      throw RPCStatus(.unimplemented, "Method not found: \(path.drop { $0 == "/" })")
    }
    return method
  }

  private func read(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) throws(RPCStatus) {
    decoder.append(bytes)
    while let message = try decoder.next() {
      switch method?.requests {
      case .many?:
        if call?.append(message) == false { setReading(false, context) }
      case .one?:
        guard request == nil else { throw RPCStatus(.internal, "Too many requests") }
        request = message
      case nil: break
      }
    }
    guard share.set(waitingByteCount) else {
      throw RPCStatus(.resourceExhausted, "The server has too many unfinished requests.")
    }
  }

  /// Bytes of the client's messages that its handler has not taken.
  private var waitingByteCount: Int {
    decoder.byteCount + (request?.count ?? 0) + (call?.requestByteCount ?? 0)
  }

  private func endRequests() throws(RPCStatus) {
    guard let method, let call else { return }
    guard !decoder.isInsideMessage else {
      throw RPCStatus(.internal, "Encountered end-of-stream mid-frame")
    }
    if case .one = method.requests {
      guard let request else {
        throw RPCStatus(.internal, "Half-closed without a request")
      }
      self.request = nil
      requestDeadline?.cancel()
      _ = call.append(request)
      start(method, call)
    }
    _ = share.set(waitingByteCount)
    call.noteEndOfRequests()
  }

  private func start(_ method: RPCMethod, _ call: RPCCall) {
    task = Task(executorPreference: threads) {
      do {
        try await method.handle(call)
        call.finish(.ok)
      } catch {
        call.finish(RPCStatus(of: error))
      }
    }
  }

  private func setReading(_ reads: Bool, _ context: ChannelHandlerContext) {
    guard reads != isReading else { return }
    isReading = reads
    try? context.channel.syncOptions?.setOption(.autoRead, value: reads)
    if reads { context.read() }
  }

  // MARK: Writing

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    writeOutput(context)
    context.fireChannelWritabilityChanged()
  }

  private func writeOutput(_ context: ChannelHandlerContext) {
    guard let call, !isOver else { return }
    let output = call.takeOutput(hasRoom: context.channel.isWritable)
    if !isReading, call.mayReadOn {
      _ = share.set(waitingByteCount)
      setReading(true, context)
    }
    write(output, context)
  }

  private func write(_ output: RPCCall.Output, _ context: ChannelHandlerContext) {
    let hasFrames = output.frames.readableBytes > 0
    if !hasSentHeaders, output.isAccepted || hasFrames {
      hasSentHeaders = true
      write(.headers(.init(headers: RPCHeaders.answer)), context)
    }
    if hasFrames { write(.data(.init(data: .byteBuffer(output.frames))), context) }
    if let status = output.status {
      let headers = RPCHeaders.end(status, isFirst: !hasSentHeaders)
      writeEnd(headers, context)
      code = status.code
      finish()
    }
    context.flush()
  }

  private func writeEnd(_ headers: HPACKHeaders, _ context: ChannelHandlerContext) {
    let end = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: true))
    guard !hasAllRequests else { return write(end, context) }
    // The client may still be sending, which is of no use. A reset drops the frames before it that
    // are not on their way, so it follows only then.
    let isSent = context.eventLoop.makePromise(of: Void.self)
    isSent.futureResult.assumeIsolated().whenSuccess {
      context.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }
    context.write(wrapOutboundOut(end), promise: isSent)
  }

  private func write(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(payload), promise: nil)
  }

  /// Ends the call with a fault that the port itself has found. Messages that wait are dropped.
  private func end(with status: RPCStatus, _ context: ChannelHandlerContext) {
    write(.init(isAccepted: false, frames: ByteBuffer(), status: status), context)
  }

  // MARK: Ending

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // Streams without an end of their own would hold up the end of the server.
    if event is ChannelShouldQuiesceEvent, case .many? = method?.requests {
      call?.finish(.shutDown)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    finish()
    context.closeSoon()
  }

  private func finish() {
    if let path { observer.noteCall(path, code, .now - begun) }
    path = nil
    isOver = true
    _ = share.set(0)
    (request, decoder) = (nil, RPCFrameDecoder(encoding: .identity, byteCountLimit: 0))
    deadline?.cancel()
    requestDeadline?.cancel()
    call?.close()
    task?.cancel()
    // The call and its deadline keep the handler.
    (call, deadline, requestDeadline, task) = (nil, nil, nil, nil)
  }
}

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
  /// Leaves a client that takes nothing of the answer for too long.
  private var readDeadline: Scheduled<Void>?
  private var hasSentHeaders = false
  /// Number of writes that are not on their way to the client.
  private var waitingWriteCount = 0
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
    if context.channel.isWritable { noteProgress(context) }
    writeOutput(context)
    context.fireChannelWritabilityChanged()
  }

  private func writeOutput(_ context: ChannelHandlerContext) {
    var hasMore = true
    // In parts, so that it is seen whether the client takes a long message.
    while hasMore, let call {
      let output = call.takeOutput(hasRoom: context.channel.isWritable)
      if !isReading, call.mayReadOn {
        _ = share.set(waitingByteCount)
        setReading(true, context)
      }
      write(output, context)
      hasMore = output.hasMore && context.channel.isWritable
    }
  }

  private func write(_ output: RPCCall.Output, _ context: ChannelHandlerContext) {
    let hasFrames = output.frames.readableBytes > 0
    if !hasSentHeaders, output.isAccepted || hasFrames {
      hasSentHeaders = true
      context.write(
        wrapOutboundOut(.headers(.init(headers: RPCHeaders.answer))), promise: nil)
    }
    if hasFrames { write(.data(.init(data: .byteBuffer(output.frames))), context) }
    if let status = output.status {
      let headers = RPCHeaders.end(status, isFirst: !hasSentHeaders)
      writeEnd(headers, context)
      code = status.code
      finish()
    }
    context.flush()
    if waitingWriteCount > 0 || output.hasMore && !context.channel.isWritable {
      awaitClient(context)
    }
  }

  private func writeEnd(_ headers: HPACKHeaders, _ context: ChannelHandlerContext) {
    write(.headers(.init(headers: headers, endStream: true)), context) {
      // The client may still be sending, which is of no use. A reset drops the frames before it
      // that are not on their way, so it follows only now.
      if !self.hasAllRequests { self.reset(.noError, context) }
    }
  }

  private func reset(_ code: HTTP2ErrorCode, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
  }

  /// - Parameter then: runs once the frame is on its way.
  private func write(
    _ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext,
    then: @escaping () -> Void = {}
  ) {
    waitingWriteCount += 1
    let isSent = context.eventLoop.makePromise(of: Void.self)
    isSent.futureResult.assumeIsolated().whenComplete { result in
      self.waitingWriteCount -= 1
      self.noteProgress(context)
      if case .success = result { then() }
    }
    context.write(wrapOutboundOut(payload), promise: isSent)
  }

  /// Ends the call with a fault that the port itself has found. Messages that wait are dropped.
  private func end(with status: RPCStatus, _ context: ChannelHandlerContext) {
    let end = RPCCall.Output(
      isAccepted: false, frames: ByteBuffer(), status: status, hasMore: false)
    write(end, context)
  }

  // MARK: Waiting for the client

  /// Leaves the client unless it takes something in time.
  private func awaitClient(_ context: ChannelHandlerContext) {
    guard readDeadline == nil, context.channel.isActive else { return }
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    readDeadline = context.eventLoop.scheduleTask(in: TimeAmount(limits.requestTime)) {
      let (handler, context) = handler.value
      handler.leave(context)
    }
  }

  /// Gives the client time again for what it has not taken.
  private func noteProgress(_ context: ChannelHandlerContext) {
    guard let deadline = readDeadline else { return }
    deadline.cancel()
    readDeadline = nil
    if waitingWriteCount > 0 { awaitClient(context) }
  }

  /// Ends a call whose client doesn't read. Only a reset overtakes the messages that wait; to
  /// clients this one is the status `resourceExhausted`, after which those of listeners go on.
  private func leave(_ context: ChannelHandlerContext) {
    code = .resourceExhausted
    if !isOver { finish() }
    reset(.enhanceYourCalm, context)
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
    readDeadline?.cancel()
    readDeadline = nil
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

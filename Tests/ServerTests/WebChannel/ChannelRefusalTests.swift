import HearthServer
import HearthServerTransport
import Synchronization
import Testing

/// Requests of channels that are refused, and the bounds of what channels hold.
@Suite(.timeLimit(.minutes(5))) struct ChannelRefusalTests {
  @Test func anUnknownSessionIsToldInTheClientsWords() async {
    let client = ChannelClient.channels()
    for (method, query) in [
      ("GET", "RID=rpc&SID=nope&AID=0&CI=0"), ("POST", "RID=2&SID=nope&AID=0"),
      ("POST", "RID=2&SID=nope&TYPE=terminate"), ("GET", "SID=nope&TYPE=terminate"),
    ] {
      let answer = await client.send(method, query, "count=0")
      #expect(answer.status == 400)
      #expect(answer.body == "The channel is not there: Unknown SID\n")
    }
  }

  @Test(arguments: [
    ("count=1", "count is 1, but the body lacks req0___data__."),
    ("count=2&req0___data__={}", "count is 2, but the body lacks req1___data__."),
    ("count=x", "count is x, which is no number from 0 on."),
    ("count=-1", "count is -1, which is no number from 0 on."),
    ("count=0&ofs=-1", "ofs is -1, which is no number from 0 on."),
    ("count=9999999999999999999", "count is 9999999999999999999, which is no number from 0 on."),
    ("count=1001", "A request brings at most 1000 messages, and count is 1001."),
    ("count=0&count=0", "The body has the field count twice."),
    ("count=%zz", "The body is no form: an escape in it is broken."),
    ("count=%ff", "The body is no form: an escape in it is broken."),
  ])
  func aBrokenFormIsToldAndChangesNothing(form: String, reason: String) async {
    let client = ChannelClient.channels()
    let opening = await client.send("POST", "VER=8&RID=1", form)
    #expect(opening.status == 400 && opening.body == reason + "\n")
    #expect(client.channels.count == 0)
    let session = await client.open(["a"])
    let bringing = await client.send("POST", "SID=\(session)&RID=2&AID=0", form)
    #expect(bringing.status == 400 && bringing.body == reason + "\n")
    // The channel goes on.
    let arrays = await client.follow(session, after: 0).arrays(upTo: 2)
    #expect(arrays.count == 2)
    await client.channels.close()
  }

  @Test(arguments: [
    ("GET", "VER=8&RID=rpc", "A GET names its channel, by SID."),
    ("GET", "MODE=init&VER=8", "A GET names its channel, by SID."),
    ("GET", "RID=2&SID=x", "RID is rpc in a GET."),
    ("GET", "RID=rpc&SID=x&AID=x", "AID is x, which is no number from 0 on."),
    ("POST", "VER=7&RID=1", "The version of a channel is 8."),
    ("PUT", "VER=8&RID=1", "A channel has requests of GET and POST alone."),
    ("POST", "VER=%zz", "The address has a broken escape."),
  ])
  func aBrokenAddressIsTold(method: String, query: String, reason: String) async {
    let client = ChannelClient.channels()
    let answer = await client.send(method, query, "count=0")
    #expect(answer.status == 400 && answer.body == reason + "\n")
    #expect(client.channels.count == 0)
  }

  @Test func nobodyHasArraysThatWereNotSent() async {
    let client = ChannelClient.channels()
    let session = await client.open()
    let bringing = await client.bring([], from: 0, to: session, acknowledging: 9)
    #expect(bringing.status == 400)
    #expect(await client.follow(session, after: 9).status == 400)
    await client.channels.close()
  }

  @Test func channelsAreBoundedInNumber() async {
    var limits = ChannelLimits()
    limits.channelCount = 2
    let client = ChannelClient.channels(limits: limits)
    let first = await client.open()
    _ = await client.open()
    let refused = await client.send("POST", "VER=8&RID=1", "count=0")
    #expect(refused.status == 503)
    _ = await client.send("POST", "SID=\(first)&TYPE=terminate")
    let opened = await client.send("POST", "VER=8&RID=1", "count=0")
    #expect(opened.status == 200)
    await client.channels.close()
  }

  @Test func messagesThatWaitAreBounded() async {
    var limits = ChannelLimits()
    limits.requestByteCount = 100
    let client = ChannelClient.channels(limits: limits)
    let session = await client.open()
    // The first one is missing, so that these wait.
    let text = String(repeating: "x", count: 60)
    let taken = await client.bring([text], from: 1, to: session)
    #expect(taken.status == 200)
    let refused = await client.bring([text], from: 2, to: session)
    #expect(refused.status == 503)
    await client.channels.close()
  }

  @Test func aStreamWaitsForAClientThatDoesNotAcknowledge() async {
    var limits = ChannelLimits()
    (limits.responseByteCount, limits.answerByteCount, limits.partByteCount) = (2_000, 900, 300)
    let sentCount = Mutex(0)
    let largest = Mutex(0)
    let box = Mutex<WebChannels?>(nil)
    let message = Array("\u{0A}\u{64}".utf8) + Array(String(repeating: "n", count: 100).utf8)
    let channels = WebChannels(
      [
        "/t.T/Echo": StreamMethod(
          requestType: ChannelClient.document, responseType: ChannelClient.document
        ) { _, _, send in
          for _ in 0..<200 {
            try await send(message)
            sentCount.withLock { $0 += 1 }
            let held = box.withLock { $0?.heldByteCount ?? 0 }
            largest.withLock { $0 = max($0, held) }
          }
        }
      ], limits: limits)
    box.withLock { $0 = channels }
    let client = ChannelClient(channels: channels)
    let session = await client.open()
    var (last, count, answerCount) = (0, 0, 0)
    while true {
      let arrays = await client.follow(session, after: last).rest()
      guard !arrays.isEmpty else { break }
      answerCount += 1
      count += arrays.filter { $0.contains("nnn") }.count
      last += arrays.count
    }
    #expect(count == 200 && answerCount > 10)
    #expect(sentCount.withLock { $0 } == 200)
    #expect(largest.withLock { $0 } < 2_000 + 200)
    box.withLock { $0 = nil }
    await channels.close()
  }
}

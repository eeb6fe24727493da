import HearthDocumentModel
import HearthServer
import HearthServerTransport
import Synchronization
import Testing

/// Channels, without a network and with a time of the test.
@Suite(.timeLimit(.minutes(5))) struct ChannelTests {
  private static func echo(_ id: Int, _ text: String) -> String {
    "[\(id),[{\"name\":\"\(text)\"}]]"
  }

  // MARK: Messages

  @Test func messagesComeInTheirOrderAndOnce() async {
    let client = ChannelClient.channels()
    let session = await client.open(["0"])
    for (texts, first) in [(["2", "3"], 2), (["0", "1"], 0), (["3", "4"], 3), (["4"], 4)] {
      let answer = await client.bring(texts, from: first, to: session)
      #expect(answer.status == 200)
    }
    let arrays = await client.follow(session, after: 0).arrays(upTo: 6)
    #expect(
      arrays.filter { !$0.contains("noop") }.map { $0.suffix(6) }
        == (0...4).map { ":\"\($0)\"}]]".suffix(6) })
    await client.channels.close()
  }

  @Test func aPartTellsItsLengthInUTF16() async {
    let client = ChannelClient.channels()
    let session = await client.open(["é😀"])
    let answer = await client.send("GET", "RID=rpc&SID=\(session)&AID=0&CI=1")
    #expect(answer.body == "22\n[[1,[{\"name\":\"é😀\"}]]]")
    await client.channels.close()
  }

  @Test func theAnswerTellsWhatWasSent() async {
    let client = ChannelClient.channels()
    let session = await client.open(["a"])
    let without = await client.bring([], from: 1, to: session)
    #expect(without.body == "7\n[0,0,0]")
    let answer = client.follow(session, after: 0)
    let arrays = await answer.arrays(upTo: 2)
    #expect(arrays.count == 2)
    let with = await client.bring([], from: 1, to: session, acknowledging: 2)
    #expect(with.body == "7\n[1,2,0]")
    await client.channels.close()
  }

  // MARK: Answers

  @Test func arraysThatAreNotAcknowledgedComeAgain() async {
    let client = ChannelClient.channels()
    let session = await client.open(["a", "b"])
    let first = client.follow(session, after: 0)
    let arrays = await first.arrays(upTo: 3)
    #expect(arrays.count == 3)
    await first.leave()
    let second = client.follow(session, after: 1)
    let again = await second.arrays(upTo: 4)
    #expect(again == Array(arrays[1...]) + ["[4,[\"noop\"]]"])
    // An older id changes nothing: what was acknowledged is gone. The open answer ends.
    let third = client.follow(session, after: 0)
    let last = await third.arrays(upTo: 5)
    #expect(last == again + ["[5,[\"noop\"]]"])
    #expect(await second.rest() == [])
    #expect(await second.status == 200)
    await client.channels.close()
  }

  @Test func aLongPollEndsWithItsFirstPart() async {
    let clock = ChannelClock()
    let client = ChannelClient.channels(clock: clock)
    let session = await client.open(["a"])
    let first = await client.follow(session, after: 0, "CI=1").rest()
    #expect(first == [Self.echo(1, "a")])
    // With nothing there it waits, up to the time that the client names.
    let second = client.follow(session, after: 1, "CI=1&TO=5000")
    await client.waitForAnswer(of: session)
    clock.advance(by: .seconds(4))
    client.channels.look()
    _ = await client.bring(["b"], from: 1, to: session)
    #expect(await second.rest() == [Self.echo(2, "b")])
    let third = client.follow(session, after: 2, "CI=1&TO=5000")
    await client.waitForAnswer(of: session)
    clock.advance(by: .seconds(5))
    client.channels.look()
    #expect(await third.rest() == ["[3,[\"noop\"]]"])
    await client.channels.close()
  }

  @Test func aSilentAnswerSaysThatItLivesAndEnds() async {
    let clock = ChannelClock()
    let client = ChannelClient.channels(clock: clock)
    let session = await client.open()
    let answer = client.follow(session, after: 0)
    #expect(await answer.arrays(upTo: 1) == ["[1,[\"noop\"]]"])
    clock.advance(by: .seconds(29))
    client.channels.look()
    clock.advance(by: .seconds(1))
    client.channels.look()
    #expect(await answer.arrays(upTo: 2) == ["[2,[\"noop\"]]"])
    clock.advance(by: .seconds(30))
    client.channels.look()
    #expect(await answer.rest() == ["[3,[\"noop\"]]"])
    #expect(client.channels.count == 1)
    await client.channels.close()
  }

  @Test func aChannelWithoutRequestsIsForgotten() async {
    let clock = ChannelClock()
    let client = ChannelClient.channels(clock: clock)
    let session = await client.open()
    clock.advance(by: .seconds(89))
    client.channels.look()
    _ = await client.bring(["a"], from: 0, to: session)
    clock.advance(by: .seconds(89))
    client.channels.look()
    #expect(client.channels.count == 1)
    // An open answer keeps it.
    let answer = client.follow(session, after: 0)
    _ = await answer.arrays(upTo: 2)
    clock.advance(by: .seconds(91))
    client.channels.look()
    _ = await answer.rest()
    #expect(client.channels.count == 1)
    clock.advance(by: .seconds(90))
    client.channels.look()
    #expect(client.channels.count == 0)
    #expect(await client.follow(session, after: 0).status == 400)
    await client.channels.close()
  }

  // MARK: Endings

  @Test func terminatingEndsTheAnswerAndTheStream() async {
    let client = ChannelClient.channels()
    let session = await client.open()
    let answer = client.follow(session, after: 0)
    _ = await answer.arrays(upTo: 1)
    let end = await client.send("POST", "SID=\(session)&RID=3&TYPE=terminate")
    #expect(end.status == 200 && end.body == "")
    #expect(await answer.rest() == [])
    #expect(client.channels.count == 0)
    // It waits for the streams.
    await client.channels.close()
  }

  @Test func aFailedStreamTellsItsErrorUntilThatIsAcknowledged() async {
    let client = ChannelClient.channels()
    let session = await client.open(["a", "\"}"])
    let arrays = await client.follow(session, after: 0).rest().filter { !$0.contains("noop") }
    #expect(arrays.count == 2 && arrays.last?.contains("\"status\":\"INVALID_ARGUMENT\"") == true)
    #expect(arrays.first == Self.echo(1, "a"))
    let ignored = await client.bring(["b"], from: 2, to: session)
    #expect(ignored.status == 200)
    let again = await client.follow(session, after: 1).rest()
    #expect(again.contains { $0.contains("\"error\"") })
    #expect(await client.follow(session, after: 3).status == 400)
    await client.channels.close()
  }

  @Test func theEndOfTheServerIsTold() async {
    let client = ChannelClient.channels()
    let session = await client.open()
    let answer = client.follow(session, after: 0)
    _ = await answer.arrays(upTo: 1)
    client.channels.end()
    let last = await answer.rest()
    #expect(last.count == 1 && last[0].contains("\"status\":\"UNAVAILABLE\""))
    let refused = await client.send("POST", "VER=8&RID=1", "count=0")
    #expect(refused.status == 503)
    await client.channels.close()
  }
}

extension ChannelClient {
  /// Waits until an answer is open.
  fileprivate func waitForAnswer(of session: String) async {
    while await bring([], from: 0, to: session).body.hasPrefix("7\n[0") { await Task.yield() }
  }
}

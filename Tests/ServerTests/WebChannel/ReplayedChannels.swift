import HearthFirestoreJSON

/// The channels of one recorded exchange by their names there.
struct ReplayedChannels {
  private struct Channel {
    let path: String
    var session = ""
    var request = 1
    var lastID = 0
    /// The ids of the arrays with messages, beside those that were recorded.
    var ids: [(recorded: Int, actual: Int)] = []
    var answer: ChannelAnswer?
  }

  private var channels: [String: Channel] = [:]

  /// Does one step.
  ///
  /// - Parameter count: the number of messages that the step receives.
  /// - Returns: the messages, or the answer to those that were brought.
  mutating func answer(
    to step: JSONValue, expecting count: Int, port: Int
  ) async throws -> JSONValue {
    let name = step["channel"]?.string ?? ""
    let method = step["rpc"]?.string ?? "Listen"
    var channel =
      channels[name] ?? Channel(path: "/google.firestore.v1.Firestore/\(method)/channel")
    defer { channels[name] = channel }
    if let handshake = step["handshake"] {
      return try await open(&channel, handshake, port: port)
    }
    if let post = step["post"] { return try await bring(&channel, post, port: port) }
    if let get = step["get"] {
      let session = channel.session.isEmpty ? get["SID"]?.string ?? "" : channel.session
      let recordedID = get["AID"]?.string.flatMap { Int($0) }
      let id = recordedID.map { recorded in
        channel.ids.last { $0.recorded <= recorded }?.actual ?? 0
      }
      let target =
        "\(channel.path)?RID=rpc&SID=\(session)"
        + "&AID=\(id ?? channel.lastID)&CI=\(get["CI"]?.string ?? "")"
      channel.answer = try await ChannelAnswer("GET", target, port: port)
    }
    return await messages(of: &channel, count, step, port: port)
  }

  private func open(
    _ channel: inout Channel, _ handshake: JSONValue, port: Int
  ) async throws -> JSONValue {
    let query = (handshake["query"]?.members ?? []).map { name, value in
      let text = value.string ?? ""
      return "\(name)=\((text.hasPrefix("<") ? "1" : text).fieldEncoded)"
    }
    let headers = (handshake["headersInBody"]?.members ?? []).map { name, value in
      "\(name):\(value.string ?? "")\r\n"
    }
    var answer = try await ChannelAnswer(
      "POST", "\(channel.path)?\(query.joined(separator: "&"))",
      "headers=\(headers.joined().fieldEncoded)&\(Self.form(handshake))", port: port)
    let array = await answer.next() ?? .null
    channel.session = array.elements.last?.elements.dropFirst().first?.string ?? ""
    return .array([array])
  }

  private func bring(
    _ channel: inout Channel, _ post: JSONValue, port: Int
  ) async throws -> JSONValue {
    channel.request += 1
    var query = "SID=\(channel.session)&RID=\(channel.request)&AID=\(channel.lastID)"
    if let type = post["TYPE"]?.string { query += "&TYPE=\(type)" }
    var answer = try await ChannelAnswer(
      "POST", "\(channel.path)?\(query)", Self.form(post), port: port)
    let (status, content) = await answer.whole()
    let text = content.split(separator: "\n").last ?? ""
    let json = (try? JSONValue(parsing: Array(text.utf8))) ?? .null
    // Only the first one is not a matter of time and sizes.
    let shown = json.elements.first.map { JSONValue.array([$0]) } ?? .null
    return .object([("httpStatus", .integer(Int64(status))), ("answer", shown)])
  }

  private static func form(_ step: JSONValue) -> String {
    let messages = (step["messages"]?.elements ?? []).enumerated().map { index, message in
      "&req\(index)___data__=\(message.line.fieldEncoded)"
    }
    return "count=\(step["count"]?.number ?? 0)&ofs=\(step["ofs"]?.number ?? 0)"
      + messages.joined()
  }

  /// Returns the next messages of the open answer, or all up to its end if that was recorded.
  private func messages(
    of channel: inout Channel, _ count: Int, _ step: JSONValue, port: Int
  ) async -> JSONValue {
    var messages: [JSONValue] = []
    let recorded = step["arrays"]?.elements.filter { $0.elements.last?.message != nil } ?? []
    let isUpToEnd = step["ended"] == .boolean(true) && count == 0
    while isUpToEnd || messages.count < count {
      guard let array = await channel.answer?.next() else {
        // The messages of a client that polls may come in several answers.
        guard step["get"]?["CI"]?.string == "1" else { break }
        let query = "RID=rpc&SID=\(channel.session)&AID=\(channel.lastID)&CI=1"
        channel.answer = try? await ChannelAnswer("GET", "\(channel.path)?\(query)", port: port)
        continue
      }
      let (id, payload) = (array.elements.first?.number ?? 0, array.elements.last ?? .null)
      channel.lastID = id
      guard let message = payload.message else { continue }
      if messages.count < recorded.count {
        channel.ids.append((recorded[messages.count].elements.first?.number ?? 0, id))
      }
      messages.append(message)
    }
    return .object([("messages", .array(messages))])
  }
}

extension JSONValue {
  /// The message in the payload of an array; `nil` for a control.
  var message: JSONValue? {
    guard let first = elements.first, first.string == nil else { return nil }
    return first
  }
}

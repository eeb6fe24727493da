import AdminSocket
package import DocumentModel
package import FirestoreJSON
import QueryPlanning

extension IndexBuildCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    definitions = try members.messages("definitions")
    pace = try members.optionalMessage("pace")
    isAwaited = try members.boolean("isAwaited")
  }

  package var json: JSONValue {
    .members([
      "definitions": .list(definitions), "pace": pace?.json, "isAwaited": .boolean(isAwaited),
    ])
  }
}

extension IndexBuildsCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    isAwaited = try members.boolean("isAwaited")
    pace = try members.optionalMessage("pace")
  }

  package var json: JSONValue {
    .members(["isAwaited": .boolean(isAwaited), "pace": pace?.json])
  }
}

extension IndexBuildChangeCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    change = try members.choice("change")
    definition = try members.message("definition")
    pace = try members.optionalMessage("pace")
  }

  package var json: JSONValue {
    .members([
      "change": .string(change.rawValue), "definition": definition.json, "pace": pace?.json,
    ])
  }
}

extension BuildPace: AdminObject {
  /// Accepted latencies: up to a day.
  private static let microseconds = 1.0...86_400e6

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    let rate = try members.optionalNumber("documentsPerSecond")
    let latency = try members.optionalNumber("maximumMicroseconds")
    guard rate.map({ $0 > 0 }) ?? true else { throw members.invalid("documentsPerSecond") }
    guard latency.map(BuildPace.microseconds.contains) ?? true else {
      throw members.invalid("maximumMicroseconds")
    }
    self.init(
      documentsPerSecond: rate, maximumLatency: latency.map { .nanoseconds($0 * 1000) })
  }

  package var json: JSONValue {
    .members([
      "documentsPerSecond": documentsPerSecond.map(JSONValue.double),
      "maximumMicroseconds": maximumLatency.map { .double($0 / .microseconds(1)) },
    ])
  }
}

extension IndexBuild.Status: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    subject = try members.message("subject")
    state = try IndexBuild.State(word: members.string("state"))
    error = try members.optionalMessage("error", as: AdminError.self)?.error
    documentsDone = try members.integer("documentsDone")
    documentsTotal = try members.integer("documentsTotal")
    fraction = try members.optionalFraction("fraction") ?? 0
    entriesWritten = try members.integer("entriesWritten")
    documentsPerSecond = try members.optionalNumber("documentsPerSecond")
    secondsLeft = try members.optionalNumber("secondsLeft")
    stalledSeconds = try members.optionalNumber("stalledSeconds")
  }

  package var json: JSONValue {
    .members([
      "subject": subject.json, "state": .string(state.word),
      "error": error.map { AdminError($0).json },
      "documentsDone": .count(documentsDone), "documentsTotal": .count(documentsTotal),
      "fraction": .double(fraction), "entriesWritten": .count(entriesWritten),
      "documentsPerSecond": documentsPerSecond.map(JSONValue.double),
      "secondsLeft": secondsLeft.map(JSONValue.double),
      "stalledSeconds": stalledSeconds.map(JSONValue.double),
    ])
  }
}

extension IndexBuild.Subject: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    if let index = try members.optionalMessage("index", as: IndexDefinition.self) {
      self = .index(index)
    } else if let covering = try members.optionalMessage("covering", as: IndexDefinition.self) {
      self = .covering(covering)
    } else if members["timeToLive"] != nil {
      self = .timeToLive(
        collectionGroup: try members.string("collectionGroup"),
        field: try members.field("timeToLive"))
    } else {
      self = .fields(
        collectionGroup: try members.string("collectionGroup"),
        field: members["names"] == nil ? nil : try members.field("names"))
    }
  }

  package var json: JSONValue {
    switch self {
    case .index(let definition): .members(["index": definition.json])
    case .covering(let definition): .members(["covering": definition.json])
    case .fields(let group, let field):
      .members(["collectionGroup": .string(group), "names": field.map { .list($0.names) }])
    case .timeToLive(let group, let field):
      .members(["collectionGroup": .string(group), "timeToLive": .list(field.names)])
    }
  }
}

extension IndexBuild.State {
  /// Name of the state in the tool.
  package var word: String {
    switch self {
    case .building: "BUILDING"
    case .paused: "PAUSED"
    case .ready: "READY"
    case .failed: "FAILED"
    case .cancelled: "CANCELLED"
    }
  }

  fileprivate init(word: String) throws(DatabaseError) {
    let all = [IndexBuild.State.building, .paused, .ready, .failed, .cancelled]
    guard let state = all.first(where: { $0.word.utf8Equal(word) }) else {
      throw .invalidArgument("A message of the admin socket has an unknown state of a build.")
    }
    self = state
  }
}

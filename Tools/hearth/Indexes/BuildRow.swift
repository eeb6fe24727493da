import Hearth

/// A build in a list of builds, or in a message about one.
struct BuildRow {
  let status: IndexBuild.Status

  init(_ status: IndexBuild.Status) {
    self.status = status
  }

  /// `the index (a ASC, b DESC) of cities`
  var title: String {
    switch status.subject {
    case .index(let definition): definition.title
    case .covering(let definition): "the documents in \(definition.title)"
    case .fields(let group, let field):
      "the indexes of field \(field?.description ?? "*") of \(group)"
    case .timeToLive(let group, let field): "the time to live of \(group) by \(field)"
    }
  }

  /// One line on the state of the build.
  var line: String {
    switch status.state {
    case .ready:
      let documents = Figure.documents(status.documentsDone)
      let entries = Figure.counted(status.entriesWritten, "entry", "entries")
      return "Built \(title): \(documents), \(entries)."
    case .building:
      let stall = status.stalledSeconds.map { ", \(Figure.stall(seconds: $0))" } ?? ""
      return "Building \(title): \(percent) done\(stall)."
    case .paused:
      return "Paused: \(title), \(percent) done; `hearth index resume` lets it go on."
    case .failed: return "Failed: \(title): \(status.error?.message.sentence ?? "it is dropped.")"
    case .cancelled: return "Cancelled: \(title)."
    }
  }

  private var percent: String { Figure.percent(status.fraction) }

  var json: JSONLine {
    var json = JSONLine()
    switch status.subject {
    case .index(let definition):
      json.append("kind", .string("composite"))
      definition.append(to: &json)
    case .covering(let definition):
      json.append("kind", .string("covering"))
      definition.append(to: &json)
    case .fields(let group, let field):
      json.append("kind", .string("field"))
      json.append("collectionGroup", .string(group))
      json.append("fieldPath", .string(field?.description ?? "*"))
    case .timeToLive(let group, let field):
      json.append("kind", .string("ttl"))
      json.append("collectionGroup", .string(group))
      json.append("fieldPath", .string(field.description))
    }
    json.append("state", .string(status.state.rawValue))
    appendProgress(to: &json)
    if let error = status.error { json.append("error", .string(error.message)) }
    return json
  }

  /// Appends the progress of the build as members of a line of JSON.
  func appendProgress(to json: inout JSONLine) {
    json.append("documentsDone", .integer(Int64(status.documentsDone)))
    json.append("documentsTotal", .integer(Int64(status.documentsTotal)))
    json.append("fraction", .double(status.fraction))
    if let rate = status.documentsPerSecond { json.append("documentsPerSecond", .double(rate)) }
    if let seconds = status.secondsLeft { json.append("secondsLeft", .double(seconds)) }
    if let seconds = status.stalledSeconds { json.append("stalledSeconds", .double(seconds)) }
  }
}

extension ProgressBar {
  /// Shows the progress of a build.
  func update(_ status: IndexBuild.Status) {
    update(
      count: status.documentsDone, fraction: status.fraction, rate: status.documentsPerSecond,
      secondsLeft: status.secondsLeft, stalledSeconds: status.stalledSeconds)
  }
}

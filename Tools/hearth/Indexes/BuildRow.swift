package import Hearth

/// A build in a list of builds, or in a message about one.
package struct BuildRow {
  let status: IndexBuild.Status

  package init(_ status: IndexBuild.Status) {
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
  package var line: String {
    switch status.state {
    case .ready:
      let documents = Figure.documents(status.documentsDone)
      let entries = Figure.counted(status.entriesWritten, "entry", "entries")
      guard let earlier = status.documentsDoneEarlier else {
        return "Built \(title): \(documents), \(entries)."
      }
      return "Built \(title): \(documents). It went on after \(Figure.count(earlier)) of them, and "
        + "has written \(entries) since."
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
    let subject: JSONLine =
      switch status.subject {
      case .index(let definition): ["kind": "composite"] + definition.json
      case .covering(let definition): ["kind": "covering"] + definition.json
      case .fields(let group, let field):
        ["kind": "field", "collectionGroup": group, "fieldPath": field?.description ?? "*"]
      case .timeToLive(let group, let field):
        ["kind": "ttl", "collectionGroup": group, "fieldPath": field.description]
      }
    return subject + ["state": status.state.rawValue] + progress
      + ["error": status.error?.message]
  }

  /// The progress of the build as members of a line of JSON.
  var progress: JSONLine {
    [
      "documentsDone": status.documentsDone, "documentsTotal": status.documentsTotal,
      "fraction": status.fraction, "documentsPerSecond": status.documentsPerSecond,
      "secondsLeft": status.secondsLeft, "stalledSeconds": status.stalledSeconds,
    ]
  }
}

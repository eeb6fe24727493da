import HearthDocumentModel
import HearthFirestoreJSON

/// The answers to the steps of a session so far, whose values later steps name.
struct RecordedAnswers {
  private var answers: [String: Answer] = [:]
  /// The times that the database has left in fields, in milliseconds.
  private var serverTimes: Set<Timestamp> = []

  /// Keeps the answer to a row.
  ///
  /// - Returns: the answer, with all times of the session.
  mutating func keep(_ answer: Answer, of row: RecordedRow) throws -> Answer {
    var answer = answer
    if let time = answer.commitTime {
      let milliseconds = time.microseconds / 1_000
      serverTimes.insert(try Timestamp(microseconds: milliseconds * 1_000))
    }
    answer.serverTimes = serverTimes
    answers[row.step] = answer
    return answer
  }

  /// Returns the row's JSON with this session's own values in place of the placeholders.
  func substituted(_ json: JSONValue) throws -> JSONValue {
    let project = DatabaseID.default.project
    return try json.replacing { node in
      if let text = node.string, text.contains("{project}") {
        return .string(text.replacing("{project}", with: project))
      }
      if let repeated = node["$repeat"] {
        let text = repeated["text"]?.string ?? ""
        return .string(String(repeating: text, count: Int(repeated["times"]?.integer ?? 0)))
      }
      if let step = node["updateTimeOf"]?.string { return try time(step, \.updateTime) }
      if let step = node["commitTimeOf"]?.string { return try time(step, \.commitTime) }
      if let step = node["transactionOf"]?.string {
        return .string(try value(step, \.transaction))
      }
      return nil
    }
  }

  private func time(
    _ step: String, _ time: KeyPath<Answer, Timestamp?>
  ) throws -> JSONValue {
    .string(try value(step, time).rfc3339)
  }

  private func value<Value>(_ step: String, _ value: KeyPath<Answer, Value?>) throws -> Value {
    guard let value = answers[step]?[keyPath: value] else { throw UnreadableRow(name: step) }
    return value
  }
}

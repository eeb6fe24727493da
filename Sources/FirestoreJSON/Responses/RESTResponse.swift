public import HearthDocumentModel

/// The bodies of the responses of Firestore's REST interface, each on one line.
///
/// Methods that stream answer with an array. The functions here return its items.
public enum RESTResponse {
  /// Returns one item of `runQuery`'s answer: a document, the number of skipped results, or the
  /// metrics of the query. An item with none of them means that there is no result (§9.2).
  public static func runQuery(
    document: DocumentMessage? = nil, skippedResults: Int = 0, readTime: Timestamp? = nil,
    metrics: QueryMetrics? = nil
  ) -> [UInt8] {
    object { members in
      if let document { members.member("document") { TypedJSON.append(document, to: &$0) } }
      if skippedResults > 0 {
        members.member("skippedResults") { $0.append(skippedResults.description) }
      }
      members.member("readTime", readTime)
      if let metrics {
        members.member("explainMetrics") { TypedJSON.append(metrics, to: &$0) }
      }
    }
  }

  /// Returns one item of `runAggregationQuery`'s answer (§9.1).
  public static func runAggregationQuery(
    figures: [(alias: String, value: Value)], readTime: Timestamp? = nil
  ) -> [UInt8] {
    object { members in
      members.member("result") { bytes in
        bytes.append("{\"aggregateFields\":")
        bytes.appendMembers { members in
          for (alias, value) in figures {
            members.member(alias) { TypedJSON.append(value, to: &$0) }
          }
        }
        bytes.append("}")
      }
      members.member("readTime", readTime)
    }
  }

  /// Returns `commit`'s answer (§7.1).
  public static func commit(_ results: [WriteResult], commitTime: Timestamp) -> [UInt8] {
    object { members in
      if !results.isEmpty {
        members.member("writeResults") { $0.appendArray(results) { append($1, to: &$0) } }
      }
      members.member("commitTime", commitTime)
    }
  }

  /// Returns `batchWrite`'s answer: each write's result or refusal (§7.1).
  public static func batchWrite(_ results: [Result<WriteResult, DatabaseError>]) -> [UInt8] {
    object { members in
      members.member("writeResults") { bytes in
        bytes.appendArray(results) { bytes, result in
          switch result {
          case .success(let result): append(result, to: &bytes)
          case .failure: bytes.append("{}")
          }
        }
      }
      members.member("status") { bytes in
        bytes.appendArray(results) { bytes, result in
          switch result {
          case .success: bytes.append("{}")
          case .failure(let error):
            bytes.append("{\"code\":\(error.code.rawValue),\"message\":")
            bytes.appendJSON(error.message)
            bytes.append("}")
          }
        }
      }
    }
  }

  private static func object(_ write: (inout JSONMembers) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendMembers(write)
    return bytes
  }

  private static func append(_ result: WriteResult, to bytes: inout [UInt8]) {
    bytes.appendMembers { members in
      members.member("updateTime", result.updateTime)
      if !result.transformResults.isEmpty {
        members.member("transformResults") { bytes in
          bytes.appendArray(result.transformResults) { TypedJSON.append($1, to: &$0) }
        }
      }
    }
  }
}

extension DatabaseError.Code {
  /// The status of the HTTP response that carries the error.
  public var httpStatus: Int {
    switch self {
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .cancelled: 499
    case .unknown, .internal, .dataLoss: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }
}

extension JSONMembers {
  fileprivate mutating func member(_ name: String, _ time: Timestamp?) {
    if let time { member(name) { $0.append("\"\(time.rfc3339)\"") } }
  }
}

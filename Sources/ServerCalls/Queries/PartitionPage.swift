import HearthDocumentEngine
import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

// The position of a token: the number of cursors on all pages so far, a space, and the path of the
// last one's document.

/// A page of the cursors that divide a collection group (§9.3).
///
/// A later page goes on after the last cursor of the page before. So its cursors are the same as if
/// all had been on one page, unless documents came or went meanwhile. Even then they ascend, and
/// are no more than the request asks for.
struct PartitionPage {
  /// The last cursor of the page before, and the number of cursors up to there.
  private let last: (path: ResourcePath, count: Int)?
  /// The largest number of cursors on all pages, and on this one.
  private let totalCount: Int
  private let size: Int
  private let listing: String

  /// - Parameter query: the query of the request.
  /// - Throws: `invalidArgument` for a token of another request.
  init(
    _ request: V1.PartitionQueryRequest, of query: StructuredQuery
  ) throws(DatabaseError) {
    totalCount = Int(clamping: request.partitionCount)
    size = request.pageSize > 0 ? Int(request.pageSize) : .max
    listing = "\(request.partitionCount) partitions of \(query.collectionID)"
    last =
      try request.pageToken.isEmpty
      ? nil : PartitionPage.position(of: PageToken(request.pageToken, of: listing))
  }

  private static func position(
    of token: PageToken
  ) throws(DatabaseError) -> (path: ResourcePath, count: Int) {
    let parts = String(decoding: token.position, as: UTF8.self)
      .split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let count = Int(parts[0]), count > 0,
      let path = try? ResourcePath(String(parts[1]))
    else { throw PageToken.refusal }
    return (path, count)
  }

  /// - Parameter cursors: the cursors of all pages, in their order.
  func response(with cursors: [Cursor]) -> V1.PartitionQueryResponse {
    var rest = cursors[...]
    var givenCount = 0
    if let last {
      rest = rest.drop { $0.path.map { $0.compare(last.path) != .greater } ?? true }
      givenCount = last.count
    }
    rest = rest.prefix(max(totalCount - givenCount, 0))
    let page = rest.prefix(size)
    return V1.PartitionQueryResponse.with { response in
      response.partitions = page.map { cursor in
        .with { $0.values = cursor.values.map(\.message) }
      }
      guard rest.count > page.count, let path = page.last?.path else { return }
      let position = "\(givenCount + page.count) \(path)"
      response.nextPageToken = PageToken(position: Array(position.utf8)).text(of: listing)
    }
  }
}

extension Cursor {
  /// The path of the document at which the cursor stands; `nil` for a cursor by fields.
  fileprivate var path: ResourcePath? {
    if case .reference(let name)? = values.first { name.path } else { nil }
  }
}

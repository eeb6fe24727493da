import Hearth

/// A document that a writer writes.
struct ExchangedDocument {
  let path: ResourcePath
  let fields: MapValue
}

/// Two documents that exchange their contents again and again.
///
/// The index entries of all fields in which they differ change, and the collection as a whole stays
/// the same: queries find the same number of results as before.
struct Exchange: Sendable {
  /// The writes that restore the contents, and those that exchange them.
  private let writes: [[Write]]

  private init(_ first: ExchangedDocument, _ second: ExchangedDocument) {
    writes = [
      [.set(first.path, first.fields), .set(second.path, second.fields)],
      [.set(first.path, second.fields), .set(second.path, first.fields)],
    ]
  }

  /// Returns the documents in pairs. A single one at the end is left out.
  static func pairs(of documents: [ExchangedDocument]) -> [Exchange] {
    stride(from: 0, to: documents.count - 1, by: 2).map {
      Exchange(documents[$0], documents[$0 + 1])
    }
  }

  /// Returns the writes of one commit.
  func writes(isExchanged: Bool) -> [Write] { writes[isExchanged ? 1 : 0] }
}

/// A load of commits that exchange the contents of documents, pair after pair.
struct ExchangeLoad: Load {
  let exchanges: [Exchange]
  /// Number of operations done before on the same documents.
  let firstNumber: Int
  let database: Database

  var kindCount: Int { 1 }

  func kind(ofOperation number: Int) -> Int { 0 }

  func perform(_ number: Int) throws(DatabaseError) -> Work {
    let (round, pair) = (number + firstNumber).quotientAndRemainder(dividingBy: exchanges.count)
    let writes = exchanges[pair].writes(isExchanged: round.isMultiple(of: 2))
    try database.commit(writes)
    return Work(results: writes.count)
  }
}

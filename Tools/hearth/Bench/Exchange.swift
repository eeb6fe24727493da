import Hearth

/// A document that a writer writes.
struct ExchangedDocument {
  let path: ResourcePath
  let fields: MapValue
}

/// Two documents that exchange their contents again and again.
///
/// The index entries of all fields in which they differ change, and the collection as a whole stays
/// as it is: queries find as many results as before.
struct Exchange: Sendable {
  /// The contents as they are, and exchanged.
  private let writes: [[Write]]

  private init(_ first: ExchangedDocument, _ second: ExchangedDocument) {
    writes = [
      [.set(first.path, first.fields), .set(second.path, second.fields)],
      [.set(first.path, second.fields), .set(second.path, first.fields)],
    ]
  }

  /// The documents by two; one that is left over is left out.
  static func pairs(of documents: [ExchangedDocument]) -> [Exchange] {
    stride(from: 0, to: documents.count - 1, by: 2).map {
      Exchange(documents[$0], documents[$0 + 1])
    }
  }

  /// The writes of one commit.
  func writes(isExchanged: Bool) -> [Write] { writes[isExchanged ? 1 : 0] }
}

/// Commits that exchange the contents of documents, pair after pair.
struct ExchangeLoad: Load {
  let exchanges: [Exchange]
  /// The operations that were done before on the same documents.
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

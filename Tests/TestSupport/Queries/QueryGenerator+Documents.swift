package import HearthDocumentModel

extension QueryGenerator {
  /// Returns fields for a document that queries may find.
  package func fields(using random: inout some RandomNumberGenerator) -> MapValue {
    var fields = MapValue()
    for name in QueryGenerator.fieldNames where !random.oneIn(10) {
      fields[name] = fieldValue(using: &random)
    }
    if !random.oneIn(5) { fields["m"] = .map(["x": fieldValue(using: &random)]) }
    if !random.oneIn(4) {
      let count = Int.random(in: 0...3, using: &random)
      fields["tags"] = .array((0..<count).map { _ in tag(using: &random) })
    }
    if !random.oneIn(4) {
      fields["v"] = random.oneIn(10) ? fieldValue(using: &random) : .vector(vector(using: &random))
    }
    return fields
  }

  private func fieldValue(using random: inout some RandomNumberGenerator) -> Value {
    random.oneIn(5) ? value(using: &random) : common(using: &random)
  }

  private func tag(using random: inout some RandomNumberGenerator) -> Value {
    let tag = fieldValue(using: &random)
    // No array holds one of these (§2.1).
    return tag.typeClass == .array || tag.typeClass == .vector ? .integer(1) : tag
  }

  /// Ids of documents: prefixes of each other, with characters below and above a slash, and with
  /// bytes that keys escape.
  static let ids = ["d1", "d", "d!", "d\u{0}", "d\u{0}\u{1}", "d10", "é", "d\u{1}", "x", "d2"]

  /// Returns the path of a document that queries may see, one of sixty.
  package func path(using random: inout some RandomNumberGenerator) -> ResourcePath {
    let collection = (random.oneIn(3) ? "c" : random.pick(QueryGenerator.collections))
      .split(separator: "/").map(String.init)
    return ResourcePath(unchecked: collection + [random.pick(QueryGenerator.ids)])
  }

  /// Returns documents with distinct paths, sorted by path.
  package func documents(
    count: Int, using random: inout some RandomNumberGenerator
  ) -> [Document] {
    var documents: [ResourcePath: Document] = [:]
    for _ in 0..<count {
      let path = path(using: &random)
      documents[path] = Document(
        path: path, fields: fields(using: &random), createTime: .minimum, updateTime: .minimum)
    }
    return documents.values.sorted { $0.path < $1.path }
  }
}

/// The scope of an index or a query: one collection at a time, or all collections of an id (§3.4).
public enum QueryScope: String, Sendable, Hashable, CaseIterable, Codable {
  /// One collection at a time.
  case collection = "COLLECTION"
  /// All collections of an id together.
  case collectionGroup = "COLLECTION_GROUP"
}

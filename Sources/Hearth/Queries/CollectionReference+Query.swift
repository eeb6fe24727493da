import HearthDocumentModel
import HearthQueryPlanning

extension CollectionReference: QueryBuilding {
  /// The query for all documents of the collection, ordered by name.
  public var query: Query {
    Query(StructuredQuery(collectionID: id, below: path.parent), in: database)
  }
}

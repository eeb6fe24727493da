public import HearthDocumentModel

/// A search for the documents whose vectors are nearest to one vector, nearest first (§4.10).
public struct NearestNeighbors: Sendable, Equatable {
  /// A measure of the distance between two vectors.
  public enum Measure: String, Sendable, Hashable, CaseIterable {
    /// The length of the straight line between them.
    case euclidean = "EUCLIDEAN"
    /// One minus the cosine of the angle between them. A vector of zeros has no angle: the query
    /// fails.
    case cosine = "COSINE"
    /// The dot product of the two. The greatest product is the nearest.
    case dotProduct = "DOT_PRODUCT"
  }

  /// The field of the vectors.
  public var field: FieldPath
  /// The vector that documents' vectors are compared with.
  public var vector: [Double]
  /// The measure of the distance.
  public var measure: Measure
  /// The largest number of results, from 1 to 1,000.
  public var limit: Int
  /// The name of a field that is added to results and holds their distance, taken literally; `nil`
  /// for no such field.
  public var distanceField: String?
  /// The greatest distance, or the least product, of a result; `nil` for no limit.
  public var threshold: Double?

  /// Creates a search.
  public init(
    _ field: FieldPath, to vector: [Double], by measure: Measure, limit: Int,
    distanceField: String? = nil, threshold: Double? = nil
  ) {
    self.field = field
    self.vector = vector
    self.measure = measure
    self.limit = limit
    self.distanceField = distanceField
    self.threshold = threshold
  }
}

extension NearestNeighbors {
  private static let resultLimit = 1_000

  /// - Throws: `invalidArgument` with production's text (§4.10).
  func validate() throws(DatabaseError) {
    guard (1...NearestNeighbors.resultLimit).contains(limit) else {
      throw .invalidArgument(
        "FindNearest.limit must be a positive integer of no more than "
          + "\(NearestNeighbors.resultLimit)")
    }
    guard !vector.isEmpty else { throw .invalidArgument("Cannot have a zero length vector.") }
    guard vector.count <= Limits.vectorDimension else {
      throw .invalidArgument(
        "A vector of \(vector.count) dimensions is longer than \(Limits.vectorDimension).")
    }
    guard !vector.contains(where: \.isNaN) else { throw .vectorWithNaN }
    guard threshold?.isFinite ?? true else {
      throw .invalidArgument("distanceThreshold must be a finite number.")
    }
    if let name = distanceField {
      try name.validateAsProperty("The distanceResultField.property.name")
    }
  }
}

extension String {
  /// Checks the name of a field that an answer adds.
  ///
  /// - Throws: `invalidArgument` with a text that begins with `subject`.
  func validateAsProperty(_ subject: String) throws(DatabaseError) {
    guard !isEmpty else { throw .invalidArgument("\(subject) is the empty string.") }
    guard !isReservedName else { throw .invalidArgument("\(subject) \"\(self)\" is reserved.") }
    guard utf8.count <= Limits.fieldNameByteCount else {
      throw .invalidArgument("\(subject) is longer than \(Limits.fieldNameByteCount) bytes.")
    }
  }
}

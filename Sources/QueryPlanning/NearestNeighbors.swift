public import DocumentModel

/// The documents whose vectors lie closest to one vector, closest first (§4.10).
public struct NearestNeighbors: Sendable, Equatable {
  /// How near two vectors are.
  public enum Measure: String, Sendable, Hashable, CaseIterable {
    /// The length of the way between them.
    case euclidean = "EUCLIDEAN"
    /// One minus the cosine of the angle. A vector of zeros has none: the query fails.
    case cosine = "COSINE"
    /// Results come with the greatest product first.
    case dotProduct = "DOT_PRODUCT"
  }

  /// The field of the vectors.
  public var field: FieldPath
  /// What the others are compared with.
  public var vector: [Double]
  /// What is near.
  public var measure: Measure
  /// From 1 to 1,000.
  public var limit: Int
  /// The field that results carry their distance in: a name, taken as it is.
  public var distanceField: String?
  /// The greatest distance, or the least product, of a result.
  public var threshold: Double?

  /// A search.
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
  /// - Throws: `invalidArgument`, its text beginning with `subject`.
  func validateAsProperty(_ subject: String) throws(DatabaseError) {
    guard !isEmpty else { throw .invalidArgument("\(subject) is the empty string.") }
    guard !isReservedName else { throw .invalidArgument("\(subject) \"\(self)\" is reserved.") }
    guard utf8.count <= Limits.fieldNameByteCount else {
      throw .invalidArgument("\(subject) is longer than \(Limits.fieldNameByteCount) bytes.")
    }
  }
}

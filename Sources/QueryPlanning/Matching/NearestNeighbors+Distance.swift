package import HearthDocumentModel

// The arithmetic of §4.10. All of it is in doubles, with the elements in order, so that an index
// and the documents give the same bits.
extension NearestNeighbors {
  /// Returns the distance of `other` from the query's vector, by the query's measure.
  ///
  /// - Parameter other: a vector with the same number of elements.
  /// - Throws: `failedPrecondition` for the cosine with a vector of zeros.
  package func distance(to other: [Double]) throws(DatabaseError) -> Double {
    switch measure {
    case .dotProduct: return dotProduct(vector, other)
    case .euclidean:
      let sum = zip(vector, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      if safeSquares.contains(sum) { return sum.squareRoot() }
      return magnitude(of: zip(vector, other).map { $0 - $1 })
    case .cosine:
      guard vector.contains(where: { $0 != 0 }), other.contains(where: { $0 != 0 }) else {
        throw DatabaseError(
          .failedPrecondition,
          "Cannot compute cosine distance against a vector with a magnitude of zero.")
      }
      let (own, other) = (inRange(vector), inRange(other))
      return 1 - dotProduct(own, other) / (magnitude(of: own) * magnitude(of: other))
    }
  }

  /// Whether a result may be at this distance. NaN is near enough only without a threshold.
  package func isNearEnough(_ distance: Double) -> Bool {
    guard let threshold else { return true }
    return measure == .dotProduct ? distance >= threshold : distance <= threshold
  }

  /// Compares two distances, the nearer one first: the smaller distance, or the greater product.
  /// NaN comes last.
  package func compare(_ left: Double, _ right: Double) -> Ordering {
    if left.isNaN || right.isNaN { return Ordering(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
    if left == right { return .equal }
    return (left < right) == (measure != .dotProduct) ? .less : .greater
  }
}

private func dotProduct(_ left: [Double], _ right: [Double]) -> Double {
  zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
}

/// Returns the square root of the sum of all squares, even if a square exceeds the range of
/// doubles.
private func magnitude(of vector: [Double]) -> Double {
  let sum = dotProduct(vector, vector)
  if safeSquares.contains(sum) { return sum.squareRoot() }
  guard let exponent = greatestExponent(vector) else { return sum.squareRoot() }
  let scaled = scale(vector, by: 0 &- exponent)
  let magnitude = dotProduct(scaled, scaled).squareRoot()
  return Double(sign: .plus, exponent: exponent, significand: magnitude)
}

/// Returns the vector, or one of the same direction whose squares stay in the range of doubles.
private func inRange(_ vector: [Double]) -> [Double] {
  guard !safeSquares.contains(dotProduct(vector, vector)),
    let exponent = greatestExponent(vector)
  else { return vector }
  return scale(vector, by: 0 &- exponent)
}

/// Sums of squares that are far enough from the ends of the range to have lost nothing.
private let safeSquares = 0x1p-900...0x1p900

/// Multiplies by a power of two, which changes no digit.
private func scale(_ vector: [Double], by exponent: Int) -> [Double] {
  vector.map { Double(sign: .plus, exponent: exponent, significand: $0) }
}

/// Returns the exponent of the element farthest from zero; `nil` if all are zero, or that one is
/// infinite.
private func greatestExponent(_ vector: [Double]) -> Int? {
  let greatest = vector.reduce(0) { max($0, $1.magnitude) }
  return greatest.isFinite && greatest > 0 ? Int(greatest.exponent) : nil
}

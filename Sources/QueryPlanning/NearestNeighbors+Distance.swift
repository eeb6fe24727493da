package import DocumentModel

// The arithmetic of §4.10: all of it in doubles, the elements in order, so that an index and the
// documents give the same bits.
extension NearestNeighbors {
  /// How far `other` lies from the vector of the query, by its measure.
  ///
  /// - Parameter other: a vector with as many elements.
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

  /// Whether a result may lie that far away; a distance that is no number only without a threshold.
  package func isNearEnough(_ distance: Double) -> Bool {
    guard let threshold else { return true }
    return measure == .dotProduct ? distance >= threshold : distance <= threshold
  }

  /// Which of two distances is the nearer one: the less, or the greater product. What is no number
  /// comes last.
  package func compare(_ left: Double, _ right: Double) -> Ordering {
    if left.isNaN || right.isNaN { return Ordering(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
    if left == right { return .equal }
    return (left < right) == (measure != .dotProduct) ? .less : .greater
  }
}

private func dotProduct(_ left: [Double], _ right: [Double]) -> Double {
  zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
}

/// The square root of the sum of all squares, even where a square leaves the range of doubles.
private func magnitude(of vector: [Double]) -> Double {
  let sum = dotProduct(vector, vector)
  if safeSquares.contains(sum) { return sum.squareRoot() }
  guard let exponent = greatestExponent(vector) else { return sum.squareRoot() }
  let scaled = scale(vector, by: 0 &- exponent)
  let magnitude = dotProduct(scaled, scaled).squareRoot()
  return Double(sign: .plus, exponent: exponent, significand: magnitude)
}

/// The vector, or one of the same direction whose squares stay in the range of doubles.
private func inRange(_ vector: [Double]) -> [Double] {
  guard !safeSquares.contains(dotProduct(vector, vector)),
    let exponent = greatestExponent(vector)
  else { return vector }
  return scale(vector, by: 0 &- exponent)
}

/// Sums of squares that have lost nothing to the ends of the range.
private let safeSquares = 0x1p-900...0x1p900

/// By a power of two, which changes no digit.
private func scale(_ vector: [Double], by exponent: Int) -> [Double] {
  vector.map { Double(sign: .plus, exponent: exponent, significand: $0) }
}

/// The exponent of the element farthest from zero; `nil` where that is none, or infinite.
private func greatestExponent(_ vector: [Double]) -> Int? {
  let greatest = vector.reduce(0) { max($0, $1.magnitude) }
  return greatest.isFinite && greatest > 0 ? Int(greatest.exponent) : nil
}

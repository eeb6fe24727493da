extension Range<Int> {
  /// Returns the first number for which `isReached` holds, or the upper bound. It must hold for all
  /// later numbers of the range.
  ///
  /// - Complexity: logarithmic.
  @inlinable package func first<Failure: Error>(
    reaching isReached: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A vector, as vector indexes use it (§2.1). It is stored as a vector, whereas `[Double]` is
/// stored as an array. `[Double]` decodes from both.
public struct VectorValue: Sendable, Hashable {
  /// Elements of the vector.
  public let array: [Double]

  /// Creates a vector with these elements.
  public init(_ array: [Double]) {
    self.array = array
  }
}

extension VectorValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Double...) {
    self.init(elements)
  }
}

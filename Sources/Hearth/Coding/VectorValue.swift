/// A vector, as vector indexes search for (§2.1). It is stored as one, where `[Double]` is stored
/// as an array; `[Double]` decodes from both.
public struct VectorValue: Sendable, Hashable {
  /// The elements.
  public let array: [Double]

  /// A vector of these elements.
  public init(_ array: [Double]) {
    self.array = array
  }
}

extension VectorValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Double...) {
    self.init(elements)
  }
}

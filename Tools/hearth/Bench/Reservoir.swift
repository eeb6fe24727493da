/// A sample of a sequence of elements, in which each element is equally likely to be (Vitter:
/// Random Sampling with a Reservoir, 1985).
struct Reservoir<Element> {
  private(set) var elements: [Element] = []
  private let capacity: Int
  private var offeredCount = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  mutating func offer(_ element: Element, using random: inout SplitMix) {
    offeredCount += 1
    if elements.count < capacity { return elements.append(element) }
    let index = Int.random(in: 0..<offeredCount, using: &random)
    if index < capacity { elements[index] = element }
  }
}

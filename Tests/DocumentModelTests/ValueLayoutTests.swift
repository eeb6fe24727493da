import HearthDocumentModel
import Testing

@Suite struct ValueLayoutTests {
  /// A call returns up to four words in registers. A larger value is copied through memory.
  @Test func aValueFitsIntoRegisters() {
    #expect(MemoryLayout<Value>.size == 17)
    #expect(MemoryLayout<Value?>.size <= 4 * MemoryLayout<Int>.size)
  }
}

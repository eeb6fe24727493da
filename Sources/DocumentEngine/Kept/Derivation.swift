import HearthOrderedStore

/// A kind of data that commits derive from documents and keep in step with them.
///
/// A new kind is a type of this protocol and a part of ``DerivedData``.
protocol Derivation {
  /// Extent of the noted changes at one moment, to return to. Arrays are marked rather than copied,
  /// since the next append to a copied array copies all of it.
  associatedtype Mark = Void

  var mark: Mark { get }

  /// Notes a request's change of a document.
  ///
  /// - Parameters:
  ///   - batch: the batch of the commit, which takes back its operations with the request.
  ///   - start: the place in `batch` at which the operations for this change begin.
  mutating func note(
    _ change: DocumentChange, _ catalog: Catalog, into batch: inout StoreBatch,
    since start: StoreBatch.Mark) throws

  /// Takes over a new catalogue.
  mutating func follow(_ catalog: Catalog)

  /// Refuses the request that made the changes since `mark` if stored data contradict them.
  ///
  /// - Throws: `dataLoss`; errors of the store.
  mutating func check(since mark: Mark, in view: ReadView) throws

  /// Takes back the changes since `mark`.
  mutating func rollBack(to mark: Mark)

  /// Appends the operations that all noted changes have in common.
  mutating func seal(into batch: inout StoreBatch)
}

extension Derivation {
  mutating func follow(_ catalog: Catalog) {}
  mutating func check(since mark: Mark, in view: ReadView) {}
  mutating func seal(into batch: inout StoreBatch) {}
}

extension Derivation where Mark == Void {
  var mark: Void { () }
  mutating func rollBack(to mark: Void) {}
}

/// All data that a commit derives from documents.
package struct DerivedData: Derivation {
  typealias Mark = (counts: CountChanges.Mark, sums: SumChanges.Mark)

  private var keys = DocumentKeys()
  package var counts: CountChanges
  package var sums: SumChanges

  /// - Parameter sums: the sums as of `view`.
  init(_ view: ReadView, sums: SumTable) throws {
    counts = try CountChanges(view)
    self.sums = SumChanges(view, sums)
  }

  var mark: Mark { (counts.mark, sums.mark) }

  mutating func note(
    _ change: DocumentChange, _ catalog: Catalog, into batch: inout StoreBatch,
    since start: StoreBatch.Mark
  ) throws {
    keys.note(change, catalog, into: &batch, since: start)
    counts.note(change, catalog, into: &batch, since: start)
    try sums.note(change, catalog, into: &batch, since: start)
  }

  mutating func follow(_ catalog: Catalog) { sums.follow(catalog) }

  mutating func check(since mark: Mark, in view: ReadView) throws {
    try counts.check(since: mark.counts, in: view)
  }

  mutating func rollBack(to mark: Mark) {
    counts.rollBack(to: mark.counts)
    sums.rollBack(to: mark.sums)
  }

  mutating func seal(into batch: inout StoreBatch) {
    counts.seal(into: &batch)
    sums.seal(into: &batch)
  }
}

/// An index over sample tasks. Its last column is the name.
package struct SampleIndex {
  package let number: Int
  package let components: [Component]
  /// Whether there is one entry per element of the array instead of one per document.
  package var isArrayContains = false

  package struct Component {
    package let field: TaskField
    package let descending: Bool
  }

  package init(_ number: Int, _ components: (TaskField, descending: Bool)...) {
    self.number = number
    self.components = components.map { Component(field: $0.0, descending: $0.descending) }
  }

  package var isDescending: Bool { components.last?.descending ?? false }
}

extension SampleIndex {
  package static let userNewest = SampleIndex(1, (.userId, false), (.createdTime, descending: true))
  package static let userCompleted = SampleIndex(
    2, (.userId, false), (.completed, false), (.createdTime, false))
  package static let byTime = SampleIndex(6, (.createdTime, false))
  package static let byTitle = SampleIndex(7, (.title, false))

  package static let byCompleted = SampleIndex(9, (.completed, false))

  package static let userPriority = SampleIndex(
    3, (.userId, false), (.priority, false), (.createdTime, false))
  package static let userUrgent = SampleIndex(
    4, (.userId, false), (.completed, false), (.priority, false))
  /// An index that the stores don't have before W4, which builds it over the existing tasks.
  package static let userOldest = SampleIndex(12, (.userId, false), (.createdTime, false))

  package static let composites = [
    userNewest, userCompleted, userPriority, userUrgent,
    SampleIndex(5, (.listId, false), (.createdTime, false)),
  ]

  package static let singles = [
    byTime, byTitle, byCompleted,
    SampleIndex(8, (.priority, false)),
    SampleIndex(10, (.userId, false)), SampleIndex(11, (.listId, false)),
  ]

  /// Returns the automatic indexes of a task as Firestore has them: every field in one direction or
  /// in both, and the elements of its array (§3.2).
  package static func automatic(bothDirections: Bool) -> [SampleIndex] {
    var indexes: [SampleIndex] = []
    for (position, field) in TaskField.allCases.enumerated() {
      indexes.append(SampleIndex(20 + position, (field, false)))
      if bothDirections {
        indexes.append(SampleIndex(40 + position, (field, descending: true)))
      }
    }
    var elements = SampleIndex(60, (.tags, false))
    elements.isArrayContains = true
    return indexes + [elements]
  }

  package static func automatic(_ field: TaskField, descending: Bool) -> SampleIndex? {
    automatic(bothDirections: true).first {
      !$0.isArrayContains && $0.components[0].field == field && $0.isDescending == descending
    }
  }
}

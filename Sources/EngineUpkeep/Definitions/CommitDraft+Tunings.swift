import HearthDocumentEngine

extension CommitDraft {
  mutating func updateTunings(_ change: (inout Tunings) -> Void) {
    replaceCatalog(catalog.with { change(&$0.tunings) })
  }

  /// Replaces every time to live by the result of `change`, or removes it for `nil`.
  mutating func updateTimesToLive(_ change: (TimeToLive) -> TimeToLive?) {
    replaceCatalog(catalog.with { $0.timesToLive = $0.timesToLive.compactMap(change) })
  }
}

extension KeptCounts {
  func with(_ state: TuningState) -> KeptCounts {
    KeptCounts(id: id, definition: definition, state: state)
  }
}

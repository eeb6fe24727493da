import HearthDocumentEngine

extension CommitDraft {
  mutating func updateTunings(_ change: (inout Tunings) -> Void) {
    replaceCatalog(catalog.with { change(&$0.tunings) })
  }
}

extension KeptCounts {
  func with(_ state: TuningState) -> KeptCounts {
    KeptCounts(id: id, definition: definition, state: state)
  }
}

import Hearth

extension OutputOptions {
  /// Prints a changed index as JSON, or the change as a sentence.
  func report(_ definition: IndexDefinition, _ sentence: String) throws {
    try OutputWriter.withWriter { writer in
      if json { try writer.print(definition.json) } else { try writer.print(sentence) }
    }
  }
}

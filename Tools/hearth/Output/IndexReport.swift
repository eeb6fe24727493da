import Hearth

extension OutputOptions {
  /// Prints an index that was changed as JSON, or what was done as a sentence.
  func report(_ definition: IndexDefinition, _ sentence: String) throws {
    try OutputWriter.withWriter { writer in
      if json { try writer.print(definition.json) } else { try writer.print(sentence) }
    }
  }
}

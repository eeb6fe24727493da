import ArgumentParser
import Hearth

/// The options for the types of plain JSON's values.
struct ValueOptions: ParsableArguments {
  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "The type that a field's values become, such as createdTime:timestamp; "
        + "one of \(FieldType.names). May be given several times.",
      valueName: "field:type"),
    transform: TypedField.init(argument:))
  var types: [TypedField] = []

  func converter(in database: DatabaseID) -> ValueConverter {
    ValueConverter(types: types, database: database)
  }

  /// Returns the fields with the types that the options give.
  ///
  /// - Throws: ``ToolFailure`` for a value that can't be converted.
  func convert(_ fields: MapValue, in database: DatabaseID) throws -> MapValue {
    let converter = converter(in: database)
    var fields = fields
    do throws(ValueConverter.FieldFailure) {
      try converter.convert(&fields)
    } catch {
      throw ToolFailure.badInput(
        "field \"\(error.path)\": \(error.failure.problem). \(error.failure.advice).")
    }
    return fields
  }
}

extension TypedField {
  fileprivate init(argument: String) throws {
    do throws(SyntaxError) {
      try self.init(argument)
    } catch {
      throw ValidationError(error.description)
    }
  }
}

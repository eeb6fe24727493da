/// A dictionary with string keys. Its names are data and not properties.
protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}

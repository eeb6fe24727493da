import HearthDocumentModel

// The order of JavaScript's `localeCompare`, by which the Firebase tool sorts names. It is the
// order of dictionaries: "b" is between "A" and "C", and "é" between "e" and "f". It equals the
// root collation of Unicode for ASCII and for the accented letters of Western and Central European
// languages. Other characters follow, by code point. Control characters count for nothing.
extension String {
  /// Compares as a dictionary does: first by letters regardless of accents and case, then by
  /// accents, then lowercase first, then by bytes.
  func compareAsWord(_ other: String) -> Ordering {
    let (left, right) = (WordWeights(self), WordWeights(other))
    if left.letters != right.letters {
      return left.letters.lexicographicallyPrecedes(right.letters) ? .less : .greater
    }
    if left.accents != right.accents {
      return left.accents.lexicographicallyPrecedes(right.accents) ? .less : .greater
    }
    if left.cases != right.cases {
      return left.cases.lexicographicallyPrecedes(right.cases) ? .less : .greater
    }
    return utf8Compare(other)
  }
}

/// The collation weights of a text's characters.
private struct WordWeights {
  /// The weights of the letters, the same with and without accents, and for both cases.
  var letters: [UInt32] = []
  /// The accents of the letters; 0 for none.
  var accents: [Int] = []
  /// The cases of the letters; 1 for a capital.
  var cases: [UInt8] = []

  init(_ text: String) {
    for scalar in text.unicodeScalars {
      let lowercase = scalar.lowercase
      let letter = WordWeights.accented[lowercase] ?? (lowercase, 0)
      guard let weight = WordWeights.weight(of: letter.base) else { continue }
      letters.append(weight)
      accents.append(letter.accent)
      cases.append(lowercase == scalar ? 0 : 1)
    }
  }

  /// Returns the weight of a character; `nil` if it counts for nothing.
  private static func weight(of scalar: Unicode.Scalar) -> UInt32? {
    guard scalar.isASCII else { return scalar.value }
    let weight = weights[Int(scalar.value)]
    return weight == 0 ? nil : weight
  }

  /// The weights by ASCII code, counted from 1; 0 for a character that counts for nothing.
  private static let weights: [UInt32] = {
    var weights = [UInt32](repeating: 0, count: 128)
    let order =
      "\t\n\u{0B}\u{0C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
    for (rank, scalar) in order.unicodeScalars.enumerated() {
      weights[Int(scalar.value)] = UInt32(rank) + 1
    }
    return weights
  }()

  /// The letters with accents, with their bases and accents. The text lists each after its base,
  /// one accent a line, in their order.
  private static let accented: [Unicode.Scalar: (base: Unicode.Scalar, accent: Int)] = {
    let lines = [
      "aácćeéiílĺnńoórŕsśuúyýzź", "aàeèiìoòuù", "aăeĕgğiĭoŏuŭ", "aâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷ",
      "cčdďeělľnňrřsštťzž", "aåuů", "aäeëiïoöuüyÿ", "oőuű", "aãiĩnñoõuũ", "cċeėgġzż",
      "cçgģkķlļnņrŗsştţ", "dđhħlłoø", "aąeęiįuų", "aāeēiīoōuū",
    ]
    var accented: [Unicode.Scalar: (base: Unicode.Scalar, accent: Int)] = [:]
    for (number, line) in lines.enumerated() {
      let letters = Array(line.unicodeScalars)
      for place in stride(from: 0, to: letters.count, by: 2) {
        accented[letters[place + 1]] = (letters[place], number + 1)
      }
    }
    return accented
  }()
}

extension Unicode.Scalar {
  /// The lowercase letter. It is the scalar itself if that is no capital, or its lowercase is more
  /// than one scalar.
  fileprivate var lowercase: Unicode.Scalar {
    let mapping = properties.lowercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? self : self
  }
}

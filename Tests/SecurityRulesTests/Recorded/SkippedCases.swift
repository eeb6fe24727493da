import HearthFirestoreJSON

/// The recorded cases that ask more of a server than a verdict of rules, each with the reason.
enum SkippedCases {
  private static let administrator = "an administrator is not judged"
  private static let token = "is about a token's text, which a server reads"
  private static let metadata = "is for administrators alone, which a server decides"
  private static let otherRefusal = "is refused for another reason than rules"

  /// The number of cases with a reason.
  static let count = 18

  static func reason(_ row: RulesCase) -> String? {
    let address = row.json["request"]?["path"]?.string ?? ""
    if let header = row.json["auth"]?.string {
      return header.lowercased().split(separator: " ").contains("owner") ? administrator : token
    }
    if address.hasSuffix(":listCollectionIds") || address.contains("showMissing") {
      return metadata
    }
    return row.isCompilation || row.expect["allow"]?.boolean != nil ? nil : otherRefusal
  }
}

extension String {
  /// The text for a page, with no part of it read as a tag.
  var escapedForHTML: String {
    var text = ""
    for point in unicodeScalars {
      switch point {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(point)
      }
    }
    return text
  }
}

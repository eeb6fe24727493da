extension [String] {
  /// The command line without a `--wait` that has no number behind it, where builds are waited for
  /// anyway: `hearth index apply FILE --wait` says what is so, and names no time for the lock.
  var withoutBareWait: [String] {
    guard starts(with: ["index", "apply"]) || starts(with: ["index", "create"]) else { return self }
    // Beside --no-wait it is a contradiction, which is for the parser to refuse.
    guard !contains("--no-wait") else { return self }
    return enumerated().filter { place, argument in
      argument != "--wait" || (place + 1 < count && Double(self[place + 1]) != nil)
    }.map(\.element)
  }
}

extension [String] {
  /// The command line without a `--wait` that has no number after it, for commands that wait for
  /// builds anyway. `hearth index apply FILE --wait` asks for the default, and names no time for
  /// the lock.
  var withoutBareWait: [String] {
    guard starts(with: ["index", "apply"]) || starts(with: ["index", "create"]) else { return self }
    // With --no-wait it is a contradiction, which the parser refuses.
    guard !contains("--no-wait") else { return self }
    return enumerated().filter { place, argument in
      argument != "--wait" || (place + 1 < count && Double(self[place + 1]) != nil)
    }.map(\.element)
  }
}

/// A bound that Hearth has to keep with 20,000 documents.
struct Must {
  let text: String
  let isMet: Bool

  static let documents = 20_000

  private init(_ name: String, _ measured: String, _ bound: String, isMet: Bool) {
    text = "\(isMet ? "met" : "MISSED"): \(name) \(measured), must be \(bound)"
    self.isMet = isMet
  }

  private static func time(_ name: String, _ seconds: Double, atMost limit: Double) -> Must {
    Must(name, seconds.shownTime, "at most \(limit.shownTime)", isMet: seconds <= limit)
  }

  private static func memory(_ name: String, _ megabytes: Double, atMost limit: Double) -> Must {
    Must(
      name, "\(megabytes.formatted) MB", "at most \(limit.formatted) MB",
      isMet: megabytes <= limit)
  }

  /// Returns the bounds for what was measured.
  ///
  /// - Parameter theirs: the figures of the emulator, where it was measured.
  static func all(of ours: Figures, beside theirs: Figures?) -> [Must] {
    var musts = [
      memory("memory after loading", ours.loadedMegabytes, atMost: 100),
      time("start", ours.startSeconds, atMost: 0.15),
    ]
    if let rested = ours.restedMegabytes {
      musts.append(
        memory(
          "memory without its listeners and connections", rested,
          atMost: ours.loadedMegabytes * 1.2))
    }
    if let get = ours.single[.get] {
      musts.append(time("CPU of a get", get.processorSeconds, atMost: 120e-6))
    }
    if let page = ours.single[.page] {
      musts.append(time("CPU of a page of 20", page.processorSeconds, atMost: 400e-6))
    }
    for (kind, limit) in [(CallKind.page, 0.003), (.count, 0.005)] {
      guard let call = ours.single[kind] else { continue }
      musts.append(time("p50 of a \(kind.rawValue)", call.p50, atMost: limit))
      guard let other = theirs?.single[kind] else { continue }
      let ratio = other.p50 / call.p50
      musts.append(
        Must(
          "p50 of a \(kind.rawValue) of the emulator", "\(ratio.formatted) times Hearth's",
          "at least 50 times", isMet: ratio >= 50))
    }
    return musts
  }
}

/// The measured cost of a server.
struct Figures {
  var startSeconds = Double.nan
  /// Resident memory after the documents were written.
  var loadedMegabytes = Double.nan
  /// Resident memory a while after the listeners and connections have gone; `nil` if there were
  /// fewer than the bound is for.
  var restedMegabytes: Double?
  /// The calls of one client, one after the other.
  var single: [CallKind: CallLoad.Outcome] = [:]
}

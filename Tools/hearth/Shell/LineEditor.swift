import CEdit

/// An editor of lines on the terminal, with a history and completion. One may exist at a time.
///
/// It is libedit, which reads the user's `~/.editrc`.
final class LineEditor {
  /// The most lines of the history.
  private static let historyCount: Int32 = 1000

  /// An end of a line.
  enum Line {
    case text(String)
    /// The user gave the line up.
    case cancelled
    /// There is no further line.
    case end
  }

  /// Returns the completions of a line up to the cursor.
  var complete: (String) -> Completion = { _ in Completion(typed: "", candidates: []) }

  private let prompt: UnsafeMutablePointer<CChar>?
  private let historyFile: String?
  private var edit: OpaquePointer?
  private var history: OpaquePointer?
  private var isCancelled = false

  /// - Parameters:
  ///   - prompt: text in front of each line.
  ///   - historyFile: file of the earlier lines; `nil` for none.
  init(prompt: String, historyFile: String?) {
    self.prompt = prompt.withCString { text in
      let count = prompt.utf8.count + 1
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: count)
      copy.initialize(from: text, count: count)
      return copy
    }
    self.historyFile = historyFile
    edit = hearth_edit_begin(
      Unmanaged.passUnretained(self).toOpaque(), { LineEditor.of($0)?.prompt },
      { edit, _ in UInt8(LineEditor.of(edit)?.insertCompletion() ?? CC_ERROR) },
      { edit, _ in UInt8(LineEditor.of(edit)?.cancel() ?? CC_ERROR) })
    if let edit { history = hearth_history_begin(edit, LineEditor.historyCount, historyFile) }
  }

  deinit {
    if let edit { el_end(edit) }
    if let history { history_end(history) }
    prompt?.deallocate()
  }

  private static func of(_ edit: OpaquePointer?) -> LineEditor? {
    hearth_edit_owner(edit).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Reads the next line.
  func next() -> Line {
    guard let edit else { return .end }
    isCancelled = false
    // The window may have another size since the last line.
    el_resize(edit)
    var count: Int32 = 0
    let bytes = el_gets(edit, &count)
    // A line that was given up may be empty, as the end of the input is.
    if isCancelled { return .cancelled }
    guard let bytes, count > 0 else { return .end }
    return .text(String(cString: bytes))
  }

  /// Keeps a line for later, also for later runs.
  func remember(_ line: String) {
    guard let history else { return }
    hearth_history_add(history, line)
    // A history that can't be saved is lost at the end, and nothing else.
    if let historyFile { _ = hearth_history_save(history, historyFile) }
  }

  private func cancel() -> Int32 {
    isCancelled = true
    print("^C\n", to: .standardOutput)
    return CC_NEWLINE
  }

  private func insertCompletion() -> Int32 {
    guard let edit, let line = el_line(edit) else { return CC_ERROR }
    let bytes = UnsafeRawBufferPointer(
      start: line.pointee.buffer, count: line.pointee.cursor - line.pointee.buffer)
    let completion = complete(String(decoding: bytes, as: UTF8.self))
    if let insertion = completion.insertion {
      return el_insertstr(edit, insertion) == 0 ? CC_REFRESH : CC_ERROR
    }
    guard completion.candidates.count > 1 else { return CC_ERROR }
    let width = FileDescriptor.standardOutput.terminalWidth ?? 80
    print("\n" + completion.list(width: width), to: .standardOutput)
    return CC_REDISPLAY
  }

  private func print(_ text: String, to file: FileDescriptor) {
    // What the terminal doesn't show is no reason to end the shell.
    try? file.write(text.utf8)
  }
}

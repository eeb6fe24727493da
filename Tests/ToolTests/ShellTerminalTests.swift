import Foundation
import Testing

/// The shell on a terminal.
@Suite struct ShellTerminalTests {
  @Test func anInterruptGivesUpALineAndNotTheShell() async throws {
    try await withFolder { folder in
      let made = try await ToolScript.shell("hearth set c/a '{}' --db a.hearth", in: folder)
      #expect(made.status == 0, "\(made)")
      // Waiting for the terminal needs a thread of its own.
      let (screen, status) = try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try Self.typeLines(in: folder) }) }.start()
      }
      #expect(status == 0 && screen.contains("\n1\r\n"), "\(screen)")
    }
  }

  /// Types an empty line and one with text, gives both up, and then counts.
  private static func typeLines(in folder: URL) throws -> (screen: String, status: Int32) {
    let terminal = try Terminal(["shell", "--db", "a.hearth"], in: folder)
    try terminal.waitForPrompt()
    terminal.type("\u{3}")
    try terminal.wait(for: "^C")
    try terminal.waitForPrompt()
    terminal.type("get c/none")
    try terminal.wait(for: "none")
    terminal.type("\u{3}")
    try terminal.waitForPrompt()
    terminal.type("count c\r")
    try terminal.wait(for: "\n1\r\n")
    try terminal.waitForPrompt()
    terminal.type("\u{4}")
    return (terminal.screen, terminal.end())
  }
}

/// A run of the tool on a terminal of its own.
private final class Terminal {
  private struct Ended: Error {
    let screen: String
  }

  // TIOCSPTLCK and TIOCGPTN of Linux, whose macros Swift can't read.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  private let process = Process()
  private let keyboard: FileHandle
  private(set) var screen = ""
  /// The part of the screen that was not waited for yet.
  private var unseen: Substring = ""

  init(_ arguments: [String], in folder: URL) throws {
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    keyboard = FileHandle(fileDescriptor: main, closeOnDealloc: true)
    var (number, lock): (Int32, Int32) = (0, 0)
    try #require(main >= 0 && ioctl(main, Terminal.setLock, &lock) == 0)
    try #require(ioctl(main, Terminal.getNumber, &number) == 0)
    let side = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(side >= 0)
    let window = FileHandle(fileDescriptor: side, closeOnDealloc: true)
    process.executableURL = ToolRun.executable
    process.arguments = arguments
    process.environment = [
      "HOME": folder.path, "TERM": "dumb", "PATH": "/usr/bin:/bin", "PAGER": "",
    ]
    process.currentDirectoryURL = folder
    process.standardInput = window
    process.standardOutput = window
    process.standardError = window
    try process.run()
    try window.close()
  }

  func type(_ text: String) { keyboard.write(Data(text.utf8)) }

  /// Reads on until the prompt has come and the editor takes keys. Until then, Ctrl-C would be the
  /// terminal's own.
  func waitForPrompt() throws {
    try wait(for: "a> ")
    var mode = termios()
    repeat {
      usleep(1000)
      try #require(tcgetattr(keyboard.fileDescriptor, &mode) == 0)
    } while mode.c_lflag & tcflag_t(ICANON) != 0
  }

  /// Reads on until a text has come.
  func wait(for text: String) throws {
    while true {
      if let range = unseen.range(of: text) {
        unseen = unseen[range.upperBound...]
        return
      }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(keyboard.fileDescriptor, &bytes, bytes.count)
      guard count > 0 else { throw Ended(screen: screen) }
      let more = String(decoding: bytes.prefix(count), as: UTF8.self)
      screen += more
      unseen += more
    }
  }

  /// Waits for the tool's end, and returns its status.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}

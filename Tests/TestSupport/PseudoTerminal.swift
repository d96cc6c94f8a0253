// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc

/// A pseudo-terminal with a shell that runs the built command as for a user, and to which a test
/// can type, whose screen it can read, and which it can resize.
public final class PseudoTerminal {
  /// The reason why a text was not shown.
  public struct Failure: Error, CustomStringConvertible {
    /// The expected text, and the shown text.
    public let description: String
  }

  /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not import.
  private static let unlock: UInt = 0x4004_5431
  private static let number: UInt = 0x8004_5430

  private let main: Int32
  /// State that the command stores must not affect the next test.
  private let state: ScratchFolder
  private let child: Child
  /// The screen.
  public private(set) var picture: TerminalPicture
  /// All bytes that were written to the terminal.
  public private(set) var written: [UInt8] = []

  /// Runs a Bash script in a terminal of a size.
  ///
  /// - Parameters:
  ///   - script: The script; `$0` in it is the built command.
  ///   - columns: The width of the terminal.
  ///   - rows: The height of the terminal.
  ///   - environment: Variables that replace those of the process; nil removes one.
  ///   - controlsJobs: True if each command is a separate job, as at a prompt.
  ///   - folder: The working folder.
  /// - Throws: An error if a terminal or a shell is not available.
  public init(
    _ script: String, columns: Int = 80, rows: Int = 24, environment: [String: String?] = [:],
    controlsJobs: Bool = true, folder: URL = ToolRun.packageFolder
  ) throws {
    state = try ScratchFolder()
    main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var (number, isLocked): (Int32, Int32) = (0, 0)
    guard unsafe ioctl(main, Self.unlock, &isLocked) == 0,
      unsafe ioctl(main, Self.number, &number) == 0
    else { throw Failure(description: "no pseudo-terminal") }
    let path = "/dev/pts/\(number)"
    picture = TerminalPicture(columns: columns, rows: rows)
    Self.resize(main, columns, rows)
    var variables = ToolEnvironment.variables
    variables["TERM"] = "xterm-256color"
    variables["LC_ALL"] = "C.UTF-8"
    variables["XDG_STATE_HOME"] = state.path("state")
    for name in ["NO_COLOR", "COLORTERM", "LANG"] { variables[name] = nil }
    for (name, value) in environment { variables[name] = value }
    // The first terminal that a session leader opens becomes its controlling terminal.
    child = try Child(
      "/bin/bash", ["--norc", controlsJobs ? "-m" : "+m", "-c", script, ToolRun.command],
      variables: variables,
      streams: [path, path, path], folder: folder.path, leadsSession: true)
  }

  deinit {
    close(main)
    kill(child.identifier, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(child.identifier, &status, 0)
  }

  private static func resize(_ main: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  /// Changes the size of the terminal, which signals the foreground process.
  public func resize(columns: Int, rows: Int) {
    picture.resize(columns: columns, rows: rows)
    Self.resize(main, columns, rows)
  }

  /// Types text, or the bytes that keys send.
  public func type(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe write(main, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else { usleep(1_000) }
    }
  }

  /// Sends a signal to the foreground processes.
  public func send(_ signal: Int32) {
    kill(-tcgetpgrp(main), signal)
  }

  /// The flags of the line discipline: echo, line mode, signals.
  public var settings: [UInt32] {
    var settings = termios()
    unsafe tcgetattr(main, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  /// True if it shows typed text.
  public var echoes: Bool { settings[3] & UInt32(ECHO) != 0 }

  /// Reads the bytes that were written meanwhile.
  public func look() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(main, &buffer, buffer.count)
      guard count > 0 else { return }
      written += buffer[..<count]
      picture.write(Array(buffer[..<count]))
    }
  }

  /// Reads until a condition is met.
  ///
  /// - Parameters:
  ///   - what: The condition in words.
  ///   - seconds: The maximum time.
  ///   - isShown: Returns true if the condition is met.
  /// - Throws: `Failure` if it is not met in time.
  public func wait(
    for what: String, seconds: Int = 60, _ isShown: (TerminalPicture) -> Bool
  ) throws {
    for _ in 0..<seconds * 100 {
      look()
      if isShown(picture) { return }
      usleep(10_000)
    }
    throw Failure(description: "\(what) did not appear; shown:\n\(picture.text)")
  }

  /// Reads until a text is shown.
  ///
  /// - Throws: `Failure` if it is not shown in time.
  public func wait(for text: String) throws {
    try wait(for: "‘\(text)’") { $0.text.contains(text) }
  }

  /// Reads for a time.
  public func rest(milliseconds: Int) {
    for _ in 0..<max(1, milliseconds / 10) {
      usleep(10_000)
      look()
    }
  }

  /// Waits for the end of the script.
  ///
  /// - Returns: The exit status.
  /// - Throws: `Failure` if it does not end within a minute.
  @discardableResult
  public func end() throws -> Int32 {
    for _ in 0..<6000 {
      look()
      var status: Int32 = 0
      if unsafe waitpid(child.identifier, &status, WNOHANG) == child.identifier {
        look()
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F
      }
      usleep(10_000)
    }
    throw Failure(description: "the script does not end; there is\n\(picture.text)")
  }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc

/// A terminal of our own with a shell on it, in which the built command runs as it does for a
/// person: to be typed at, looked at, and given another size.
public final class PseudoTerminal {
  /// Why nothing came.
  public struct Failure: Error, CustomStringConvertible {
    /// What was waited for, and what is shown instead.
    public let description: String
  }

  /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not import.
  private static let unlock: UInt = 0x4004_5431
  private static let number: UInt = 0x8004_5430

  private let main: Int32
  /// What is remembered from run to run would tell on the next test.
  private let state: ScratchFolder
  private let child: Child
  /// What it shows.
  public private(set) var picture: TerminalPicture
  /// Every byte that was written to it.
  public private(set) var written: [UInt8] = []

  /// Runs a script in bash on a terminal of a size.
  ///
  /// - Parameters:
  ///   - script: the script; `$0` in it is the built command.
  ///   - columns: the terminal's width.
  ///   - rows: its height.
  ///   - environment: variables set over the process's own; nil takes one away.
  ///   - controlsJobs: whether each command is a job of its own, as at a prompt.
  ///   - folder: where it runs.
  /// - Throws: where there is no terminal, or no shell.
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
    // The first terminal that the leader of a session opens becomes its own.
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

  /// Gives it another size, of which the process in front is told.
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

  /// Sends a signal to the processes that are in front.
  public func send(_ signal: Int32) {
    kill(-tcgetpgrp(main), signal)
  }

  /// The flags of the line discipline: whether it echoes, gathers lines, makes signals.
  public var settings: [UInt32] {
    var settings = termios()
    unsafe tcgetattr(main, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  /// Whether it shows what is typed.
  public var echoes: Bool { settings[3] & UInt32(ECHO) != 0 }

  /// Takes what was written meanwhile.
  public func look() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(main, &buffer, buffer.count)
      guard count > 0 else { return }
      written += buffer[..<count]
      picture.write(Array(buffer[..<count]))
    }
  }

  /// Looks until something is shown.
  ///
  /// - Parameters:
  ///   - what: what is waited for, in words.
  ///   - seconds: how long.
  ///   - isShown: whether it is there.
  /// - Throws: `Failure` where it does not come.
  public func wait(
    for what: String, seconds: Int = 60, _ isShown: (TerminalPicture) -> Bool
  ) throws {
    for _ in 0..<seconds * 100 {
      look()
      if isShown(picture) { return }
      usleep(10_000)
    }
    throw Failure(description: "\(what) did not come; there is\n\(picture.text)")
  }

  /// Looks until a text is shown.
  ///
  /// - Throws: `Failure` where it does not come.
  public func wait(for text: String) throws {
    try wait(for: "‘\(text)’") { $0.text.contains(text) }
  }

  /// Looks for a while, whatever is shown.
  public func rest(milliseconds: Int) {
    for _ in 0..<max(1, milliseconds / 10) {
      usleep(10_000)
      look()
    }
  }

  /// Waits for the end of the script.
  ///
  /// - Returns: its exit status.
  /// - Throws: `Failure` where it does not end within a minute.
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

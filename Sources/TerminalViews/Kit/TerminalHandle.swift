// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The controlling terminal of the process, whose state is restored at the end.
///
/// It is opened separately, so that non-blocking access does not affect the standard streams, which
/// other processes share. Keys that send signals still do so.
///
/// - Note: One thread at a time.
@safe package struct TerminalHandle: ~Copyable {
  private static let writeLimit: Int32 = 250
  /// Switches to the alternate screen, hides the cursor, and turns off line wrap.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let listen = "\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h"
  private static let deafen = "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l"
  /// Clears the screen first, for a terminal without an alternate screen.
  private static let leave = "\u{1B}[0m\u{1B}[H\u{1B}[J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The descriptor, readable after a key press.
  package let descriptor: Int32
  private let takesKeys: Bool
  private var before = termios()
  private var within = termios()
  /// True between `enterView` and `leaveView`.
  package private(set) var isEntered = false
  /// The bytes that the terminal has not accepted yet.
  private var rest: [UInt8] = []

  /// Opens the terminal; nil without one, or if standard error is not this terminal.
  ///
  /// - Parameter takesKeys: True to read keys; otherwise they are left for the next reader, without
  ///   echo.
  package init?(takesKeys: Bool) {
    // This call fails for a terminal that is not the process's own.
    guard tcgetpgrp(STDERR_FILENO) >= 0 else { return nil }
    let opened = unsafe open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 else { return nil }
    descriptor = opened
    self.takesKeys = takesKeys
  }

  deinit {
    if isEntered { restore() }
    close(descriptor)
  }

  /// True if the process may draw and read: it is in the foreground of its shell.
  package var isForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// The current size; 80×24 if the terminal does not report it.
  package var size: TerminalSize {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return TerminalSize(columns: 80, rows: 24) }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Sets up the terminal for a live display, without echo and with immediate keys; false if this
  /// is not possible.
  package mutating func enterView() -> Bool {
    guard !isEntered, isForeground, unsafe tcgetattr(descriptor, &before) == 0 else { return false }
    within = before
    within.c_lflag &= ~tcflag_t(ECHO | ECHONL | IEXTEN)
    // Flow control would allow a key to block drawing.
    within.c_iflag &= ~tcflag_t(IXON)
    if takesKeys {
      within.c_lflag &= ~tcflag_t(ICANON)
      unsafe withUnsafeMutableBytes(of: &within.c_cc) { characters in
        unsafe characters[Int(VMIN)] = 1
        unsafe characters[Int(VTIME)] = 0
      }
    }
    guard unsafe tcsetattr(descriptor, TCSANOW, &within) == 0 else { return false }
    isEntered = true
    rest.removeAll()
    write(Array((Self.enter + (takesKeys ? Self.listen : "")).utf8))
    return true
  }

  /// Restores the terminal, unless another process is in the foreground.
  package mutating func leaveView() {
    guard isEntered else { return }
    restore()
    isEntered = false
  }

  /// Sets up the terminal again after the process was stopped and continued.
  package mutating func reenterView() {
    guard isEntered, isForeground else { return }
    _ = unsafe tcsetattr(descriptor, TCSANOW, &within)
    rest.removeAll()
    write(Array((Self.enter + (takesKeys ? Self.listen : "")).utf8))
  }

  private func restore() {
    guard isForeground else { return }
    // An incomplete sequence would swallow the beginning of this text; the terminator ends it.
    let text = (rest.isEmpty ? "" : "\u{1B}\\") + (takesKeys ? Self.deafen : "") + Self.leave
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty, wait(for: POLLOUT) {
      guard let count = Self.write(bytes, to: descriptor) else { break }
      bytes = bytes.dropFirst(count)
    }
    var before = before
    // Unread keys were meant for the display.
    if takesKeys { tcflush(descriptor, TCIFLUSH) }
    _ = unsafe tcsetattr(descriptor, TCSANOW, &before)
  }

  private func wait(for event: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&entry, 1, Self.writeLimit) == 1 && entry.revents & Int16(event) != 0
  }

  /// True if the terminal has accepted all bytes; do not draw before.
  package mutating func isReady() -> Bool {
    if !rest.isEmpty { write([]) }
    return rest.isEmpty
  }

  /// Writes bytes without blocking; the terminal gets the rest later.
  package mutating func write(_ bytes: [UInt8]) {
    rest += bytes
    guard !rest.isEmpty, let count = Self.write(rest[...], to: descriptor) else { return }
    rest.removeFirst(count)
  }

  /// Writes as many bytes as possible; nil if the terminal is gone.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// The bytes sent by keys; nil if the terminal is gone.
  package func read() -> [UInt8]? {
    guard takesKeys else { return [] }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    if count > 0 { return Array(bytes[..<count]) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }
}

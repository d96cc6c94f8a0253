// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The terminal that the process is controlled from, and the way back to what it was.
///
/// It is opened anew, so that neither a wait for it nor what is written reaches the streams that
/// others share. Keys that mean signals go on to mean them.
///
/// - Note: one thread at a time.
@safe package struct TerminalHandle: ~Copyable {
  private static let writeLimit: Int32 = 250
  /// Another screen, the cursor hidden, lines that do not run on, pastes marked.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let listen = "\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h"
  private static let deafen = "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l"
  /// Cleared first, for a terminal that has no other screen.
  private static let leave = "\u{1B}[0m\u{1B}[H\u{1B}[J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// What becomes readable with a key.
  package let descriptor: Int32
  private let takesKeys: Bool
  private var before = termios()
  private var within = termios()
  /// Whether the terminal is set up for the picture.
  package private(set) var isEntered = false
  /// What the terminal had no room for yet.
  private var rest: [UInt8] = []

  /// Opens the terminal; nil where there is none, or standard error goes elsewhere.
  ///
  /// - Parameter takesKeys: whether keys are read; if not they are left to who comes next, unseen.
  package init?(takesKeys: Bool) {
    // Of another terminal than its own a process cannot ask this.
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

  /// Whether the process may draw and read: a shell has not put it behind another.
  package var isForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// The size now, which may change at any time; 80×24 where the terminal says none.
  package var size: TerminalSize {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return TerminalSize(columns: 80, rows: 24) }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Sets the terminal up: no echo, keys at once; false where it is not ours to.
  package mutating func enterView() -> Bool {
    guard !isEntered, isForeground, unsafe tcgetattr(descriptor, &before) == 0 else { return false }
    within = before
    within.c_lflag &= ~tcflag_t(ECHO | ECHONL | IEXTEN)
    // Flow control would let a key hold up what draws.
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

  /// Gives the terminal back as it was; behind another process it is that one's already.
  package mutating func leaveView() {
    guard isEntered else { return }
    restore()
    isEntered = false
  }

  /// Sets it up again after the process was stopped and continued without being told.
  package mutating func reenterView() {
    guard isEntered, isForeground else { return }
    _ = unsafe tcsetattr(descriptor, TCSANOW, &within)
    rest.removeAll()
    write(Array((Self.enter + (takesKeys ? Self.listen : "")).utf8))
  }

  private func restore() {
    guard isForeground else { return }
    // Half of a sequence would swallow the beginning of this; a whole one more does no harm.
    let text = (rest.isEmpty ? "" : "\u{1B}\\") + (takesKeys ? Self.deafen : "") + Self.leave
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty, wait(for: POLLOUT) {
      guard let count = Self.write(bytes, to: descriptor) else { break }
      bytes = bytes.dropFirst(count)
    }
    var before = before
    // What was typed meanwhile and not read was for the view.
    if takesKeys { tcflush(descriptor, TCIFLUSH) }
    _ = unsafe tcsetattr(descriptor, TCSANOW, &before)
  }

  private func wait(for event: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&entry, 1, Self.writeLimit) == 1 && entry.revents & Int16(event) != 0
  }

  /// Whether the terminal has taken all that was written; meanwhile nothing more is drawn.
  package mutating func isReady() -> Bool {
    if !rest.isEmpty { write([]) }
    return rest.isEmpty
  }

  /// Writes bytes in one piece, without waiting: a terminal that is slow gets the rest later.
  package mutating func write(_ bytes: [UInt8]) {
    rest += bytes
    guard !rest.isEmpty, let count = Self.write(rest[...], to: descriptor) else { return }
    rest.removeFirst(count)
  }

  /// Writes what there is room for; nil where the terminal is gone.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// The bytes that keys have sent; nil where the terminal is gone.
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

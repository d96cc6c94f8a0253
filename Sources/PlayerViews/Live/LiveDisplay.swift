// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import Realtime
package import TerminalViews

/// The live display on the terminal, with its keys.
///
/// It owns the terminal from `enter` to `leave`. While another process of the shell is in the
/// foreground, it neither draws nor reads.
///
/// - Note: One thread.
package final class LiveDisplay {
  /// The interval between two pictures, in nanoseconds: ten per second.
  private static let period: Int64 = 100_000_000
  /// The longest gap inside a key sequence, and inside a paste, in nanoseconds.
  private static let keyPatience: Int64 = 50_000_000
  private static let pastePatience: Int64 = 1_000_000_000

  /// True if keys are read.
  package let takesKeys: Bool
  /// The actions of the keys.
  let bindings: PlayKeys
  /// The last message.
  package var messages = LiveMessages()
  private var terminal: TerminalHandle
  private let abilities: TerminalAbilities
  private let signals: SignalWatch
  private var shown: Screen?
  private var view: LiveView?
  private var next: Int64 = 0
  private var parser = KeyParser()
  private var lastByte: Int64 = 0
  private var continuations = 0
  private var isBehind = false
  private var isGone = false
  private var isOver = false

  /// Opens the terminal; nil if the process does not have one.
  package init?(
    _ abilities: TerminalAbilities, takesKeys: Bool, bindings: PlayKeys, _ signals: SignalWatch
  ) {
    guard let terminal = TerminalHandle(takesKeys: takesKeys) else { return nil }
    self.terminal = terminal
    self.bindings = bindings
    self.takesKeys = takesKeys
    self.abilities = abilities
    self.signals = signals
  }

  deinit { leave() }

  /// Starts to draw, as soon as the process is in the foreground.
  package func enter() {
    isOver = false
    guard terminal.enterView() else { return }
    HeldLines.begin()
    continuations = signals.continuationCount
    (shown, next) = (nil, 0)
  }

  /// Restores the terminal, and then prints the messages that were held back.
  package func leave() {
    isOver = true
    terminal.leaveView()
    HeldLines.end()
  }

  /// The descriptors that are readable after a key press.
  package var descriptors: [Int32] {
    terminal.isEntered && !isBehind && !isGone ? [terminal.descriptor] : []
  }

  /// Draws a state, if the last one was drawn at least 100 ms ago.
  ///
  /// - Parameters:
  ///   - isUrgent: True to draw at once, after an action of the user; false by default.
  ///   - state: Creates the state.
  package func show(isUrgent: Bool = false, _ state: () -> LiveState) {
    let now = DeadlineWait.now
    guard isUrgent || now >= next else { return }
    next = now + Self.period
    guard comesForward(), terminal.isReady() else { return }
    let view = LiveView(state(), terminal.size)
    terminal.write(ScreenEncoder.bytes(from: shown, to: view.screen, abilities))
    shown = view.screen
    self.view = view
  }

  /// Returns true if the process may use the terminal; restores the display after the shell has
  /// continued the process.
  private func comesForward() -> Bool {
    if !terminal.isEntered, !isOver { enter() }
    isBehind = !terminal.isForeground
    guard terminal.isEntered, !isBehind else { return false }
    if signals.continuationCount != continuations {
      continuations = signals.continuationCount
      terminal.reenterView()
      shown = nil
    }
    return true
  }

  /// The keys pressed since the last call.
  package func keys() -> [Keystroke] {
    guard terminal.isEntered, !isGone, terminal.isForeground else { return [] }
    let now = DeadlineWait.now
    guard let bytes = terminal.read() else {
      isGone = true
      return []
    }
    guard bytes.isEmpty else {
      lastByte = now
      return parser.take(bytes)
    }
    let patience = parser.isPasting ? Self.pastePatience : Self.keyPatience
    guard parser.isWaiting || parser.isPasting, now - lastByte > patience else { return [] }
    return parser.pause()
  }

  /// The number of pages of the list in front; 1 without a list.
  var pageCount: Int { view?.pageCount ?? 1 }

  /// The fraction of the song at a cell of the progress bar, 0…1; nil for other cells.
  package func fraction(column: Int, row: Int) -> Double? {
    view?.fraction(column: column, row: row)
  }
}

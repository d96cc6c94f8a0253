// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import Realtime
package import TerminalViews

/// The picture on the terminal while something runs, and the keys that are typed at it.
///
/// It owns the terminal from `enter` to `leave`. Behind another process of the shell it draws
/// nothing and reads nothing.
///
/// - Note: one thread.
package final class LiveDisplay {
  /// Ten pictures a second.
  private static let period: Int64 = 100_000_000
  /// How long the rest of a key may be on its way, and the rest of a paste.
  private static let keyPatience: Int64 = 50_000_000
  private static let pastePatience: Int64 = 1_000_000_000

  /// Whether keys are heard.
  package let takesKeys: Bool
  /// What they do.
  let bindings: PlayKeys
  /// What was said last.
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

  /// Opens the terminal; nil where the process has none.
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

  /// Begins to draw, as soon as the process is in front.
  package func enter() {
    isOver = false
    guard terminal.enterView() else { return }
    HeldLines.begin()
    continuations = signals.continuationCount
    (shown, next) = (nil, 0)
  }

  /// Gives the terminal back as it was, and then writes what was said meanwhile.
  package func leave() {
    isOver = true
    terminal.leaveView()
    HeldLines.end()
  }

  /// What becomes readable with a key.
  package var descriptors: [Int32] {
    terminal.isEntered && !isBehind && !isGone ? [terminal.descriptor] : []
  }

  /// Draws a state, where the last was drawn a while ago.
  ///
  /// - Parameters:
  ///   - isUrgent: whether a person waits to see it.
  ///   - state: makes the state.
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

  /// Whether the terminal is ours now; a shell may have put the process behind another and back.
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

  /// The keys that were typed since the last call.
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

  /// The pages that the list in front has on this terminal; 1 without a list.
  var pageCount: Int { view?.pageCount ?? 1 }

  /// Which part of the whole a cell of the picture stands for, 0…1; nil for one that does not.
  package func fraction(column: Int, row: Int) -> Double? {
    view?.fraction(column: column, row: row)
  }
}

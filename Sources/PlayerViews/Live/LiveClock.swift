// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import CommandKit
package import MusicalTime
internal import PlayerControl
internal import TerminalViews

/// The live view of a followed clock.
package struct LiveClock {
  /// The size of the positions.
  package enum Digits {
    case plain, large
  }

  package let frame: LiveFrame
  private let digits: Digits
  private var parts = LiveParts()

  /// Creates a view.
  package init(frame: LiveFrame, digits: Digits) {
    self.frame = frame
    self.digits = digits
  }

  /// Draws the position of the clock; returns true after a key that ends the view.
  package mutating func update(_ clock: ClockSnapshot, _ context: TimeContext) -> Bool {
    let keys = frame.keys()
    let bindings = frame.display.bindings
    if keys.contains(where: bindings.quits) { return true }
    parts.pageCount = frame.display.pageCount
    for key in keys { act(on: key, bindings) }
    frame.show(isUrgent: !keys.isEmpty) { state in
      state.mode = clock.isRunning ? .running : .waiting
      state.hint = "? keys   q quit"
      if parts.overlay != nil {
        state.help = bindings.help(hasBar: false, Self.works)
        state.helpPage = parts.page
      }
      do {
        try fill(&state, ClockReading(clock, at: MonotonicClock.now, in: context), clock, context)
      } catch {
        state.message = "\(error)"
      }
    }
    return false
  }

  private mutating func act(on key: Keystroke, _ bindings: PlayKeys) {
    guard case .show(let change) = bindings.action(of: key) ?? .show(.closeOverlay),
      Self.works(.show(change))
    else { return }
    parts.apply(change)
  }

  /// True for the actions that the view supports: quit, and show the keys.
  private static func works(_ action: KeyAction) -> Bool {
    [.perform(.quit), .show(.help), .show(.closeOverlay)].contains(action)
  }

  private func fill(
    _ state: inout LiveState, _ reading: ClockReading, _ clock: ClockSnapshot,
    _ context: TimeContext
  ) throws {
    let bars = try reading.value(.barBeat)
    let label = try reading.value(.timecode)
    switch digits {
    case .plain:
      state.time = Int64(try context.seconds(of: reading.place).approximation).clockText
      state.music = bars
    case .large:
      state.time = reading.tempoText
      state.music = reading.doubt.joined(separator: "  ")
      state.large = [bars, label]
    }
    let lock = clock.lock
    state.fields = [
      .init("tempo", reading.tempoText),
      .init("", lock?.word ?? "", lock == .locked ? .good : .warning),
      .init("position", clock.isUncertain ? "uncertain" : "", .warning),
      .init("time code", label), .init("ticks", try reading.value(.ticks)),
      .init("samples", try reading.value(.samples)),
    ]
  }
}

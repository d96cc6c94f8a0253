// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
internal import TerminalViews

/// The live view of sound files that follow one another, and its keys.
struct LiveSound {
  let frame: LiveFrame
  let controls: SoundControls

  /// Does what was typed, and draws, at once where something else was done too.
  func update(xruns: Int, isUrgent: Bool) {
    let keys = frame.keys()
    for key in keys where !controls.hasMoved { act(key) }
    if isUrgent || !keys.isEmpty { frame.say(controls.said) }
    frame.show(isUrgent: isUrgent || !keys.isEmpty) { fill(&$0, xruns) }
  }

  private func act(_ key: Keystroke) {
    if case .click(let column, let row) = key {
      if let part = frame.display.fraction(column: column, row: row) { controls.go(to: part) }
    } else {
      controls.act(frame.display.bindings.command(of: key) ?? .back)
    }
  }

  private func fill(_ state: inout LiveState, _ xruns: Int) {
    let (item, seconds, count) = (controls.item, controls.here, controls.items.count)
    state.title = item.name
    state.place = count > 1 ? "\(controls.index + 1)/\(count)" : ""
    state.mode = controls.isPaused ? .paused : .running
    state.time = Int64(seconds).clockText
    if let end = item.end, end > item.start {
      state.time += " / \(Int64(end).clockText)"
      func part(_ seconds: Double) -> Double { (seconds - item.start) / (end - item.start) }
      state.bar = .init(
        position: part(seconds), first: controls.loop.map { part($0.first) },
        last: controls.loop?.last.map(part))
    }
    state.fields = fields(xruns)
    state.hint = PlayKeys.hint
    state.help =
      controls.showsHelp ? frame.display.bindings.help(hasBar: true, SoundControls.takes) : nil
  }

  private func fields(_ xruns: Int) -> [LiveState.Field] {
    let player = controls.player
    let peak = max(player.level.left.peak, player.level.right.peak)
    return [
      .init(
        "volume", "\(controls.volume.signed) dB", controls.volume == 0 ? .plain : .accent),
      .init("speed", "\(Double(player.speed * 100).decimal(0)) %"),
      .init("peak", peak < 1e-5 ? "" : "\(Double(Level.decibels(peak)).decimal(1)) dB"),
      .init("underruns", "\(xruns)", xruns == 0 ? .plain : .warning),
      .init(
        "disk too slow", player.underrunCount == 0 ? "" : "\(player.underrunCount)", .warning),
    ]
  }
}

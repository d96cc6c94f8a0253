// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
internal import CommandKit
package import PlayerControl
package import TerminalViews

extension SoundControls: LiveTarget {
  package func fill(_ state: inout LiveState, xruns: Int) {
    let (item, seconds, count) = (item, place.seconds, items.count)
    state.title = item.name
    state.place = count > 1 ? "\(place.item + 1)/\(count)" : ""
    state.mode = isPaused ? .paused : .running
    state.time = Int64(seconds).clockText
    if let end = item.end, end > item.start {
      state.time += " / \(end.lengthText)"
      func part(_ seconds: Double) -> Double { (seconds - item.start) / (end - item.start) }
      state.bar = .init(
        position: part(seconds), first: loop.map { part($0.first) },
        last: loop?.last.map(part))
    }
    state.fields = fields(xruns)
  }

  private func fields(_ xruns: Int) -> [LiveState.Field] {
    let peak = max(player.level.left.peak, player.level.right.peak)
    return [
      .init(
        "volume", "\(volume.signed) dB", volume == 0 ? .plain : .accent),
      .init("speed", "\(Double(player.speed * 100).decimal(0)) %"),
      .init("peak", peak < 1e-5 ? "" : "\(Double(Level.decibels(peak)).decimal(1)) dB"),
      .init("underruns", "\(xruns)", xruns == 0 ? .plain : .warning),
      .init(
        "disk too slow", player.underrunCount == 0 ? "" : "\(player.underrunCount)", .warning),
    ]
  }
}

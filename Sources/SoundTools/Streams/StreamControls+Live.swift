// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import MusicalTime
package import PlayerControl
internal import PlayerViews
internal import SoundStreaming
package import TerminalViews

extension StreamControls: LiveTarget {
  package static var tellsFiles: Bool { true }

  package func fill(_ state: inout LiveState, xruns: Int) {
    let (index, seconds) = place
    let length = player.place.item == index ? player.place.duration : nil
    state.title = title(index)
    state.place = names.count > 1 ? "\(index + 1)/\(names.count)" : ""
    state.mode = isPaused ? .paused : .running
    state.time = Int64(seconds).clockText
    if let length, length > 0 {
      state.time += " / \(length.lengthText)"
      state.bar = .init(position: min(1, seconds / length))
    }
    let peak = max(level.left.peak, level.right.peak)
    let dry = player.unit.dryCount
    state.fields = [
      .init("volume", "\(volume.signed) dB", volume == 0 ? .plain : .accent),
      .init("peak", peak < 1e-5 ? "" : "\(Double(Level.decibels(peak)).decimal(1)) dB"),
      .init("underruns", "\(xruns)", xruns == 0 ? .plain : .warning),
      .init("stalls", dry == 0 ? "" : "\(dry)", .warning),
    ]
  }
}

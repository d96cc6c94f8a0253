// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
package import Downbeat
package import PlayerControl
package import TerminalViews

/// The live view of a synth, with its keys.
package struct LiveSynth {
  package let frame: LiveFrame
  package let latency: String
  package let controls: SynthControls
  private var load = LiveLoad()
  private var parts = LiveParts()

  package init(_ frame: LiveFrame, latency: String, _ controls: SynthControls) {
    self.frame = frame
    self.latency = latency
    self.controls = controls
  }

  /// Performs the keys, and draws; at once if another command was performed, too.
  package mutating func update(_ instrument: LiveInstrument, xruns: Int, isUrgent: Bool) {
    let keys = frame.keys()
    let bindings = frame.display.bindings
    parts.pageCount = frame.display.pageCount
    for key in keys { controls.act(on: key, bindings, &parts) }
    if isUrgent || !keys.isEmpty { frame.say(controls.message) }
    load.update(instrument.renderLoad)
    frame.show(isUrgent: isUrgent || !keys.isEmpty) { state in
      controls.fill(&state, voices: instrument.voiceCount)
      if parts.overlay != nil { state.help = SynthControls.help(bindings) }
      state.helpPage = parts.page
      state.fields += [
        .init("latency", latency), .init("cpu", load.text),
        .init("underruns", "\(xruns)", xruns == 0 ? .plain : .warning),
      ]
    }
  }
}

extension SynthControls {
  /// Fills a display with the events and settings.
  package func fill(_ state: inout LiveState, voices: Int) {
    state.time = voices.counted("voice")
    state.fields = [
      .init("volume", "\(volume.signed) dB", volume == 0 ? .plain : .accent),
      .init("transpose", transposition == 0 ? "" : transposition.signed, .accent),
      .init("notes", "\(activity.noteCount)"),
    ]
    state.channels = activity.rows(channels)
    state.selected = state.channels.firstIndex { $0.number - 1 == selected }
    state.hint = "! all notes off   9 0 volume   ? all keys   q quit"
  }

  /// The list of keys.
  package static func help(_ bindings: PlayKeys) -> [LiveState.KeyHelp] {
    bindings.help(hasBar: false) { $0.works(with: Self.self) }
  }
}

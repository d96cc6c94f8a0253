// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import Downbeat
internal import MIDIMessages
internal import TerminalViews

/// The live view of an instrument that is played, and its keys.
struct LiveSynth {
  let display: LiveDisplay
  let title: String
  let latency: String
  private var activity = PortActivity()
  private var messages = LiveMessages()
  private var load = LiveLoad()
  private var volume = 0
  private var showsHelp = false

  init(_ display: LiveDisplay, title: String, latency: String) {
    self.display = display
    self.title = title
    self.latency = latency
  }

  /// Takes what was played.
  mutating func take(_ events: borrowing HostEventBuffer) {
    activity.take(events)
  }

  /// Does what was typed, and draws; true where it is to end.
  ///
  /// - Throws: nothing an instrument does.
  mutating func update(_ instrument: LiveInstrument, _ output: ALSAOutputUnit) throws -> Bool {
    let keys = display.keys()
    for key in keys {
      switch display.bindings.command(of: key) {
      case .quit, .leave: return true
      case .panic:
        try instrument.release()
        messages.say("all notes off")
      case .volume(let step):
        volume = min(max(volume + step, -60), 12)
        instrument.volume = Gain(decibels: Double(volume)).factor
        messages.say("volume \(volume.signed) dB")
      case .showHelp: showsHelp.toggle()
      default: showsHelp = false
      }
    }
    messages.update()
    load.update(instrument.renderLoad)
    display.show(isUrgent: !keys.isEmpty) { state(instrument, output) }
    return false
  }

  private func state(_ instrument: LiveInstrument, _ output: ALSAOutputUnit) -> LiveState {
    var state = LiveState()
    state.title = title
    state.time = "\(instrument.voiceCount.counted("voice"))"
    state.fields = [
      .init("later by", latency), .init("volume", "\(volume.signed) dB"),
      .init("cpu", load.text),
      .init("underruns", "\(output.xrunCount)", output.xrunCount == 0 ? .plain : .warning),
      .init("notes", "\(activity.noteCount)"),
    ]
    state.channels = activity.rows
    state.message = messages.text
    state.hint = "! all notes off   9 0 volume   ? all keys   q quit"
    state.help = showsHelp ? display.bindings.help(hasBar: false, Self.isTaken) : nil
    return state
  }

  private static func isTaken(_ command: PlayCommand) -> Bool {
    switch command {
    case .quit, .panic, .volume, .showHelp: true
    default: false
    }
  }
}

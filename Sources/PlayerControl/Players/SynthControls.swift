// SPDX-License-Identifier: Apache-2.0
package import Downbeat
package import MIDIMessages
internal import MusicSequences
package import MusicalTime

/// The controls of an instrument that is played live.
///
/// - Note: One thread.
package final class SynthControls: ControlTarget {
  package static let kind = PlayStatus.Kind.synth
  package static let verbs: [ControlVerb] = [
    .transpose, .higher, .lower, .volume, .louder, .softer, .mute, .unmute, .solo, .unsolo,
    .hearAll, .program, .panic, .quit,
  ]

  package let name: String
  private let instrument: LiveInstrument
  /// The activity of received events.
  package private(set) var activity = PortActivity()
  package private(set) var transposition = 0
  /// The volume in decibels, relative to the gain set by options.
  package private(set) var volume = 0.0
  package private(set) var channels = HeardChannels()
  /// The index of the selected channel; nil for none.
  package private(set) var selected: Int?
  /// True after a command that quits.
  package private(set) var hasEnded = false
  package var message = ""

  package init(_ instrument: LiveInstrument, named name: String) {
    self.instrument = instrument
    self.name = name
  }

  /// Records events that were played.
  package func take(_ events: borrowing HostEventBuffer) {
    activity.take(events)
  }

  package var status: PlayStatus {
    var status = PlayStatus(kind: Self.kind)
    (status.title, status.hasTransport, status.count) = (name, false, 0)
    (status.volume, status.transposition) = (volume, transposition)
    (status.muted, status.soloed) = (
      channels.muted.indices(ofPorts: 1), channels.soloed.indices(ofPorts: 1)
    )
    (status.voices, status.level) = (instrument.voiceCount, PlayStatus.decibels(instrument.level))
    status.programs = activity.programs
    return status
  }

  package func perform(_ command: PlayCommand, at time: HostTime?) throws {
    if let wanted = try channels.changed(by: command, chosen: selected) {
      return try setHeard(wanted)
    }
    switch command {
    case .changeTransposition(let step): transpose(to: transposition + step)
    case .setTransposition(let semitones): transpose(to: semitones)
    case .changeVolume(let step): setVolume(volume + Double(step))
    case .setVolume(let decibels): setVolume(decibels)
    case .setProgram(let channel, let program):
      try send(.program(channel, program))
      message = "channel \(channel.number): \(ProgramWords.text(program, on: channel))"
    case .selectChannel(let step): select(step)
    case .panic:
      try instrument.release()
      activity.letGo()
      message = "all notes off"
    case .quit, .quitToResume: hasEnded = true
    default: break
    }
  }

  private func send(_ message: Message) throws {
    try instrument.send(message)
    activity.take(message)
  }

  private func transpose(to semitones: Int) {
    transposition = PlayControls.limited(semitones)
    instrument.transposition = transposition
    message = "transpose \(transposition.signed)"
  }

  private func setVolume(_ decibels: Double) {
    volume = PlayControls.limited(decibels)
    instrument.volume = Gain(decibels: volume).factor
    message = "volume \(volume.signed) dB"
  }

  private func setHeard(_ wanted: HeardChannels) throws {
    try instrument.setHeardChannels(wanted.heard[0])
    channels = wanted
  }

  /// Selects among the channels on which events have arrived.
  private func select(_ step: Int) {
    let used = activity.channels
    guard !used.isEmpty else { return message = "no events received yet" }
    let place = selected.flatMap { selected in used.firstIndex { Int($0.index) == selected } }
    let next =
      place.map { ($0 + step + used.count) % used.count } ?? (step > 0 ? 0 : used.count - 1)
    selected = Int(used[next].index)
  }
}

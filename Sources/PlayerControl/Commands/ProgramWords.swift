// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicSequences

extension SequenceSummary.ChannelUse {
  /// The channel whose program and key names apply to this one: 10 if it plays drums.
  package var namesake: Channel {
    if playsDrums { return .percussion }
    return channel == .percussion ? Channel(index: 0) : channel
  }
}

extension SequenceSummary {
  /// A channel's number: `10`, or `2:10` in a song of several ports.
  package func label(_ use: ChannelUse) -> String {
    portCount > 1 ? "\(use.port + 1):\(use.channel.number)" : "\(use.channel.number)"
  }
}

/// Programs as text for the user: numbers from 1, with the names of General MIDI.
package enum ProgramWords {
  /// The number and name of a program: `41 Violin`; on the drum channel `1 Standard Kit`.
  package static func text(_ program: UInt8, on channel: Channel) -> String {
    let name =
      channel == .percussion
      ? GeneralMIDI.name(ofKit: program) : GeneralMIDI.name(ofProgram: program)
    return name.map { "\(Int(program) + 1) \($0)" } ?? "\(Int(program) + 1)"
  }

  /// The name of a program; on the drum channel `Kit 3` for a kit without a name.
  package static func name(_ program: UInt8, on channel: Channel) -> String {
    guard channel == .percussion else { return GeneralMIDI.name(ofProgram: program) }
    return GeneralMIDI.name(ofKit: program) ?? "Kit \(Int(program) + 1)"
  }

  /// Reads a program: a number from 1, or a name of General MIDI; on the drum channel the name of a
  /// kit.
  ///
  /// - Returns: The program, 0…127.
  /// - Throws: `ControlError.Kind.usage` if the text does not name exactly one program.
  package static func program(
    _ text: String, on channel: Channel = Channel(index: 0)
  ) throws(ControlError) -> UInt8 {
    if let number = UInt8(text), (1...128).contains(number) { return number - 1 }
    let isKit = channel == .percussion
    let found = isKit ? GeneralMIDI.kits(named: text) : GeneralMIDI.programs(named: text)
    if let only = found.first, found.count == 1, Int(text) == nil { return only }
    throw Choice.refusal(
      isKit ? "drum kit" : "program", text,
      isKit
        ? "must be a number 1…128 or a name (try 41 or brush)"
        : "must be a number 1…128 or a name (try 41 or violin)",
      Int(text) == nil ? found.map { Self.text($0, on: channel) } : [])
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// Programs for a person: from 1, with the name that General MIDI gives them.
enum ProgramWords {
  /// `41 Violin`; on the drum channel `1 Standard Kit`.
  static func text(_ program: UInt8, on channel: Channel) -> String {
    let name =
      channel == .percussion
      ? GeneralMIDI.name(ofKit: program) : GeneralMIDI.name(ofProgram: program)
    return name.map { "\(Int(program) + 1) \($0)" } ?? "\(Int(program) + 1)"
  }
}

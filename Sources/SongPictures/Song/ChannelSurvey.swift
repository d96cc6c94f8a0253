// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The data of a channel for drawing, without its notes.
package struct ChannelSurvey: Sendable {
  /// The channel index over all ports, 0…255: sixteen for each port.
  package let index: UInt8
  /// The number of notes.
  package fileprivate(set) var noteCount = 0
  /// The programs with their times in seconds.
  private(set) var programs: [(seconds: Double, program: UInt8)] = []
  /// The values of channel volume (7) and expression (11), 0…127, with their times in seconds.
  private(set) var volume: [(seconds: Double, value: Double)] = []
  private(set) var expression: [(seconds: Double, value: Double)] = []

  /// True if most of its notes are drums.
  let isDrums: Bool

  /// The number that is shown: `10`, or `2:10` in a song with several ports.
  let label: String

  init(_ index: UInt8, isDrums: Bool, namesPort: Bool) {
    self.index = index
    self.isDrums = isDrums
    let number = "\(Int(index & 15) + 1)"
    label = namesPort ? "\(Int(index >> 4) + 1):\(number)" : number
  }

  /// The names of its instruments, each once, in order of first use; at most eight.
  package var names: [String] {
    let selected = programs.isEmpty ? [0] : programs.map(\.program)
    var names: [String] = []
    for program in selected where names.count < 8 {
      let name = name(of: program)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func name(of program: UInt8) -> String {
    guard isDrums else { return GeneralMIDI.name(ofProgram: program) }
    return GeneralMIDI.name(ofKit: program) ?? "Kit \(Int(program) + 1)"
  }

  mutating func countNote() { noteCount += 1 }

  mutating func take(program: UInt8, at seconds: Double) {
    if programs.last?.program != program { programs.append((seconds, program)) }
  }

  mutating func take(controller: UInt8, _ value: UInt8, at seconds: Double) {
    switch controller {
    case 7: volume.append((seconds, Double(value)))
    case 11: expression.append((seconds, Double(value)))
    default: break
    }
  }
}

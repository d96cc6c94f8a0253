// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MusicSequences

/// The reset that ports receive before a song, so that instruments are in the expected state.
package enum InstrumentReset: String, ExpressibleByArgument, CaseIterable {
  case gm, gs, xg, mt32, none
  /// General MIDI, for a song without a reset.
  case auto

  /// The SysEx without F0 and F7; nil for none.
  package func bytes(for sequence: MusicSequence) -> [UInt8]? {
    switch self {
    case .gm: [0x7E, 0x7F, 0x09, 0x01]
    case .gs: [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]
    case .xg: [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00]
    case .mt32: [0x41, 0x10, 0x16, 0x12, 0x7F, 0x00, 0x00, 0x01, 0x00]
    case .none: nil
    case .auto:
      SequenceFeatures([sequence]).resets.isEmpty ? Self.gm.bytes(for: sequence) : nil
    }
  }
}

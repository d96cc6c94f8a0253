// SPDX-License-Identifier: Apache-2.0

/// The instruments and waves of a DLS file, as in the file.
///
/// Source: DLS 1.1b and DLS 2.2, section 2.
package struct DLSCollection: Sendable {
  /// The level: 2 if the file has chunks of level 2, otherwise 1.
  package var level = 1
  /// The information chunks of the collection, in order.
  package var information: [(name: String, content: [UInt8])] = []
  /// The instruments, in order.
  package var instruments: [DLSInstrument] = []
  /// The waves that regions use, by their index in the wave pool.
  package var waves: [Int: DLSWave] = [:]
  /// The parts of the file that cannot be played.
  package var findings: [SoundFontTables.Finding] = []
}

/// An instrument: the regions of a program.
///
/// Source: DLS 2.2, section 2.7.
package struct DLSInstrument: Sendable {
  /// The name; empty if it is not stated.
  package var name = ""
  /// Controller 0 of the bank select, 0…127.
  package var upperBank = 0
  /// Controller 32 of the bank select, 0…127.
  package var lowerBank = 0
  /// The program, 0…127.
  package var program = 0
  /// True for a drum kit.
  package var isDrums = false
  /// The connections of regions that do not have a list of connections.
  package var connections: [DLSConnection] = []
  /// The regions, in order.
  package var regions: [DLSRegion] = []
}

/// A range of keys and velocities that plays a wave.
///
/// Source: DLS 2.2, section 2.8.
package struct DLSRegion: Sendable {
  /// The lowest and highest key, 0…127 in an undamaged file.
  package var keys = (low: 0, high: 127)
  /// The lowest and highest velocity, 0…127 in an undamaged file.
  package var velocities = (low: 0, high: 127)
  /// The group whose regions stop each other; 0 for none.
  package var keyGroup = 0
  /// True if a note continues when its key is struck again.
  package var isSelfNonExclusive = false
  /// The index of the wave in the wave pool; nil without a link.
  package var wave: Int?
  /// The group of regions that play in phase; 0 for none.
  package var phaseGroup = 0
  /// The channels for which the wave is meant, as bits: 1 left or mono, 2 right.
  package var channels = 1
  /// The tuning, gain and loop that replace those of the wave; nil for those of the wave.
  package var sample: DLSSample?
  /// The connections that replace those of the instrument; nil for those of the instrument.
  package var connections: [DLSConnection]?
}

/// The tuning, gain and loop of a wave.
///
/// Source: DLS 2.2, section 2.11, `wsmp`.
package struct DLSSample: Hashable, Sendable {
  /// The key that plays the wave at its original pitch, 0…127.
  package var key = 60
  /// The tuning in cents.
  package var tuning = 0
  /// The gain, in 1/655,360 dB.
  package var gain = 0
  /// The loop in frames; nil for none.
  package var loop: Range<Int>?
  /// True if the loop ends when the key is released, and the rest of the wave follows.
  package var endsWithKey = false
}

/// A wave of the wave pool.
///
/// Source: DLS 2.2, section 2.12.
package struct DLSWave: Sendable {
  /// The name; empty if it is not stated.
  package var name = ""
  /// The number of the format: 1 for PCM, 6 for A-law, 7 for µ-law.
  package var format = 0
  /// Frames per second.
  package var rate = 0
  /// The number of channels.
  package var channelCount = 0
  /// The bits of a sample; 8-bit samples are unsigned, others signed.
  package var bits = 0
  /// The range of the file that contains the frames.
  package var data = 0..<0
  /// The tuning, gain and loop; nil if they are not stated.
  package var sample: DLSSample?

  /// The supported bits of each format: PCM, A-law, µ-law, and PCM with an extended header.
  static let widths: [Int: [Int]] = [
    1: [8, 16, 24, 32], pcmExtended: [8, 16, 24, 32], aLaw: [8], muLaw: [8],
  ]
  static let aLaw = 6
  static let muLaw = 7
  private static let pcmExtended = 0xFFFE

  /// The number of bytes of a frame.
  var frameSize: Int { channelCount * (bits / 8) }
  /// The number of frames.
  package var frameCount: Int { frameSize > 0 ? data.count / frameSize : 0 }
}

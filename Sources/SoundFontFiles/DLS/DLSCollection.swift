// SPDX-License-Identifier: Apache-2.0

/// The instruments and waves of a DLS file, as the file has them.
///
/// Source: DLS 1.1b and DLS 2.2, section 2.
package struct DLSCollection: Sendable {
  /// 2 if the file has chunks that only level 2 has, otherwise 1.
  package var level = 1
  /// The information chunks of the collection, in order.
  package var information: [(name: String, content: [UInt8])] = []
  /// The instruments, in order.
  package var instruments: [DLSInstrument] = []
  /// The waves that regions refer to, by their number in the wave pool.
  package var waves: [Int: DLSWave] = [:]
  /// Parts of the file that cannot be played.
  package var findings: [SoundFontTables.Finding] = []
}

/// An instrument: the regions that a program plays.
///
/// Source: DLS 2.2, section 2.7.
package struct DLSInstrument: Sendable {
  /// The name, or an empty text.
  package var name = ""
  /// Controller 0 of the bank select, 0–127.
  package var upperBank = 0
  /// Controller 32 of the bank select, 0–127.
  package var lowerBank = 0
  /// The program, 0–127.
  package var program = 0
  /// True for a drum kit.
  package var isDrums = false
  /// The connections of regions without a list of connections.
  package var connections: [DLSConnection] = []
  /// The regions, in order.
  package var regions: [DLSRegion] = []
}

/// A range of keys and velocities that plays a wave.
///
/// Source: DLS 2.2, section 2.8.
package struct DLSRegion: Sendable {
  /// The lowest and highest key, 0–127 if the file is sound.
  package var keys = (low: 0, high: 127)
  /// The lowest and highest velocity.
  package var velocities = (low: 0, high: 127)
  /// The group whose regions end each other, 0 for none.
  package var keyGroup = 0
  /// True if the last note of a key goes on when the key is struck again.
  package var isSelfNonExclusive = false
  /// The number of the wave in the wave pool, or nil without a link.
  package var wave: Int?
  /// The group of regions that play in step, 0 for none.
  package var phaseGroup = 0
  /// The bits of the channels for which the wave is meant: 1 left or mono, 2 right.
  package var channels = 1
  /// The tuning, gain and loop, instead of the wave's own.
  package var sample: DLSSample?
  /// The region's own connections, in place of the instrument's, or nil.
  package var connections: [DLSConnection]?
}

/// The tuning, gain and loop of a wave.
///
/// Source: DLS 2.2, section 2.11, `wsmp`.
package struct DLSSample: Hashable, Sendable {
  /// The key at which the wave sounds as stored.
  package var key = 60
  /// The tuning, in cents.
  package var tuning = 0
  /// The gain, in 1/655,360 dB.
  package var gain = 0
  /// The loop in frames, or nil.
  package var loop: Range<Int>?
  /// True if the loop ends when the key is released; the rest of the wave follows.
  package var endsWithKey = false
}

/// A wave of the wave pool.
///
/// Source: DLS 2.2, section 2.12.
package struct DLSWave: Sendable {
  /// The name, or an empty text.
  package var name = ""
  /// The number of the format: 1 for PCM, 6 for A-law, 7 for µ-law.
  package var format = 0
  /// Frames a second.
  package var rate = 0
  /// The number of channels.
  package var channelCount = 0
  /// The bits of a value: 8 without a sign, more with one.
  package var bits = 0
  /// The bytes of the file that hold the frames.
  package var data = 0..<0
  /// The tuning, gain and loop.
  package var sample: DLSSample?

  /// The bits that values of a format may have: PCM, A-law, µ-law, and PCM with a longer header.
  static let widths: [Int: [Int]] = [
    1: [8, 16, 24, 32], pcmExtended: [8, 16, 24, 32], aLaw: [8], muLaw: [8],
  ]
  static let aLaw = 6
  static let muLaw = 7
  private static let pcmExtended = 0xFFFE

  /// The bytes of a frame.
  var frameSize: Int { channelCount * (bits / 8) }
  /// The number of frames.
  package var frameCount: Int { frameSize > 0 ? data.count / frameSize : 0 }
}

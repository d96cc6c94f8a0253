// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MIDIMessages

/// The levels of the sounds in soundfonts, from which `LoudnessEstimate` computes the loudness of
/// songs.
///
/// All sounds that were not measured have the same level, `otherwise`.
public struct SoundFontLevels: Sendable {
  /// A sound that is measured: a program near a key, or a drum.
  struct Sound: Hashable, Comparable {
    /// The bank of the drum kits.
    static let drumBank: UInt8 = 128

    /// The bank, 0…127, or 128 for drum kits.
    let bank: UInt8
    /// The program or the drum kit, 0…127.
    let program: UInt8
    /// The key, 0…127; for a program the nearest C.
    let key: UInt8

    /// True for a drum.
    var isDrum: Bool { bank == Self.drumBank }

    /// The sound of a program near a key.
    init(near key: UInt8, program: UInt8, bank: UInt8) {
      self.bank = bank & 0x7F
      self.program = program & 0x7F
      self.key = min(120, ((key & 0x7F) + 6) / 12 * 12)
    }

    /// A drum of a kit.
    init(drum key: UInt8, kit: UInt8) {
      bank = Self.drumBank
      program = kit & 0x7F
      self.key = key & 0x7F
    }

    /// Compares bank, program and key, in this order.
    static func < (a: Sound, b: Sound) -> Bool {
      (a.bank, a.program, a.key) < (b.bank, b.program, b.key)
    }
  }

  /// The measured profiles.
  var profiles: [Sound: LevelProfile] = [:]
  /// The level of sounds that were not measured, in decibels relative to the sounds of Downbeat's
  /// font.
  public var otherwise: Double
  /// The bank mode with which songs are played.
  public var bankMode: BankMode

  /// The presets of the bank in the song's own file.
  var ownPresets = OwnPresets()

  /// Creates levels in which all sounds have the same level, because none was measured.
  ///
  /// - Parameters:
  ///   - otherwise: The level of all sounds, in decibels relative to the sounds of Downbeat's font.
  ///   - bankMode: The bank mode in which songs are played.
  public init(otherwise: Double = 0, bankMode: BankMode = .auto) {
    self.otherwise = otherwise
    self.bankMode = bankMode
  }

  /// The number of measured sounds.
  public var count: Int { profiles.count }

  /// The power of a note in each tenth of a second from its start, relative to the power of a note
  /// of full velocity.
  func powers(of note: HeardNote) -> [Double] {
    if let profile = profiles[note.sound] {
      return profile.powers(count: note.stepCount, fall: note.fall).map { $0 * note.power }
    }
    var powers: [Double] = []
    var rest = note.power * pow(10, otherwise / 10)
    while powers.count < note.stepCount, rest > 1e-9 {
      powers.append(rest)
      rest *= note.fall
    }
    return powers
  }
}

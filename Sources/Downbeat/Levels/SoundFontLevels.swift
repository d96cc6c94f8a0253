// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MIDIMessages

/// How loud soundfonts play, for a `LoudnessEstimate` of songs that are played from them.
///
/// Sounds that were measured have levels of their own. All others count as louder, by one number of
/// decibels, than the sounds of our own font, which are about equally loud.
public struct SoundFontLevels: Sendable {
  /// What is measured: a program about a key, or a drum.
  struct Sound: Hashable, Comparable {
    /// The bank of the kits.
    static let drumBank: UInt8 = 128

    /// The bank, 0…127, or 128 for the kits.
    let bank: UInt8
    /// The program or the kit, 0…127.
    let program: UInt8
    /// The key, 0…127: of a program one in each octave, the C.
    let key: UInt8

    /// Whether it is a drum.
    var isDrum: Bool { bank == Self.drumBank }

    /// The sound of a program about a key.
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

    /// By bank, program and key.
    static func < (a: Sound, b: Sound) -> Bool {
      (a.bank, a.program, a.key) < (b.bank, b.program, b.key)
    }
  }

  /// What was measured.
  var profiles: [Sound: LevelProfile] = [:]
  /// By how many decibels all that was not measured is louder than our own font's sounds.
  public var otherwise: Double
  /// The bank mode in which songs are played.
  public var bankMode: BankMode

  /// The presets of the bank in the song's own file.
  var ownPresets = OwnPresets()

  /// Levels of which nothing is measured.
  ///
  /// - Parameters:
  ///   - otherwise: by how many decibels every sound is louder than our own font's sounds.
  ///   - bankMode: the bank mode in which songs are played.
  public init(otherwise: Double = 0, bankMode: BankMode = .auto) {
    self.otherwise = otherwise
    self.bankMode = bankMode
  }

  /// How many sounds were measured.
  public var count: Int { profiles.count }

  /// The power of a note in each tenth of a second from its beginning, as a share of what a note
  /// of full velocity is held for.
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

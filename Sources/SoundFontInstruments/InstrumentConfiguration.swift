// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MIDIMessages
public import MusicalTime

/// How an instrument is set up; it cannot be changed afterwards.
public struct InstrumentConfiguration: Hashable, Sendable {
  /// What makes the sound of the notes.
  public enum Engine: String, CaseIterable, Hashable, Sendable {
    /// The FluidSynth library that is installed, 2.2 or later.
    ///
    /// Notes begin every 64 frames, and sound as that version plays them.
    case fluidSynth = "fluidsynth"
    /// Downbeat's own voices, which follow the SoundFont specification.
    ///
    /// Notes begin at their very frames. Reverb and chorus are FluidSynth's; without it there are none.
    case downbeat
  }

  /// The buses that the dry sound comes out of.
  public enum DryBuses: Int, Hashable, Sendable {
    /// One stereo bus for everything.
    case mixed = 1
    /// One stereo bus for each MIDI channel.
    case perChannel = 16
  }

  /// What makes the sound; Downbeat's own voices by default.
  public var engine = Engine.downbeat
  /// Frames a second, 8000…96 000.
  public var rate: SampleRate
  /// The buses of the dry sound; one for each channel by default.
  public var dryBuses = DryBuses.perChannel
  /// Whether reverb and chorus are made, each on a stereo bus of its own after the dry ones; true
  /// by default.
  public var hasEffects = true
  /// How many voices sound at once, 1…65 535; 256 by default.
  public var polyphony = 256
  /// The share of a quantum's time that the instrument may work, above 0…1; nil, as at first, where
  /// it may take as long as it does.
  ///
  /// With a share it sounds as many voices as there is time for, up to `polyphony`, and lets the
  /// others go: those whose key is up, the oldest first; then those that only a pedal holds, the
  /// oldest first; then those that are held, and drums, the quietest first. So a song that is too
  /// much for the machine is played without a gap. What it sounds depends on the machine then; while
  /// it has time for all, it is the same as without.
  public var workShare: Double?
  /// The linear factor on all voices, 0…10; a note of full velocity peaks at about 0.2 times this;
  /// 0.4 by default.
  ///
  /// FluidSynth's own default is 0.2.
  public var gain: Float = 0.4
  /// The rules of bank select; those of the song's last reset by default.
  public var bankMode = BankMode.auto

  /// Whether every sample is read at the start; false by default.
  ///
  /// That is for an instrument of which nobody knows what it will be asked for; otherwise the
  /// samples of presets are read when they are prepared, or chosen. Downbeat's own voices read them
  /// when they are prepared, or all at the start where the programs are not known or none is.
  public var readsAllSamples = false

  /// The program numbers that the instrument will be asked for, in whatever bank; nil where nobody
  /// knows.
  ///
  /// Of each font only these programs are read, which takes a fraction of the time and memory, and
  /// program 0, which stands in for what no font has.
  public var programs: Set<Int>?

  /// The pitch of the A above middle C in hertz, 220…880; drums keep theirs; 440 by default.
  public var concertPitch = 440.0

  /// How Downbeat's own voices read samples; a cubic by default.
  public var interpolation = Interpolation.cubic

  /// Whether a note begins at its very frame.
  package var hasExactTimes: Bool { engine == .downbeat }

  /// Creates a configuration.
  public init(rate: SampleRate) {
    self.rate = rate
  }

  /// The presets of the bank in a song's own file; set by the instrument, from its fonts.
  var ownPresets = OwnPresets()

  /// The concert pitch's distance from 440 Hz, in cents.
  var pitchOffset: Float {
    Float(1200 * log2(min(880, max(220, concertPitch)) / 440))
  }

  /// The number of stereo buses: dry ones first, then reverb and chorus.
  public var busCount: Int { dryBuses.rawValue + (hasEffects ? 2 : 0) }
}

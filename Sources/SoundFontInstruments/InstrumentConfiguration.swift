// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MIDIMessages
public import MusicalTime

/// The configuration of an instrument, which cannot be changed after creation.
public struct InstrumentConfiguration: Hashable, Sendable {
  /// The engine that plays the notes.
  public enum Engine: String, CaseIterable, Hashable, Sendable {
    /// The installed FluidSynth library, version 2.2 or later.
    ///
    /// Notes begin at multiples of 64 frames, and sound as in that version.
    case fluidSynth = "fluidsynth"
    /// Downbeat's own voices, which follow the SoundFont specification.
    ///
    /// Notes begin exactly at their frames. Reverb and chorus need the FluidSynth library; without
    /// it they are off.
    case downbeat
  }

  /// The output buses of the dry sound.
  public enum DryBuses: Int, Hashable, Sendable {
    /// One stereo bus for everything.
    case mixed = 1
    /// One stereo bus for each MIDI channel.
    case perChannel = 16
  }

  /// The engine; default Downbeat's own voices.
  public var engine = Engine.downbeat
  /// The sample rate, 8000…96 000 Hz.
  public var rate: SampleRate
  /// The buses of the dry sound; default one for each channel.
  public var dryBuses = DryBuses.perChannel
  /// True for reverb and chorus, each with its own stereo bus after the dry ones; default true.
  public var hasEffects = true
  /// The maximum number of sounding voices, 1…65 535; default 256.
  public var polyphony = 256
  /// The share of a quantum's time that the instrument may use, from above 0 to 1; default nil,
  /// which is unlimited.
  ///
  /// With a limit, the instrument plays as many voices as time permits, up to `polyphony`, and
  /// releases the others: first voices whose key is released, then voices that only a pedal holds,
  /// both from the oldest, then held voices and drums, from the quietest. A song that is too
  /// demanding for the machine therefore plays without gaps. The sound then depends on the machine;
  /// if there is enough time for all voices, it is the same as without a limit.
  public var workShare: Double?
  /// The linear gain of all voices, 0…10; default 0.4.
  ///
  /// A note of full velocity has a peak of about 0.2 times this gain.
  ///
  /// FluidSynth's default is 0.2.
  public var gain: Float = 0.4
  /// The rules of bank select; default those of the song's last reset.
  public var bankMode = BankMode.auto

  /// True to read all samples at the start; default false.
  ///
  /// Use it if the presets that will be played are unknown. Otherwise samples are read when presets
  /// are prepared or selected. Downbeat's own voices read samples when presets are prepared, or all
  /// at the start if presets are not prepared.
  public var readsAllSamples = false

  /// The program numbers that will be played, in any bank; nil if unknown.
  ///
  /// Only these programs are loaded from each font, which saves time and memory, and program 0,
  /// which replaces missing programs.
  public var programs: Set<Int>?

  /// The frequency of the A above middle C in hertz, 220…880; default 440.
  ///
  /// Drums are not affected.
  public var concertPitch = 440.0

  /// The interpolation of samples by Downbeat's own voices; default cubic.
  public var interpolation = Interpolation.cubic

  /// True if notes begin exactly at their frames.
  package var hasExactTimes: Bool { engine == .downbeat }

  /// Creates a configuration with defaults.
  public init(rate: SampleRate) {
    self.rate = rate
  }

  /// The presets of the bank in a song's own file.
  ///
  /// The instrument sets this from its fonts.
  var ownPresets = OwnPresets()

  /// The difference of the concert pitch from 440 Hz, in cents.
  var pitchOffset: Float {
    Float(1200 * log2(min(880, max(220, concertPitch)) / 440))
  }

  /// The number of stereo buses: dry ones first, then reverb and chorus.
  public var busCount: Int { dryBuses.rawValue + (hasEffects ? 2 : 0) }
}

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
    /// Notes begin at multiples of 64 frames.
    case fluidSynth = "fluidsynth"
    /// Downbeat's own voices, which follow the SoundFont specification.
    ///
    /// Notes begin exactly at their frames. Reverb and chorus need the FluidSynth library; if it is
    /// not installed, they are off.
    case downbeat
  }

  /// The division of the dry sound, which is the sound without reverb and chorus, into output
  /// buses.
  public enum DryBuses: Int, Hashable, Sendable {
    /// One stereo bus for all channels.
    case mixed = 1
    /// One stereo bus for each MIDI channel.
    case perChannel = 16
  }

  /// The engine; default Downbeat's own voices.
  public var engine = Engine.downbeat
  /// The sample rate, 8000…96 000 Hz.
  public var rate: SampleRate
  /// The division of the dry sound into output buses; default one bus for each MIDI channel.
  public var dryBuses = DryBuses.perChannel
  /// True to add reverb and chorus, each on a separate stereo bus after the dry buses; default
  /// true.
  public var hasEffects = true
  /// The maximum number of sounding voices, 1…65 535; default 256.
  public var polyphony = 256
  /// The share of a quantum's duration that the instrument may use for rendering, above 0 and at
  /// most 1; default nil, no limit.
  ///
  /// With a limit, the instrument plays as many voices as time permits, up to `polyphony`, and
  /// releases the others: first voices whose key is released and then voices that only a pedal
  /// holds, both in order of age; then held voices and drums, the quietest first. A song that is
  /// too demanding for the machine therefore plays without gaps, but its sound depends on the
  /// machine. If there is enough time for all voices, the sound is the same as without a limit.
  public var workShare: Double?
  /// The linear gain of all voices, 0…10; default 0.4.
  ///
  /// A note of full velocity has a peak of about 0.2 times this gain.
  ///
  /// FluidSynth's default is 0.2.
  public var gain: Float = 0.4
  /// The rules by which bank select chooses a bank; by default those of the last reset in the song.
  public var bankMode = BankMode.auto

  /// True to read all samples at the start; default false.
  ///
  /// Use true if it is not known which presets will be played. If false, samples are read when
  /// presets are prepared (`InstrumentUnit.prepare`); FluidSynth also reads them when presets are
  /// selected. If presets are not prepared, Downbeat's own voices read all samples at the start.
  public var readsAllSamples = false

  /// The program numbers that will be played, in any bank; nil if unknown.
  ///
  /// Only these programs, and program 0 (which replaces missing programs), are loaded from each
  /// font. This saves time and memory.
  public var programs: Set<Int>?

  /// The frequency of the A above middle C in hertz, 220…880; default 440.
  ///
  /// Drums are not affected.
  public var concertPitch = 440.0

  /// The interpolation with which Downbeat's own voices read samples; default cubic.
  public var interpolation = Interpolation.cubic

  /// True if notes begin exactly at their frames.
  package var hasExactTimes: Bool { engine == .downbeat }

  /// Creates a configuration with the default values.
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

  /// The number of stereo output buses: those of the dry sound, and two more if reverb and chorus
  /// are on.
  public var busCount: Int { dryBuses.rawValue + (hasEffects ? 2 : 0) }
}

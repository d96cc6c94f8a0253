// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import MIDIMessages
internal import SoundFontInstruments

/// An instrument that plays one preset of a soundfont, or a set of sound files, on all channels.
///
/// The sampler uses Downbeat's synthesiser, without reverb and chorus. Program changes select other
/// presets of the soundfont. Until something is loaded, the sampler plays program 0 of the
/// soundfont that the `downbeat` command would choose.
///
/// - Note: Any thread. The loading methods read files and can therefore block.
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument, @unchecked Sendable {
  // Every access holds the lock.
  private let samplerLock = NSLock()
  private var gain: Float = 0
  private var pan: Float = 0
  private var tuning: Float = 0
  private var preset: SamplerSound?

  /// Creates a sampler with no preset loaded.
  public init() {
    super.init(.sampler)
  }

  /// Loads a preset of a soundfont or DLS file, and selects it on all channels.
  ///
  /// - Parameters:
  ///   - bankURL: The URL of the soundfont or DLS file.
  ///   - program: The program, 0…127.
  ///   - bankMSB: 0x78 for drums, or 0x79 to select a melodic bank with `bankLSB`. A value below
  ///     0x78 is itself the number of the bank.
  ///   - bankLSB: The number of the bank, 0…127, if `bankMSB` is 0x79 or higher; otherwise not
  ///     used.
  /// - Throws: An `NSError`: −43 if the file is missing, −10871 if it is not a valid soundfont,
  ///   −10851 if it does not contain the preset. After an error the sampler keeps its current
  ///   preset.
  open func loadSoundBankInstrument(
    at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8
  ) throws {
    load(
      try SamplerSound(
        font: bankURL, program: program, bankMSB: bankMSB, bankLSB: bankLSB,
        call: "loadSoundBankInstrument(at:program:bankMSB:bankLSB:)"))
  }

  /// Loads the first preset of a soundfont or DLS file, or a sound file.
  ///
  /// - Parameter instrumentURL: The URL of the file.
  /// - Throws: An `NSError`: −43 if the file is missing, −10871 if it cannot be read. After an
  ///   error the sampler keeps its current preset.
  open func loadInstrument(at instrumentURL: URL) throws {
    load(try SamplerSound(file: instrumentURL, call: "loadInstrument(at:)"))
  }

  /// Loads sound files and assigns each of them to a range of keys.
  ///
  /// If a file states its key range, root key or loop, these are used. Any other file is assigned
  /// to a single key: the first file to key 60, the second to key 61, and so on. A single file that
  /// does not state its keys is played on all keys, with its original pitch on key 60.
  ///
  /// - Parameter audioFiles: The URLs of the files; at least one.
  /// - Throws: An `NSError`: −43 if a file is missing, −10871 if it cannot be read. After an error
  ///   the sampler keeps its current preset.
  open func loadAudioFiles(at audioFiles: [URL]) throws {
    load(try SamplerSound(audioFiles: audioFiles, call: "loadAudioFiles(at:)"))
  }

  private func load(_ sound: SamplerSound) {
    samplerLock.withLock {
      preset = sound
      player.load(sound.fonts)
      // The present instrument plays on until the new one takes its place.
      line.begin(beginning, programs: sound.programs)
    }
    replaceUnit()
  }

  /// The gain of all notes in decibels, −90…12; 0 by default.
  ///
  /// Values outside the range are clamped.
  open var overallGain: Float {
    get { samplerLock.withLock { gain } }
    set {
      samplerLock.withLock {
        gain = newValue.held(in: -90...12, else: 0)
        let factor = Float(pow(10, Double(gain) / 20))
        player.setLevel { $0.gain = factor }
      }
    }
  }

  /// The gain of all notes in decibels; an older name for `overallGain`.
  open var masterGain: Float {
    get { overallGain }
    set { overallGain = newValue }
  }

  /// The pan of all notes in per cent, −100 (left) to 100 (right); 0 by default.
  ///
  /// Values outside the range are clamped.
  open var stereoPan: Float {
    get { samplerLock.withLock { pan } }
    set {
      samplerLock.withLock {
        pan = newValue.held(in: -100...100, else: 0)
        let place = pan / 100
        player.setLevel { $0.pan = place }
      }
    }
  }

  /// The tuning of all notes in cents, −2400…2400; 0 by default.
  ///
  /// The tuning does not apply to drums. Values outside the range are clamped.
  open var globalTuning: Float {
    get { samplerLock.withLock { tuning } }
    set {
      samplerLock.withLock {
        tuning = newValue.held(in: -2400...2400, else: 0)
        line.begin(beginning, programs: nil)
      }
    }
  }

  /// The SysEx messages that an instrument receives first: the parts with drums, and the tuning.
  private var beginning: [[UInt8]] { (preset?.parts ?? []) + Self.messages(tuning: tuning) }

  /// Master coarse and fine tuning.
  ///
  /// Source: MIDI 1.0 Detailed Specification, universal real-time messages 04 04 and 04 03.
  private static func messages(tuning: Float) -> [[UInt8]] {
    let semitones = Int((tuning / 100).rounded())
    let cents = Double(tuning) - Double(semitones) * 100
    let fine = Int((8192 + cents * 8192 / 100).rounded())
    return [
      [0x7F, 0x7F, 4, 4, 0, UInt8(64 + semitones)],
      [0x7F, 0x7F, 4, 3, UInt8(fine & 127), UInt8(fine >> 7 & 127)],
    ]
  }
}

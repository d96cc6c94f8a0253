// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Downbeat
internal import Glibc
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// How loud a rendering becomes: what is asked for, what was measured, and the gain between.
package struct RenderLevel {
  /// What is asked for.
  private enum Aim {
    /// A gain, whatever the song.
    case gain(Float)
    /// A loudness in LUFS, times a gain.
    case loudness(Double, Float)
    /// A peak in dB of full scale, between the samples too.
    case peak(Double)
  }

  private let aim: Aim
  private let sequence: MusicSequence
  /// What the samples that are heard were multiplied by.
  package var heardGain: Float = 1
  private let meter: LoudnessMeter?

  /// Creates a level with a meter that has heard nothing.
  ///
  /// Without the library that measures, a song's level is an estimate from its notes.
  package init(
    to normalize: TargetLevel? = nil, _ sound: SoundOptions, _ sequence: MusicSequence,
    rate: SampleRate, channelCount: Int = SongRenderer.channelCount
  ) throws {
    self.sequence = sequence
    switch normalize {
    case .peak(let decibels): aim = .peak(decibels)
    case .loudness(let units): aim = .loudness(units, 1)
    case nil:
      if let gain = sound.absoluteGain {
        aim = .gain(gain.factor)
        meter = nil
        return
      }
      aim = .loudness(SoundOptions.loudness, sound.gain?.factor ?? 1)
    }
    meter = try Self.meter(normalize, rate, channelCount)
  }

  private static func meter(
    _ target: TargetLevel?, _ rate: SampleRate, _ channelCount: Int
  ) throws -> LoudnessMeter? {
    do {
      return try LoudnessMeter(
        channelCount: channelCount, rate: rate, findsPeaks: target.isPeak)
    } catch {
      guard case .meterMissing = error, target == nil else { throw error }
      return nil
    }
  }

  /// The gain, where it is known before anything is heard.
  package var known: Float? {
    if case .gain(let gain) = aim { gain } else { nil }
  }

  /// Whether peaks are where they were asked for, so that nothing is to be turned down.
  package var isExact: Bool {
    if case .peak = aim { true } else { false }
  }

  /// Measures interleaved samples at gain 1.
  package func measure(_ samples: Span<Float>) {
    meter?.measure(samples)
  }

  /// The gain for the samples that were measured.
  package func gain() throws -> Float {
    switch aim {
    case .gain(let gain): return gain
    case .peak(let decibels):
      guard let peak = meter?.truePeak, peak > 0 else { return 1 }
      return Float(pow(10, decibels / 20) / peak)
    case .loudness(let target, let factor):
      guard let loudness = meter?.integrated else {
        return try LoudnessEstimate([sequence]).gain(to: target) * factor / heardGain
      }
      // Where a person names the loudness it is reached from however far.
      guard target == SoundOptions.loudness else {
        return factor * Float(pow(10, (target - loudness) / 20))
      }
      return factor * LoudnessEstimate.gain(from: loudness, to: target - reserve(at: loudness))
    }
  }

  /// The most that a song is left softer for its peaks, in decibels.
  private static let mostReserve = 4.0
  /// A peak, in dB of full scale, that the limiter turns down without being heard.
  private static let unheardPeak = 4.5

  /// By how many decibels a song of a loudness is left softer, so that nobody hears its peaks being
  /// turned down: 0…4.
  private func reserve(at loudness: Double) -> Double {
    guard let peak = meter?.samplePeak, peak > 0 else { return 0 }
    let risen = 20 * log10(peak) + SoundOptions.loudness - loudness
    return max(0, min(Self.mostReserve, risen - Self.unheardPeak))
  }

  /// What to type for a level at which so much less would have had to be turned down.
  ///
  /// - Parameter lowest: the least factor of the limiter.
  /// - Returns: a flag and its value.
  package func remedy(for lowest: Float) -> String {
    let less = 20 * log10(Double(lowest))
    switch aim {
    case .gain(let gain):
      return "--absolute-gain \(Int((20 * log10(Double(gain)) + less).rounded(.down)))dB"
    case .loudness(let target, 1) where target != SoundOptions.loudness:
      return "--normalize \(Int((target + less).rounded(.down)))LUFS"
    case .loudness(_, let factor):
      return "--gain \(Int((20 * log10(Double(factor)) + less).rounded(.down)))dB"
    case .peak(let decibels): return "--normalize \(Int((decibels + less).rounded(.down)))dB"
    }
  }
}

extension TargetLevel? {
  /// Whether it is a peak.
  fileprivate var isPeak: Bool {
    if case .peak = self { true } else { false }
  }
}

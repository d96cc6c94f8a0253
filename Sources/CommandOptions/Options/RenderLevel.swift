// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Downbeat
internal import Glibc
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// The level of a rendering: the requested level, the measured level, and the gain between them.
package struct RenderLevel {
  /// The requested level.
  private enum Aim {
    /// A fixed gain.
    case gain(Float)
    /// A loudness in LUFS, and an additional gain.
    case loudness(Double, Float)
    /// A peak in dBFS, also between samples.
    case peak(Double)
  }

  private let aim: Aim
  private let sequence: MusicSequence
  /// The gain of the samples that are measured.
  package var heardGain: Float = 1
  private let meter: LoudnessMeter?

  /// Creates a level with a new meter.
  ///
  /// Without libebur128, the level is estimated from the song's notes.
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

  /// The gain, if it is known before measuring; nil otherwise.
  package var known: Float? {
    if case .gain(let gain) = aim { gain } else { nil }
  }

  /// True if the peaks will be at the requested level, so that a limiter is not needed.
  package var isExact: Bool {
    if case .peak = aim { true } else { false }
  }

  /// Measures interleaved samples at gain 1.
  package func measure(_ samples: Span<Float>) {
    meter?.measure(samples)
  }

  /// The gain for the measured samples.
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
      // A loudness that the user requested is reached with any gain.
      guard target == SoundOptions.loudness else {
        return factor * Float(pow(10, (target - loudness) / 20))
      }
      return factor * LoudnessEstimate.gain(from: loudness, to: target - reserve(at: loudness))
    }
  }

  /// The maximum reduction of a song's level because of its peaks, in decibels.
  private static let mostReserve = 4.0
  /// The highest peak, in dBFS, that can be limited inaudibly.
  private static let unheardPeak = 4.5

  /// The decibels by which a song is made softer, so that limiting its peaks is inaudible: 0…4.
  private func reserve(at loudness: Double) -> Double {
    guard let peak = meter?.samplePeak, peak > 0 else { return 0 }
    let risen = 20 * log10(peak) + SoundOptions.loudness - loudness
    return max(0, min(Self.mostReserve, risen - Self.unheardPeak))
  }

  /// The option that would avoid limiting, as advice for the user.
  ///
  /// - Parameter lowest: The lowest gain of the limiter, as a factor.
  /// - Returns: An option with its value.
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
  /// True if it is a peak.
  fileprivate var isPeak: Bool {
    if case .peak = self { true } else { false }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// High-pass or low-pass filter with 12, 24, 36 or 48 dB per octave.
///
/// With the default resonance the unit is a Butterworth filter, whose level at the cutoff is −3 dB.
/// To raise or lower bands of frequencies, use `EqualizerUnit`.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound. Source: R.
///   Bristow-Johnson, Cookbook formulae for audio EQ biquad filter coefficients.
public final class FilterUnit: SettableUnit, SavableUnit {
  /// The kinds of filters.
  public enum Kind: Sendable, CaseIterable {
    /// A high-pass: frequencies above the cutoff pass.
    case highPass
    /// A low-pass: frequencies below the cutoff pass.
    case lowPass
  }

  /// The parameters of a filter.
  public enum Setting: Int, Sendable {
    /// Cutoff (−3 dB), from 10 Hz to 0.49 of the sample rate; default 80 Hz for a high-pass and
    /// 8000 Hz for a low-pass, or the upper limit if that is less.
    case frequency
    /// Resonance (Q): the strength of the peak at the cutoff, 0.5…20; default 0.7071, without a
    /// peak.
    case resonance
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The kind of filter.
  public let kind: Kind
  /// The slope, in decibels per octave.
  public let slope: Int
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The parameters: frequency and resonance.
  public let parameters: ParameterSet
  private let kernel: KernelBox<FilterKernel>

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - kind: high-pass or low-pass.
  ///   - name: the unit's name, for messages and graphs; nil for `high-pass` or `low-pass`.
  ///   - slope: the slope in decibels per octave: 12, 24, 36 or 48.
  ///   - channelCount: the number of channels, 1…64.
  ///   - rate: the sample rate.
  public init(
    _ kind: Kind, name: String? = nil, slope: Int = 12, channelCount: Int = 2, rate: SampleRate
  ) {
    precondition((1...64).contains(channelCount), "a filter has 1 to 64 channels")
    precondition(
      [12, 24, 36, 48].contains(slope), "the slope must be 12, 24, 36 or 48 dB per octave")
    self.name = name ?? Self.word(kind)
    self.rate = rate
    self.kind = kind
    self.slope = slope
    inputChannelCounts = [channelCount]
    let highest = Float(rate.hertz) * 0.49
    parameters = ParameterSet(
      [
        Parameter(
          "frequency", .hertz, min(10, highest)...highest,
          initially: min(kind == .highPass ? 80 : 8000, highest), rampSeconds: 0.02),
        Parameter("resonance", .number, 0.5...20, initially: 0.70710678, rampSeconds: 0.02),
      ], rate: rate, unit: self.name)
    kernel = unsafe KernelBox(
      FilterKernel(
        kind, sectionCount: slope / 12, channelCount: channelCount, rate: rate,
        bank: parameters.bank), FilterKernel.function)
  }

  static func word(_ kind: Kind) -> String { kind == .highPass ? "high-pass" : "low-pass" }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      Self.word(kind), ["channels": .count(inputChannelCounts[0]), "slope": .count(slope)])
  }
}

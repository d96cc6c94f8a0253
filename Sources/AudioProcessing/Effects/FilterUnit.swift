// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Takes away what is below a frequency, or what is above: 12, 24, 36 or 48 dB an octave.
///
/// Without resonance nothing is raised, and at the frequency 3 dB are gone (Butterworth). For bands
/// that raise and lower take an `EqualizerUnit`.
///
/// - Note: Control side; the sound is made on the render thread.
/// Source: R. Bristow-Johnson, Cookbook formulae for audio EQ biquad filter coefficients.
public final class FilterUnit: SettableUnit, SavableUnit {
  /// What passes.
  public enum Kind: Sendable, CaseIterable {
    /// What is above the frequency.
    case highPass
    /// What is below.
    case lowPass
  }

  /// The parameters of a filter.
  public enum Setting: Int, Sendable {
    /// Where 3 dB are taken away, 10 Hz to 0.49 of the rate; at first 80 Hz for what passes highs, and
    /// 8000 Hz for what passes lows, or the highest where that is less.
    case frequency
    /// Q, by how much what is around the frequency is raised, 0.5…20; 0.7071, at first, raises
    /// nothing.
    case resonance
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// What passes.
  public let kind: Kind
  /// How steep it is, in decibels an octave.
  public let slope: Int
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// Frequency and resonance.
  public let parameters: ParameterSet
  private let kernel: KernelBox<FilterKernel>

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - kind: what passes.
  ///   - name: what it is called in messages; nil for `high-pass` or `low-pass`.
  ///   - slope: how steep it is in decibels an octave: 12, 24, 36 or 48.
  ///   - channelCount: the channels of its bus, 1…64.
  ///   - rate: frames a second.
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

  /// The filter's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      Self.word(kind), ["channels": .count(inputChannelCounts[0]), "slope": .count(slope)])
  }
}

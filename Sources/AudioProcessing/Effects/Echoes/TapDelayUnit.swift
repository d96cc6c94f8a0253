// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Delay with four taps on one delay line, each with a time, gain and pan.
///
/// The first tap is fed back. Left and right are summed at the input.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class TapDelayUnit: StereoEffect {
  /// The parameters of a tap.
  ///
  /// For tap n (0…3), the index of a parameter in `parameters` is 3n plus the raw value of the
  /// case.
  public enum Tap: Int, Sendable {
    /// Delay of the tap, 0.0001…1.5 s, at least two frames; default 0.25, 0.5, 0.75 and 1 s for the
    /// four taps.
    case time
    /// Gain, 0…1; default 1 for the first tap, 0 for the others.
    case level
    /// Pan, −1 for left to 1 for right; default 0.
    ///
    /// Pan reduces only the gain of the side that is farther away.
    case pan
  }

  /// The parameters of the whole delay.
  public enum Setting: Int, Sendable {
    /// Gain with which the first tap is fed back, a factor −0.98…0.98; default 0.4.
    case feedback = 12
    /// Cutoff of the low-pass in the feedback, 200…20 000 Hz, 6 dB per octave; default 20 000 Hz,
    /// which is off.
    case damping
    /// Cutoff of the low-pass at the input, before the delay line, 200…20 000 Hz; default 20 000
    /// Hz, which is off.
    case lowPass
    /// Share of the echoes in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 0.3.
    case mix
  }

  private static let tapCount = 4
  static let longestSeconds = 1.51

  /// The parameters: time, level and pan of each tap; then feedback, damping, low-pass and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<TapDelayKernel>
  private let shared: SharedSamples?

  /// Creates a delay with taps.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public convenience init(name: String = "tap-delay", rate: SampleRate) {
    self.init(name: name, rate: rate, in: nil)
  }

  /// Creates a tap delay that uses memory shared with other units, of which only one renders at a
  /// time; nil allocates memory.
  package init(name: String = "tap-delay", rate: SampleRate, in shared: SharedSamples?) {
    self.shared = shared
    let taps = (0..<Self.tapCount).flatMap { tap in
      let word = "tap \(tap + 1) "
      return [
        Parameter(
          word + "time", .seconds, 0.0001...1.5, initially: 0.25 * Float(tap + 1), rampSeconds: 0.2),
        Parameter(word + "level", .factor, 0...1, initially: tap == 0 ? 1 : 0, rampSeconds: 0.02),
        Parameter(word + "pan", .position, -1...1, initially: 0, rampSeconds: 0.05),
      ]
    }
    parameters = ParameterSet(
      taps + [
        Parameter("feedback", .factor, -0.98...0.98, initially: 0.4, rampSeconds: 0.02),
        Parameter("damping", .hertz, 200...20_000, initially: 20_000, rampSeconds: 0.05),
        Parameter("low pass", .hertz, 200...20_000, initially: 20_000, rampSeconds: 0.05),
        Parameter("mix", .factor, 0...1, initially: 0.3, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      TapDelayKernel(rate: rate, bank: parameters.bank, in: shared), TapDelayKernel.function,
      clearing: TapDelayKernel.clearing)
  }

  /// The longest delay, in frames.
  static func longest(_ rate: SampleRate) -> Int {
    Int(longestSeconds * Double(rate.hertz)) + 4
  }

  /// The number of samples of shared memory that the unit needs.
  package static func sharedCount(_ rate: SampleRate) -> Int {
    GlidingLine.capacity(longest: longest(rate))
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames until the echoes have decayed by 100 dB.
  public var tail: Int {
    let longest = (0..<Self.tapCount).map { parameters[$0 * 3] }.max() ?? 0
    let feedback = parameters[Setting.feedback.rawValue]
    return EchoTail.frames(seconds: parameters[0], feedback: feedback, parameters.rate)
      + Int(longest * Float(parameters.rate.hertz)) + 1
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("tap-delay", [:]) }
}

// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Flanger: mixes the sound with a copy whose short delay moves, which makes a comb filter that
/// sweeps smoothly or in steps.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class FlangerUnit: SettableUnit, StereoEffect {
  /// The parameters of a flanger.
  public enum Setting: Int, Sendable {
    /// Rate of the sweep, 0.01…20 Hz; default 0.5 Hz.
    case rate
    /// Depth of the sweep: the largest deviation from `delay`, 0…0.01 s; default 1 ms.
    case depth
    /// Centre of the sweep, 0.0001…0.1 s, at least two frames; default 2 ms.
    case delay
    /// Gain with which the delayed sound is fed back, a factor −0.98…0.98; default 0.5.
    case feedback
    /// Phase of the right side's sweep relative to the left side's, 0…1; default 0.5.
    ///
    /// A value of 1 is half a cycle.
    case spread
    /// Number of steps per second in which the sweep moves, 0…20; default 0, a smooth sweep.
    case stepRate
    /// Share of the delayed sound in the output, 0…1; default 0.5.
    case mix
  }

  /// The longest delay with the sweep, in seconds.
  static let longestSeconds = 0.11

  /// The parameters: rate, depth, delay, feedback, spread, step rate and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<FlangerKernel>

  /// Creates a flanger.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public init(name: String = "flanger", rate: SampleRate) {
    parameters = ParameterSet(
      [
        Parameter("rate", .hertz, 0.01...20, initially: 0.5, rampSeconds: 0.05),
        Parameter("depth", .seconds, 0...0.01, initially: 0.001, rampSeconds: 0.1),
        Parameter("delay", .seconds, 0.0001...0.1, initially: 0.002, rampSeconds: 0.1),
        Parameter("feedback", .factor, -0.98...0.98, initially: 0.5, rampSeconds: 0.02),
        Parameter("spread", .factor, 0...1, initially: 0.5, rampSeconds: 0.1),
        Parameter("step rate", .hertz, 0...20, initially: 0, rampSeconds: 0),
        Parameter("mix", .factor, 0...1, initially: 0.5, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      FlangerKernel(rate: rate, bank: parameters.bank), FlangerKernel.function,
      clearing: FlangerKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames until the feedback has decayed by 100 dB.
  public var tail: Int {
    EchoTail.frames(
      seconds: self[.delay] + self[.depth], feedback: self[.feedback], parameters.rate)
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("flanger", [:]) }
}

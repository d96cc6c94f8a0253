// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Flanger: adds the sound with a short, moving delay and feedback, as a comb filter that sweeps
/// smoothly or in steps.
///
/// - Note: Use it on one thread at a time; the render thread processes the sound.
public final class FlangerUnit: SettableUnit, StereoEffect {
  /// The parameters of a flanger.
  public enum Setting: Int, Sendable {
    /// Rate of the sweep, 0.01…20 Hz; default 0.5 Hz.
    case rate
    /// Largest deviation from the delay, 0…0.01 s; default 1 ms.
    case depth
    /// Centre of the sweep, 0.0001…0.1 s, at least two frames; default 2 ms.
    case delay
    /// Feedback, a factor −0.98…0.98; default 0.5.
    case feedback
    /// Phase of the sweep on the right, 0…1 of half a cycle; default 0.5.
    case spread
    /// Steps per second of the sweep, 0…20 Hz; default 0, which is smooth.
    case stepRate
    /// Share of the delayed sound in the output, 0…1; default 0.5.
    case mix
  }

  /// The longest delay with the sweep, in seconds.
  static let longestSeconds = 0.11

  /// Rate, depth, delay, feedback, spread, step rate and mix.
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

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// The frames until the feedback has decayed by 100 dB.
  public var tail: Int {
    EchoTail.frames(
      seconds: self[.delay] + self[.depth], feedback: self[.feedback], parameters.rate)
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("flanger", [:]) }
}

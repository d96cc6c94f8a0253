// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A copy of the sound at a short delay that moves, with feedback: combs that sweep through the
/// spectrum, smoothly or in steps.
///
/// - Note: Control side; the sound is made on the render thread.
public final class FlangerUnit: SettableUnit, StereoEffect {
  /// The parameters of a flanger.
  public enum Setting: Int, Sendable {
    /// Sweep rate, 0.01…20 Hz; 0.5 at first.
    case rate
    /// Sweep to either side, 0…0.01 s; 1 ms at first.
    case depth
    /// Delay around which it sweeps, 0.0001…0.1 s; 2 ms at first. At least two frames are used.
    case delay
    /// Feedback, −0.98…0.98; 0.5 at first.
    case feedback
    /// Phase of the right side's sweep, 0…1 of half a turn; 0.5 at first.
    case spread
    /// Steps a second, 0…20 Hz, in which the sweep moves; 0, as at first, for a smooth one.
    case stepRate
    /// The share of the delayed sound, 0…1; 0.5 at first.
    case mix
  }

  /// The longest delay and sweep, in seconds.
  static let longestSeconds = 0.11

  /// Rate, depth, delay, feedback, spread, step rate and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<FlangerKernel>

  /// Creates a flanger.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
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

  /// The flanger's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames until the feedback is 100 dB down.
  public var tail: Int {
    EchoTail.frames(
      seconds: self[.delay] + self[.depth], feedback: self[.feedback], parameters.rate)
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("flanger", [:]) }
}

// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Stereo delay with separate times for left and right, cross feedback and modulation.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class CrossDelayUnit: SettableUnit, StereoEffect {
  /// The parameters of a cross delay.
  public enum Setting: Int, Sendable {
    /// Times of the left and right echoes, 0.0001…1.5 s, at least two frames; default 0.25 s left
    /// and 0.375 s right.
    case left, right
    /// Feedback: the gain of each echo relative to the previous one, a factor −0.98…0.98; default
    /// 0.4.
    case feedback
    /// Cross feedback: the share of the feedback that goes from left to right and from right to
    /// left, 0…1; default 0.
    case cross
    /// Cutoff of the low-pass in the feedback, 200…20 000 Hz, 6 dB per octave; default 20 000 Hz,
    /// which is off.
    case damping
    /// Rate at which the times are modulated, 0.01…20 Hz; default 0.5 Hz.
    case rate
    /// Depth of the modulation: the largest deviation of the times, 0…0.01 s; default 0.
    case depth
    /// Gains of the left and right echoes, −1…1; negative gains invert the echoes.
    ///
    /// Default 1.
    case leftLevel, rightLevel
    /// Share of the echoes in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 0.3.
    case mix
  }

  static let longestSeconds = 1.52

  /// The parameters: times, feedback, cross, damping, modulation, levels and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<CrossDelayKernel>
  private let shared: SharedSamples?

  /// Creates a cross delay.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public convenience init(name: String = "cross-delay", rate: SampleRate) {
    self.init(name: name, rate: rate, in: nil)
  }

  /// Creates a cross delay that uses memory shared with other units, of which only one renders at a
  /// time; nil allocates memory.
  package init(name: String = "cross-delay", rate: SampleRate, in shared: SharedSamples?) {
    self.shared = shared
    parameters = ParameterSet(
      [
        Parameter("left", .seconds, 0.0001...1.5, initially: 0.25, rampSeconds: 0.2),
        Parameter("right", .seconds, 0.0001...1.5, initially: 0.375, rampSeconds: 0.2),
        Parameter("feedback", .factor, -0.98...0.98, initially: 0.4, rampSeconds: 0.02),
        Parameter("cross", .factor, 0...1, initially: 0, rampSeconds: 0.02),
        Parameter("damping", .hertz, 200...20_000, initially: 20_000, rampSeconds: 0.05),
        Parameter("rate", .hertz, 0.01...20, initially: 0.5, rampSeconds: 0.05),
        Parameter("depth", .seconds, 0...0.01, initially: 0, rampSeconds: 0.1),
        Parameter("left level", .factor, -1...1, initially: 1, rampSeconds: 0.1),
        Parameter("right level", .factor, -1...1, initially: 1, rampSeconds: 0.1),
        Parameter("mix", .factor, 0...1, initially: 0.3, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      CrossDelayKernel(rate: rate, bank: parameters.bank, in: shared), CrossDelayKernel.function,
      clearing: CrossDelayKernel.clearing)
  }

  /// The longest delay, in frames.
  static func longest(_ rate: SampleRate) -> Int {
    Int(longestSeconds * Double(rate.hertz)) + 4
  }

  /// The number of samples of shared memory that the unit needs.
  package static func sharedCount(_ rate: SampleRate) -> Int {
    2 * GlidingLine.capacity(longest: longest(rate))
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames until the echoes have decayed by 100 dB.
  public var tail: Int {
    EchoTail.frames(
      seconds: max(self[.left], self[.right]) + self[.depth], feedback: self[.feedback],
      parameters.rate)
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("cross-delay", [:]) }
}

// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Echoes with a time for each side, whose feedback may cross over; they may be modulated.
///
/// - Note: Control side; the sound is made on the render thread.
public final class CrossDelayUnit: SettableUnit, StereoEffect {
  /// The parameters of a cross delay.
  public enum Setting: Int, Sendable {
    /// Time of the left and of the right side, 0.0001…1.5 s; 0.25 and 0.375 at first. At least two
    /// frames are used.
    case left, right
    /// Feedback, −0.98…0.98; 0.4 at first.
    case feedback
    /// The part of the feedback that goes to the other side, 0…1; 0 at first.
    case cross
    /// Low-pass in the feedback, 200…20 000 Hz, 6 dB an octave; 20 000, as at first, for none.
    case damping
    /// Rate of the modulation, 0.01…20 Hz; 0.5 at first.
    case rate
    /// Modulation of the times to either side, 0…0.01 s; 0 at first.
    case depth
    /// Level of the left and of the right echoes, −1…1, below 0 inverted; 1 at first.
    case leftLevel, rightLevel
    /// The share of the echoes, 0…1; 0.3 at first.
    case mix
  }

  static let longestSeconds = 1.52

  /// Times, feedback, cross, damping, modulation, levels and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<CrossDelayKernel>
  private let shared: SharedSamples?

  /// Creates a cross delay.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
  public convenience init(name: String = "cross-delay", rate: SampleRate) {
    self.init(name: name, rate: rate, in: nil)
  }

  /// Creates one in samples that it shares with others, of which one at a time plays; with its own if nil.
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

  /// The greatest delay, in frames.
  static func longest(_ rate: SampleRate) -> Int {
    Int(longestSeconds * Double(rate.hertz)) + 4
  }

  /// The samples that it takes, or shares.
  package static func sharedCount(_ rate: SampleRate) -> Int {
    2 * GlidingLine.capacity(longest: longest(rate))
  }

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The frames until the echoes are 100 dB down.
  public var tail: Int {
    EchoTail.frames(
      seconds: max(self[.left], self[.right]) + self[.depth], feedback: self[.feedback],
      parameters.rate)
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("cross-delay", [:]) }
}

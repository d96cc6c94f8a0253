// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// One delay line with four taps, each with a time, a level and a place between left and right; the
/// first tap feeds the line again.
///
/// Both sides are summed into it.
///
/// - Note: Control side; the sound is made on the render thread.
public final class TapDelayUnit: StereoEffect {
  /// The parameters of a tap; those of tap n have the number 3n plus the setting's.
  public enum Tap: Int, Sendable {
    /// Time, 0.0001…1.5 s. At least two frames are used.
    case time
    /// Level, 0…1; 1 for the first tap and 0 for the others at first.
    case level
    /// Place, −1 left to 1 right: the other side falls, the near one stays.
    case pan
  }

  /// The parameters that all taps share.
  public enum Setting: Int, Sendable {
    /// Feedback of the first tap, −0.98…0.98; 0.4 at first.
    case feedback = 12
    /// Low-pass in the feedback, 200…20 000 Hz, 6 dB an octave; 20 000, as at first, for none.
    case damping
    /// Low-pass before the line, as above.
    case lowPass
    /// The share of the echoes, 0…1; 0.3 at first.
    case mix
  }

  private static let tapCount = 4
  static let longestSeconds = 1.51

  /// Time, level and pan of each tap; feedback, damping, low-pass and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<TapDelayKernel>
  private let shared: SharedSamples?

  /// Creates a delay with taps.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
  public convenience init(name: String = "tap-delay", rate: SampleRate) {
    self.init(name: name, rate: rate, in: nil)
  }

  /// Creates one in samples that it shares with others, of which one at a time plays; with its own if nil.
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

  /// The greatest delay, in frames.
  static func longest(_ rate: SampleRate) -> Int {
    Int(longestSeconds * Double(rate.hertz)) + 4
  }

  /// The samples that it takes, or shares.
  package static func sharedCount(_ rate: SampleRate) -> Int {
    GlidingLine.capacity(longest: longest(rate))
  }

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The frames until the echoes are 100 dB down.
  public var tail: Int {
    let longest = (0..<Self.tapCount).map { parameters[$0 * 3] }.max() ?? 0
    let feedback = parameters[Setting.feedback.rawValue]
    return EchoTail.frames(seconds: parameters[0], feedback: feedback, parameters.rate)
      + Int(longest * Float(parameters.rate.hertz)) + 1
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("tap-delay", [:]) }
}

// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Two voices of the sound at other pitches, by two places of a delay line that fade into each other.
///
/// Both sides are summed into it. For whole songs take `TimePitchUnit`, which does not flutter.
///
/// - Note: Control side; the sound is made on the render thread.
public final class PitchShiftUnit: SettableUnit, StereoEffect {
  /// The parameters of a pitch shifter.
  public enum Setting: Int, Sendable {
    /// Pitch of the first voice, −24…24 semitones; 0 at first.
    case firstPitch
    /// Level of the first voice, 0…1; 1 at first.
    case firstLevel
    /// Place of the first voice, −1…1; 0 at first.
    case firstPan
    /// Pitch, level and place of the second voice, as above, but for the level, 0 at first.
    case secondPitch, secondLevel, secondPan
    /// Delay before the voices, 0…0.5 s; 0 at first. The window adds 30 ms on average.
    case delay
    /// Feedback of both voices, −0.95…0.95; 0 at first.
    case feedback
    /// The share of the voices, 0…1; 0.5 at first.
    case mix
  }

  /// The window in which a voice moves, in seconds.
  static let windowSeconds: Float = 0.06

  /// Pitch, level and place of both voices; delay, feedback and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<PitchShiftKernel>
  private let shared: SharedSamples?

  /// Creates a pitch shifter.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
  public convenience init(name: String = "pitch-shift", rate: SampleRate) {
    self.init(name: name, rate: rate, in: nil)
  }

  /// Creates one in samples that it shares with others, of which one at a time plays; with its own if nil.
  package init(name: String = "pitch-shift", rate: SampleRate, in shared: SharedSamples?) {
    self.shared = shared
    parameters = ParameterSet(
      [
        Parameter("first pitch", .number, -24...24, initially: 0, rampSeconds: 0.05),
        Parameter("first level", .factor, 0...1, initially: 1, rampSeconds: 0.02),
        Parameter("first pan", .position, -1...1, initially: 0, rampSeconds: 0.1),
        Parameter("second pitch", .number, -24...24, initially: 0, rampSeconds: 0.05),
        Parameter("second level", .factor, 0...1, initially: 0, rampSeconds: 0.02),
        Parameter("second pan", .position, -1...1, initially: 0, rampSeconds: 0.1),
        Parameter("delay", .seconds, 0...0.5, initially: 0, rampSeconds: 0.1),
        Parameter("feedback", .factor, -0.95...0.95, initially: 0, rampSeconds: 0.02),
        Parameter("mix", .factor, 0...1, initially: 0.5, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      PitchShiftKernel(rate: rate, bank: parameters.bank, in: shared), PitchShiftKernel.function,
      clearing: PitchShiftKernel.clearing)
  }

  /// The greatest delay, in frames.
  static func longest(_ rate: SampleRate) -> Int { Int(0.7 * Double(rate.hertz)) + 4 }

  /// The samples that it takes, or shares.
  package static func sharedCount(_ rate: SampleRate) -> Int {
    GlidingLine.capacity(longest: longest(rate))
  }

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The frames until the feedback is 100 dB down.
  public var tail: Int {
    EchoTail.frames(
      seconds: self[.delay] + Self.windowSeconds, feedback: self[.feedback], parameters.rate)
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("pitch-shift", [:]) }
}

// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Pitch shifter: adds two voices at other pitches.
///
/// Each voice is read from a delay line at two moving positions, between which the unit crossfades.
/// Left and right are summed at the input. For whole songs, use `TimePitchUnit`, which does not
/// flutter.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class PitchShiftUnit: SettableUnit, StereoEffect {
  /// The parameters of a pitch shifter.
  public enum Setting: Int, Sendable {
    /// Pitch of the first voice relative to the input, −24…24 semitones; default 0.
    case firstPitch
    /// Gain of the first voice, 0…1; default 1.
    case firstLevel
    /// Pan of the first voice, −1…1; default 0.
    case firstPan
    /// Pitch, gain and pan of the second voice, with the same ranges as for the first voice;
    /// default gain 0.
    case secondPitch, secondLevel, secondPan
    /// Delay before the voices, 0…0.5 s; default 0.
    ///
    /// The pitch shifting itself adds 30 ms on average.
    case delay
    /// Feedback: the gain with which both voices are fed back to the input, a factor −0.95…0.95;
    /// default 0.
    case feedback
    /// Share of the voices in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 0.5.
    case mix
  }

  /// The length of the window through which a voice moves, in seconds.
  static let windowSeconds: Float = 0.06

  /// The parameters: pitch, level and pan of both voices; delay, feedback and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<PitchShiftKernel>
  private let shared: SharedSamples?

  /// Creates a pitch shifter.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public convenience init(name: String = "pitch-shift", rate: SampleRate) {
    self.init(name: name, rate: rate, in: nil)
  }

  /// Creates a pitch shifter that uses memory shared with other units, of which only one renders at
  /// a time; nil allocates memory.
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

  /// The longest delay, in frames.
  static func longest(_ rate: SampleRate) -> Int { Int(0.7 * Double(rate.hertz)) + 4 }

  /// The number of samples of shared memory that the unit needs.
  package static func sharedCount(_ rate: SampleRate) -> Int {
    GlidingLine.capacity(longest: longest(rate))
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames until the feedback has decayed by 100 dB.
  public var tail: Int {
    EchoTail.frames(
      seconds: self[.delay] + Self.windowSeconds, feedback: self[.feedback], parameters.rate)
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("pitch-shift", [:]) }
}

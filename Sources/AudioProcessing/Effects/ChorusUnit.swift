// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Chorus: adds copies of the sound whose delays increase and decrease, which shifts their pitch up
/// and down.
///
/// With one voice, a short delay and feedback, the unit is a flanger.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound. Source: J.
///   Dattorro, Effect Design, Part 2: Delay-Line Modulation and Chorus, J. Audio Eng. Soc. 45
///   (1997).
public final class ChorusUnit: SettableUnit, SavableUnit {
  /// The parameters of a chorus.
  public enum Setting: Int, Sendable {
    /// Rate of the modulation, 0.01…10 Hz; default 0.8 Hz.
    case rate
    /// Depth of the modulation: the largest deviation of a voice's delay from `delay`, 0…0.01 s;
    /// default 2 ms.
    case depth
    /// Centre of the modulated delay, 0.0005…0.05 s; default 12 ms.
    ///
    /// Each voice is delayed by at least two frames.
    case delay
    /// Feedback: the factor by which the mean of the voices is fed back into the delay, −0.95…0.95;
    /// default 0.
    case feedback
    /// Phase difference of the modulation between left and right, 0…1; default 1.
    ///
    /// At 1 the phases of one side are halfway between those of the other; at 0 they are equal.
    case spread
    /// Share of the voices in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 0.5.
    case mix
  }

  /// The longest delay, in seconds: the largest delay plus the largest depth.
  static let longestSeconds = 0.06

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The number of voices of each channel.
  public let voiceCount: Int
  /// The parameters: rate, depth, delay, feedback, spread and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<ChorusKernel>

  /// Creates a chorus.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64. Channels with an odd index are treated as
  ///     right channels.
  ///   - voiceCount: the number of voices of each channel, 1…8.
  ///   - rate: the sample rate.
  public init(
    name: String = "chorus", channelCount: Int = 2, voiceCount: Int = 3, rate: SampleRate
  ) {
    precondition((1...64).contains(channelCount), "a chorus has 1 to 64 channels")
    precondition((1...8).contains(voiceCount), "a chorus has 1 to 8 voices")
    self.name = name
    self.rate = rate
    self.voiceCount = voiceCount
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      [
        Parameter("rate", .hertz, 0.01...10, initially: 0.8, rampSeconds: 0.05),
        Parameter("depth", .seconds, 0...0.01, initially: 0.002, rampSeconds: 0.1),
        Parameter("delay", .seconds, 0.0005...0.05, initially: 0.012, rampSeconds: 0.1),
        Parameter("feedback", .factor, -0.95...0.95, initially: 0, rampSeconds: 0.02),
        Parameter("spread", .factor, 0...1, initially: 1, rampSeconds: 0.1),
        Parameter("mix", .factor, 0...1, initially: 0.5, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      ChorusKernel(
        channelCount: channelCount, voiceCount: voiceCount, rate: rate, bank: parameters.bank),
      ChorusKernel.function, clearing: ChorusKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames until the feedback has decayed by 100 dB.
  public var tail: Int {
    let feedback = Double(self[.feedback].magnitude)
    let rounds = feedback < 1e-5 ? 1 : 1 - (5 / SampleMath.log10(feedback)).rounded(.towardZero)
    let longest = Double(self[.delay] + self[.depth]) * Double(parameters.rate.hertz)
    return Int(rounds * max(longest, Double(GlidingLine.shortest)).rounded(.up)) + 4
  }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "chorus", ["channels": .count(inputChannelCounts[0]), "voices": .count(voiceCount)])
  }
}

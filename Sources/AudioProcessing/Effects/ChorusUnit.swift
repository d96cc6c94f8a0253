// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Several players of one part: each voice hears the sound a little later, by a time that moves to
/// and fro, and so now a little higher and now a little lower.
///
/// With a short delay, one voice and feedback it is a flanger.
///
/// - Note: Control side; the sound is made on the render thread.
/// Source: J. Dattorro, Effect Design, Part 2: Delay-Line Modulation and Chorus, J. Audio Eng. Soc. 45
/// (1997).
public final class ChorusUnit: SettableUnit, SavableUnit {
  /// The parameters of a chorus.
  public enum Setting: Int, Sendable {
    /// How often a voice goes to and fro, 0.01…10 Hz; 0.8 at first.
    case rate
    /// How far it goes to either side, 0…0.01 s; 2 ms at first.
    case depth
    /// The time around which it moves, 0.0005…0.05 s; 12 ms at first. A voice that would come before
    /// two frames waits there.
    case delay
    /// How much of the mean of the voices goes in again, a factor −0.95…0.95; 0 at first.
    case feedback
    /// How far the phases of left and right lie apart, 0…1; at 1, as at first, those of one side lie
    /// in the middle between those of the other.
    case spread
    /// The share of the voices in what comes out, 0…1; the rest is what came in. 0.5 at first.
    case mix
  }

  /// The longest way through a line: the longest time and the greatest swing.
  static let longestSeconds = 0.06

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// How many voices a channel has.
  public let voiceCount: Int
  /// Rate, depth, delay, feedback, spread and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<ChorusKernel>

  /// Creates a chorus.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus, 1…64: those of odd numbers are on the right.
  ///   - voiceCount: the voices of each channel, 1…8.
  ///   - rate: frames a second.
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

  /// The chorus's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames until what goes round is 100 dB down.
  public var tail: Int {
    let feedback = Double(self[.feedback].magnitude)
    let rounds = feedback < 1e-5 ? 1 : 1 - (5 / SampleMath.log10(feedback)).rounded(.towardZero)
    let longest = Double(self[.delay] + self[.depth]) * Double(parameters.rate.hertz)
    return Int(rounds * max(longest, Double(GlidingLine.shortest)).rounded(.up)) + 4
  }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      "chorus", ["channels": .count(inputChannelCounts[0]), "voices": .count(voiceCount)])
  }
}

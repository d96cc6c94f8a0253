// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The sound of a place that was recorded: each sample of what comes in sets off its impulse response.
///
/// Nothing is late: what the first 512 frames of the response make is worked out in each quantum, and
/// the rest in blocks of 256, 1024 and 4096 frames ahead of when it is heard. The work of a block is
/// spread over quanta, always in the same way, so that the same sound gives the same samples.
///
/// The response is taken as it is, or brought to where white noise comes out as loud as it goes in.
/// It has the unit's rate; whoever reads it from a file converts it. It is not part of a saved graph.
///
/// - Note: Control side; the sound is made on the render thread.
public final class ConvolutionUnit: SettableUnit {
  /// The parameters of a convolution.
  public enum Setting: Int, Sendable {
    /// What the convolved sound is raised by, −60…24 dB; 0 at first.
    case level
    /// The share of the convolved sound in what comes out, 0…1; the rest is what came in. 1 at first.
    case mix
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// Level and mix.
  public let parameters: ParameterSet
  /// The frames of the response, less one.
  public let tail: Int
  private let kernel: KernelBox<ConvolutionKernel>

  /// Creates a convolution; with a response of one sample 1 it passes what comes in.
  ///
  /// - Parameters:
  ///   - response: the impulse response, channel by channel: one for all channels, one for each, or
  ///     one from each channel to each, those from the first channel first. Each has the same length,
  ///     1 sample to 2²⁴, and every sample is a number.
  ///   - name: what it is called in messages.
  ///   - isNormalised: whether the response is brought to where white noise stays as loud as it was.
  ///   - channelCount: the channels of its bus, 1…8.
  ///   - rate: frames a second.
  /// - Complexity: O(n log n) in the samples of the response, and 20 bytes of memory for each.
  public init(
    response: [[Float]], name: String = "convolution", isNormalised: Bool = false,
    channelCount: Int = 2, rate: SampleRate
  ) {
    precondition((1...8).contains(channelCount), "a convolution has 1 to 8 channels")
    let counts = [1, channelCount, channelCount * channelCount]
    precondition(
      counts.contains(response.count),
      "a response needs 1 channel, one per input, or one per pair of input and output")
    let length = response[0].count
    precondition(
      (1...1 << 24).contains(length) && response.allSatisfy { $0.count == length },
      "a response has 1 to 16 777 216 samples on every channel")
    self.name = name
    self.rate = rate
    inputChannelCounts = [channelCount]
    tail = length - 1
    parameters = ParameterSet(
      [
        Parameter("level", .decibels, -60...24, initially: 0, rampSeconds: 0.02),
        Parameter("mix", .factor, 0...1, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    let paths = Self.paths(response, channelCount: channelCount, isNormalised: isNormalised)
    kernel = unsafe KernelBox(
      ConvolutionKernel(channelCount: channelCount, paths, bank: parameters.bank),
      ConvolutionKernel.function)
  }

  /// One response for each path, and all of them times a factor.
  private static func paths(
    _ response: [[Float]], channelCount: Int, isNormalised: Bool
  ) -> [[Float]] {
    let paths =
      response.count == 1 ? Array(repeating: response[0], count: channelCount) : response
    guard isNormalised else { return paths }
    let energy = paths.joined().reduce(0.0) { $0 + Double($1) * Double($1) }
    guard energy > 0 else { return paths }
    let factor = Float((Double(channelCount) / energy).squareRoot())
    return paths.map { $0.map { $0 * factor } }
  }

  /// The convolution's kernel.
  public var step: RenderStep { kernel.step }
}

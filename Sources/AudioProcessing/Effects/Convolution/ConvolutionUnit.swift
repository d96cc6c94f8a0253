// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Convolution: the reverb of a recorded room, from its impulse response.
///
/// The unit does not add latency. The first 512 frames of the response are convolved in each
/// quantum. The rest is convolved in blocks of 256, 1024 and 4096 frames, whose results are
/// complete before they are needed. The work of a block is distributed over quanta in a fixed way,
/// so the same input always gives the same samples.
///
/// The response is used unchanged, or normalised so that white noise keeps its level. The response
/// must have the unit's sample rate; convert it before you create the unit. A saved graph does not
/// contain the response.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class ConvolutionUnit: SettableUnit {
  /// The parameters of a convolution.
  public enum Setting: Int, Sendable {
    /// Gain of the convolved sound, −60…24 dB; default 0 dB.
    case level
    /// Share of the convolved sound in the output, 0…1; the rest is the dry sound.
    ///
    /// Default 1.
    case mix
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// The parameters: level and mix.
  public let parameters: ParameterSet
  /// The number of frames for which the unit sounds after the input is silent: the length of the
  /// response minus one.
  public let tail: Int
  private let kernel: KernelBox<ConvolutionKernel>

  /// Creates a convolution.
  ///
  /// With a response that consists of one sample of 1, the unit passes the input unchanged.
  ///
  /// - Parameters:
  ///   - response: the impulse responses: one for all channels, one for each channel, or one from
  ///     each channel to each channel, in the order of the inputs. All have the same length, 1…2²⁴
  ///     samples, and all samples are finite.
  ///   - name: the unit's name, for messages and graphs.
  ///   - isNormalised: true to scale the response so that white noise keeps its level.
  ///   - channelCount: the number of channels, 1…8.
  ///   - rate: the sample rate.
  /// - Complexity: O(n log n) in the samples of the response, with 20 bytes of memory for each
  ///   sample.
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

  /// One response for each path; if normalised, all are multiplied by the same factor.
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

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }
}

// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
internal import Synchronization

/// Plays a graph at a different speed or pitch; speed and pitch are independent of each other.
///
/// The unit renders the inner graph as fast as the speed requires. The inner graph has a separate
/// timeline, on which its events are placed. The library Rubber Band 3 changes the sound; it is
/// loaded when the first unit is created. Rubber Band is licensed under the GPL or the commercial
/// license of its makers; a program that is distributed together with it is bound by that license.
/// Stretched sound is never bit-identical to its source. If speed and pitch may change together,
/// use `VarispeedUnit`, which is exact and needs less processing.
///
/// - Note: Use the unit on one thread at a time. The render thread may have to render many inner
///   quanta for one output quantum, so give the output a longer period.
public final class TimePitchUnit: SettableUnit {
  /// The parameters of a time-pitch unit.
  public enum Setting: Int, Sendable {
    /// Speed: the number of frames of the inner graph for each output frame, 0.25…4; default 1.
    case speed
    /// Shift of the pitch in cents, −2400…2400; default 0.
    case pitch
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// Empty: the unit does not have inputs, because it plays its inner graph.
  public var inputChannelCounts: [Int] { [] }
  /// The channel count of each output: one bus with the channels of the inner graph's output.
  public let outputChannelCounts: [Int]
  /// The delay of the output in frames at speed 1: that of the time stretching plus that of the
  /// inner graph.
  public let latency: Int
  /// The number of output frames for which the inner graph can sound after its last event, at the
  /// slowest speed.
  public var tail: Int { 4 * plan.tail }
  /// The compiled inner graph.
  public let plan: RenderPlan
  /// The parameters: speed and pitch.
  public let parameters: ParameterSet
  private let kernel: KernelBox<TimePitchKernel>

  /// Creates a unit that plays a graph, and compiles the graph.
  ///
  /// - Parameters:
  ///   - name: the unit's name in messages.
  ///   - graph: a graph with 1 to 32 output channels.
  ///   - keepsFormants: true to keep the formants, and therefore the character of voices, when the
  ///     pitch changes.
  ///   - rate: the sample rate, 8000…192 000 Hz.
  /// - Throws: `GraphError` if the graph cannot be compiled; `TimePitchError`.
  public init(
    name: String = "time and pitch", _ graph: AudioGraph, keepsFormants: Bool = false,
    rate: SampleRate
  ) throws {
    self.name = name
    self.rate = rate
    plan = try graph.compile()
    outputChannelCounts = [plan.output.channelCount]
    parameters = ParameterSet(
      [
        Parameter("speed", .number, 0.25...4, initially: 1, rampSeconds: 0),
        Parameter("pitch", .cents, -2400...2400, initially: 0, rampSeconds: 0),
      ], rate: rate, unit: name)
    let stretcher = try StretcherHandle(
      channelCount: plan.output.channelCount, rate: rate, keepsFormants: keepsFormants)
    latency = stretcher.latency + plan.latency
    kernel = unsafe KernelBox(
      TimePitchKernel(plan, stretcher, bank: parameters.bank), TimePitchKernel.function)
  }

  /// Creates a unit that plays another unit, such as a `SoundQueue`, at a different speed or pitch.
  ///
  /// Frame positions that the source reports are positions on the inner timeline; see
  /// `innerPosition`.
  ///
  /// - Parameters:
  ///   - name: the unit's name in messages.
  ///   - source: a unit without inputs, with 1 to 32 output channels.
  ///   - keepsFormants: true to keep the formants, and therefore the character of voices, when the
  ///     pitch changes.
  ///   - rate: the sample rate, 8000…192 000 Hz.
  /// - Throws: `GraphError` if the source cannot be compiled as a graph; `TimePitchError`.
  public convenience init(
    name: String = "time and pitch", playing source: any ProcessingUnit,
    keepsFormants: Bool = false, rate: SampleRate
  ) throws {
    var graph = AudioGraph()
    try graph.setHead(graph.add(source))
    try self.init(name: name, graph, keepsFormants: keepsFormants, rate: rate)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The first frame of the inner graph that is not rendered yet.
  ///
  /// This frame is later than the audible one by at least the latency.
  ///
  /// - Note: Any thread.
  public var innerPosition: SampleTime {
    SampleTime(frames: kernel.pointee.innerFrame.load(ordering: .acquiring))
  }
}

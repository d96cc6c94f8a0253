// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
internal import Synchronization

/// Plays a graph at another speed or pitch, each independent of the other.
///
/// The unit renders the inner graph as fast as the speed requires. The inner graph counts its own
/// frames, so its events are placed in its own time.
/// Rubber Band 3 does the work and is loaded when the first unit is created. It is licensed under
/// the GPL or its makers' commercial license; a program distributed together with it is bound by
/// that license.
/// Stretched sound is never bit-identical to its source. If speed and pitch may change together,
/// `VarispeedUnit` is exact and costs less.
///
/// - Note: Use it on one thread at a time. The render thread may have to render many inner quanta
///   for one output quantum, so give the output a longer period.
public final class TimePitchUnit: SettableUnit {
  /// The parameters of a time-pitch unit.
  public enum Setting: Int, Sendable {
    /// Inner frames for each output frame, 0.25…4; default 1.
    case speed
    /// Pitch offset in cents, −2400…2400; default 0.
    case pitch
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// Empty: the unit's source is its inner graph.
  public var inputChannelCounts: [Int] { [] }
  /// One bus, as wide as the inner graph's output.
  public let outputChannelCounts: [Int]
  /// Delay in frames at speed 1: the stretcher's and the inner graph's together.
  public let latency: Int
  /// Frames for which the inner graph may sound after its last event, at the slowest speed.
  public var tail: Int { 4 * plan.tail }
  /// The compiled inner graph.
  public let plan: RenderPlan
  /// The speed and the pitch.
  public let parameters: ParameterSet
  private let kernel: KernelBox<TimePitchKernel>

  /// Creates a unit that plays a graph, and compiles the graph.
  ///
  /// - Parameters:
  ///   - name: the unit's name in messages.
  ///   - graph: a graph with 1 to 32 output channels.
  ///   - keepsFormants: true to keep the character of voices when the pitch changes.
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

  /// Creates a unit that plays another unit, such as a `SoundQueue`, whose own speed setting also
  /// changes the pitch.
  ///
  /// Frame positions that the source reports are inner positions; see `innerPosition`.
  ///
  /// - Parameters:
  ///   - name: the unit's name in messages.
  ///   - source: a unit without inputs, with 1 to 32 output channels.
  ///   - keepsFormants: true to keep the character of voices when the pitch changes.
  ///   - rate: the sample rate, 8000…192 000 Hz.
  /// - Throws: `GraphError` if the source is not a valid graph alone; `TimePitchError`.
  public convenience init(
    name: String = "time and pitch", playing source: any ProcessingUnit,
    keepsFormants: Bool = false, rate: SampleRate
  ) throws {
    var graph = AudioGraph()
    try graph.setHead(graph.add(source))
    try self.init(name: name, graph, keepsFormants: keepsFormants, rate: rate)
  }

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// The first frame of the inner graph that is not rendered yet, ahead of the audible frame by at
  /// least the latency.
  ///
  /// - Note: Any thread.
  public var innerPosition: SampleTime {
    SampleTime(frames: kernel.pointee.innerFrame.load(ordering: .acquiring))
  }
}

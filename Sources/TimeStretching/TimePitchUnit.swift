// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
internal import Synchronization

/// Plays a graph faster or slower, higher or lower, each by itself.
///
/// The graph inside is pulled as fast as the speed asks; its frames are counted by themselves, so that
/// its events are placed in its own time. The work is done by Rubber Band 3, which is opened when the
/// first unit is made: it is under the GPL, or its makers' own licence, and so is then a program
/// that is passed on together with it.
///
/// What goes through a stretcher is never the same bit for bit; where only speed and pitch together
/// are to change, `VarispeedUnit` is exact and costs less.
///
/// - Note: Control side; the sound is made on the render thread, many quanta at once where the
///   stretcher's window asks for them: give the output a longer period.
public final class TimePitchUnit: SettableUnit {
  /// The parameters of a time-pitch unit.
  public enum Setting: Int, Sendable {
    /// Frames inside for each outside, 0.25…4; 1 at first.
    case speed
    /// How much higher it sounds, in cents, −2400…2400; 0 at first.
    case pitch
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// None: what it plays is inside.
  public var inputChannelCounts: [Int] { [] }
  /// The bus of the head inside.
  public let outputChannelCounts: [Int]
  /// By how many frames sound comes later than it was rendered inside, at speed 1.
  public let latency: Int
  /// What is still to come of the graph inside after its last event, at the slowest speed.
  public var tail: Int { 4 * plan.tail }
  /// The graph inside.
  public let plan: RenderPlan
  /// Speed and pitch.
  public let parameters: ParameterSet
  private let kernel: KernelBox<TimePitchKernel>

  /// Compiles a graph to be played.
  ///
  /// - Parameters:
  ///   - name: what the unit is called in messages.
  ///   - graph: the graph, of 1 to 32 channels.
  ///   - keepsFormants: whether voices keep their character where the pitch changes.
  ///   - rate: frames a second, 8000…192 000.
  /// - Throws: `GraphError` where the graph cannot be compiled; `TimePitchError`.
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

  /// Plays one unit, such as a `SoundQueue`, whose own speed would change its pitch.
  ///
  /// What the unit says of frames is in the count inside: see `innerPosition`.
  ///
  /// - Parameters:
  ///   - name: what the unit is called in messages.
  ///   - source: a unit without inputs, of 1 to 32 channels.
  ///   - keepsFormants: whether voices keep their character where the pitch changes.
  ///   - rate: frames a second, 8000…192 000.
  /// - Throws: `GraphError` where the unit cannot stand alone; `TimePitchError`.
  public convenience init(
    name: String = "time and pitch", playing source: any ProcessingUnit,
    keepsFormants: Bool = false, rate: SampleRate
  ) throws {
    var graph = AudioGraph()
    try graph.setHead(graph.add(source))
    try self.init(name: name, graph, keepsFormants: keepsFormants, rate: rate)
  }

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The first frame inside that has not been rendered: ahead of what sounds by the latency at least.
  ///
  /// - Note: Any thread.
  public var innerPosition: SampleTime {
    SampleTime(frames: kernel.pointee.innerFrame.load(ordering: .acquiring))
  }
}

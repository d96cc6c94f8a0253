// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Glibc
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An output of a JACK client, with a port for each channel of a plan.
///
/// The server's thread renders in cycles of any length. If a cycle ends inside a quantum of 64
/// frames, the rest of the quantum is played in the next cycle. Frames are converted to host time
/// by the server's clock. While the server renders faster than real time (JACK's freewheel mode),
/// the plan does so too, and all events are played.
///
/// - Note: Control side only, unless stated otherwise.
public final class JACKOutputUnit: OutputUnit {
  /// The client that owns the ports.
  public let client: JACKClient
  /// The sound format: the server's sample rate, with one channel for each port.
  public let format: AudioFormat
  /// The number of frames per cycle when the unit was created; the server may change it at any
  /// time.
  public let periodFrames: Int

  let duty: OutputDuty
  private var plan: RenderPlan?
  private var isStarted = false
  private var hurry: (@Sendable () -> Void)?

  /// Creates an output, whose ports appear when it is started.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - channelCount: The number of ports, 1…64; 2 by default. Ignored if `channels` is given.
  ///   - target: The ports to connect to; those of the sound card by default.
  ///   - channels: The channels of the target on which the plan's channels are played; nil (the
  ///     default) for the first ones.
  ///   - labels: The beginning of each port's name; the target's channel number, from 1, is added.
  ///     Channels without a label have `out`, as in `out_1`.
  ///   - ahead: The minimum number of frames by which events are sent ahead; 0 by default. Use it
  ///     if the server's cycles may become longer.
  public init(
    on client: JACKClient, channelCount: Int = 2, to target: JACKTarget = .physical,
    channels: ChannelMap? = nil, labels: [String] = [], ahead: Int = 0
  ) {
    let channels = channels ?? ChannelMap(channelCount: channelCount)
    self.client = client
    format = AudioFormat(rate: client.rate, channelCount: channels.channelCount)
    periodFrames = max(client.bufferFrames, ahead)
    duty = OutputDuty(
      channels, labels: labels, target: target, rate: client.rate)
  }

  deinit { stop(draining: false) }

  /// The latency of the unit in frames: one cycle, because a frame leaves in the cycle in which it
  /// is rendered.
  ///
  /// The latency of the server and the card is included in the delay of `clock`, not here.
  public var latency: Int { periodFrames }

  /// The first frame that has not been rendered yet.
  ///
  /// - Note: Any thread.
  public var position: SampleTime {
    SampleTime(frames: duty.position.load(ordering: .acquiring))
  }

  /// The relation of the output's frames to host time; nil before the first cycle.
  ///
  /// - Note: One thread at a time.
  public var clock: SampleClock? { duty.clock.read() }

  /// The latency in frames of the server and the devices behind it, as the server reports it.
  ///
  /// - Note: Any thread.
  public var playbackLatency: Int { duty.latency.load(ordering: .relaxed) }

  /// The number of xruns that the server has reported.
  ///
  /// - Note: Any thread.
  public var xrunCount: Int { client.xrunCount }

  /// The number of samples that were NaN or infinite, and were replaced by silence.
  ///
  /// - Note: Any thread.
  public var faultySampleCount: Int {
    duty.faultySampleCount.load(ordering: .relaxed) + (plan?.faultySampleCount ?? 0)
  }

  /// True while the client waits for a server that has disappeared; `position` then does not
  /// advance.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { client.isAway }

  /// The error because of which the output stopped; nil while it works.
  ///
  /// - Note: Any thread.
  public var fault: (any Error)? { client.failure }

  /// Sets a closure that emits events up to the output's position; it is called in cycles that are
  /// faster than real time.
  ///
  /// - Precondition: The output has not been started.
  public func catchUp(by hurry: @escaping @Sendable () -> Void) {
    precondition(!isStarted, "set this before the output is started")
    self.hurry = hurry
  }

  /// Returns a sink for a MIDI port of the same client, whose events have the time of this output,
  /// exact to the frame; nil for other sinks.
  public func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? {
    (sink as? JACKOutputPort)?.sink(on: self)
  }

  /// Registers and connects the ports, and starts to render a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - frame: The number of the first frame, a multiple of the quantum; 0 by default.
  /// - Precondition: Called once; the plan's output has the channels of `format`.
  /// - Throws: `JACKError` if the ports cannot be created or connected.
  public func start(
    _ plan: RenderPlan, at frame: SampleTime = .zero
  ) throws(JACKError) {
    precondition(
      plan.output.channelCount == format.channelCount,
      "the channel counts of plan and output must match")
    precondition(!isStarted, "an output can only be started once")
    isStarted = true
    self.plan = plan
    duty.render(plan, from: frame.frames, hurry: hurry)
    try client.add(duty)
  }

  /// Stops playing and removes the ports.
  ///
  /// - Parameter draining: True to play all frames that were rendered; false to cut the sound off
  ///   within a cycle.
  public func stop(draining: Bool) {
    guard plan != nil else { return }
    if draining, !client.isAway, client.failure == nil {
      let frames = Int64(playbackLatency + client.bufferFrames)
      let time = client.rate.timeRoundedUp(of: SampleTime(frames: frames)).nanoseconds
      DeadlineWait.sleep(until: DeadlineWait.now + min(time, Self.longestDrain))
    }
    client.remove(duty)
    duty.end()
    plan = nil
  }

  private static let longestDrain: Int64 = 2_000_000_000
}

// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Glibc
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An output of a client of JACK: a port for each channel of a plan.
///
/// The server's thread renders, in the server's turns, however long those are; what a turn leaves of
/// a quantum of 64 frames begins the next. The server's own times say where frames lie. While the
/// server renders faster than real time (freewheel), so does the plan, and no event is missed.
///
/// - Note: Control side only, but for what says otherwise.
public final class JACKOutputUnit: OutputUnit {
  /// The client whose ports it has.
  public let client: JACKClient
  /// The server's rate, and a channel for each port.
  public let format: AudioFormat
  /// The frames of one turn when the unit was made; a server may take another number at any time.
  public let periodFrames: Int

  let duty: OutputDuty
  private var plan: RenderPlan?
  private var isStarted = false
  private var hurry: (@Sendable () -> Void)?

  /// Makes an output; its ports appear when it is started.
  ///
  /// - Parameters:
  ///   - client: the client.
  ///   - channelCount: the ports, 1…64; those of `channels` where that is given.
  ///   - target: what they are connected to.
  ///   - channels: which channels of the target the plan's go to; nil for the first.
  ///   - labels: for each channel what its port is called before the target's number, from 1; `out`
  ///     where there is none: `out_1` and so on.
  ///   - ahead: the least frames for which events are to be sent ahead, where a server is to be
  ///     expected to take longer turns later.
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

  /// One turn: a frame leaves in the turn in which it is rendered.
  ///
  /// What the server and the card hold besides is in the clock's delay.
  public var latency: Int { periodFrames }

  /// The first frame that has not been rendered.
  ///
  /// - Note: Any thread.
  public var position: SampleTime {
    SampleTime(frames: duty.position.load(ordering: .acquiring))
  }

  /// Where its frames stand in host time; nil before the first turn.
  ///
  /// - Note: One thread at a time, any.
  public var clock: SampleClock? { duty.clock.read() }

  /// The frames that the server and what is behind it hold, as they report them.
  ///
  /// - Note: Any thread.
  public var playbackLatency: Int { duty.latency.load(ordering: .relaxed) }

  /// How often the server said that somebody was too slow.
  ///
  /// - Note: Any thread.
  public var xrunCount: Int { client.xrunCount }

  /// Samples that were not numbers and became silence.
  ///
  /// - Note: Any thread.
  public var faultySampleCount: Int {
    duty.faultySampleCount.load(ordering: .relaxed) + (plan?.faultySampleCount ?? 0)
  }

  /// Whether the server is gone and its return is waited for; `position` stands still.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { client.isAway }

  /// Why nothing sounds any more; nil while it does.
  ///
  /// - Note: Any thread.
  public var fault: (any Error)? { client.failure }

  /// Takes what brings events up to the position before each turn that is faster than real time.
  public func catchUp(by hurry: @escaping @Sendable () -> Void) {
    precondition(!isStarted, "set this before the output is started")
    self.hurry = hurry
  }

  /// A MIDI port of the same client, at this output's frames: in line to the sample.
  public func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? {
    (sink as? JACKOutputPort)?.sink(on: self)
  }

  /// Registers and connects the ports, and renders a plan from a frame on, the first of a quantum.
  ///
  /// - Precondition: called once; the plan's output has the channels of the format.
  /// - Throws: `JACKError`.
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

  /// Stops and returns when the ports are gone.
  ///
  /// - Parameter draining: whether what was rendered is heard to its end first; otherwise the sound
  ///   is cut within a turn.
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

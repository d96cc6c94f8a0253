// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Glibc
public import MusicalTime
public import Realtime
internal import Synchronization

/// An output on an ALSA device: asks a plan for sound, in quanta, and writes periods.
///
/// A thread of its own renders, with a first-in-first-out priority where the system allows one. It
/// never waits inside a plugin: where the device is a sound server's or a file, a second thread
/// writes what the first has rendered. Reference time is the count of frames rendered: after an
/// xrun the song goes on where it stopped.
///
/// - Note: Control side only, but for what says otherwise.
public final class ALSAOutputUnit: OutputUnit {
  /// What is asked of a device.
  public struct Wishes: Hashable, Sendable {
    /// The device, such as `default`, `hw:0,0`, `plughw:0,0` or `null`; `default` by default.
    public var device = "default"
    /// The samples in a frame, 1…64, which the device must have; by default 2, or what the graph's head has.
    public var channelCount = 2
    /// Which of the device's channels the plan's go to, of a device that may have more; nil for
    /// `channelCount` channels in their order, and no others; nil by default.
    ///
    /// The device is asked for the fewest channels that it has and that are enough.
    public var channels: ChannelMap?
    /// The frames in a period, 16…65 536; the device may take another; 256 by default.
    public var periodFrames = 256
    /// The periods in the buffer, 2…64; the device may take another; 4 by default.
    public var periodCount = 4
    /// To how many periods the buffer may grow where the device runs dry, 0…64: at every second xrun it
    /// is made twice as long; 0, for never, by default.
    public var mostPeriods = 0
    /// How many seconds a device that went away is waited for, 0…3600; the music waits with it; 0
    /// by default.
    public var patience = 0
    /// The priority of the render thread, 1…99; 70 by default.
    public var priority: Int32 = 70

    /// Creates the ordinary wishes.
    public init() {}
  }

  /// The device's name.
  public let device: String
  /// The format of what it plays: the device's, with the channels of the plan alone.
  public let format: AudioFormat
  /// The channels that the device has been opened with.
  public var deviceChannelCount: Int { agreement.channelCount }
  /// The frames the device takes at a time, as it says itself.
  public let periodFrames: Int
  /// The frames the device's buffer holds, as it says itself; more after xruns, where it may grow.
  ///
  /// - Note: Any thread.
  public var bufferFrames: Int { status.bufferFrames.load(ordering: .acquiring) }
  /// Whether a second thread writes to the device, since a write may take its time.
  public let hasWriter: Bool

  private let agreement: PCMAgreement
  private let channels: ChannelMap
  private let priority: Int32
  private let patience: Int
  private let mostPeriods: Int
  private let status: StreamStatus
  private var pcm: PCMHandle?
  private var thread: RealtimeThread?
  private var queue: PeriodQueue?
  private var writer: RealtimeThread?
  private var plan: RenderPlan?

  /// Opens a device and agrees with it on format, rate and buffer.
  ///
  /// - Throws: `DeviceError`.
  public init(
    rate: SampleRate = .hertz48000, wishes: Wishes = Wishes()
  ) throws(DeviceError) {
    guard (1...64).contains(wishes.channelCount) else {
      throw .unsuitable(wishes.device, lack: "\(wishes.channelCount) channels")
    }
    let pcm = try PCMHandle(wishes.device)
    agreement = try pcm.negotiate(
      hertz: Int(rate.hertz),
      channels: wishes.channels.map { .atLeast($0.leastDeviceChannels) }
        ?? .exactly(wishes.channelCount),
      periodFrames: min(65_536, max(16, wishes.periodFrames)),
      periodCount: min(64, max(2, wishes.periodCount)))
    hasWriter = pcm.mayBlock
    device = wishes.device
    priority = min(99, max(1, wishes.priority))
    patience = min(3600, max(0, wishes.patience))
    channels = wishes.channels ?? ChannelMap(channelCount: wishes.channelCount)
    format = AudioFormat(rate: rate, channelCount: channels.channelCount)
    periodFrames = agreement.periodFrames
    mostPeriods = min(64, max(0, wishes.mostPeriods))
    status = StreamStatus(bufferFrames: agreement.bufferFrames)
    self.pcm = consume pcm
  }

  deinit {
    stop(draining: false)
  }

  /// Starts rendering a plan from a frame on, which is the first of a quantum.
  ///
  /// - Precondition: called once; the plan's output has the channels of the format.
  /// - Throws: `DeviceError.cannotStart` where no thread can be had.
  public func start(
    _ plan: RenderPlan, at frame: SampleTime = .zero
  ) throws(DeviceError) {
    precondition(
      plan.output.channelCount == format.channelCount,
      "the channel counts of plan and device must match")
    guard let pcm = pcm.take() else { preconditionFailure("an output can only be started once") }
    self.plan = plan
    let renderer = PeriodRenderer(plan, agreement, channels, status, from: frame.frames)
    do {
      let queue = hasWriter ? try PeriodQueue(byteCount: agreement.periodBytes) : nil
      let stream = OutputStream(
        pcm, agreement: agreement, rate: format.rate, renderer: renderer, queue: queue,
        status: status, from: frame.frames, mostPeriods: mostPeriods, patience: patience)
      StreamClock.begin(
        RunningStream(device, .playback, rate: format.rate, agreement, status.listed))
      guard let queue else {
        thread = try RealtimeThread(name: "render", priority: priority) { stream.run() }
        return
      }
      self.queue = queue
      writer = try RealtimeThread(name: "writer", priority: max(1, priority - 1)) { stream.run() }
      thread = try RealtimeThread(name: "render", priority: priority) { renderer.run(into: queue) }
    } catch {
      status.listed.end()
      throw .cannotStart(device, reason: error.description)
    }
  }

  /// Stops and returns when the device is silent.
  ///
  /// - Parameter draining: whether what was rendered is played to its end first; otherwise the
  ///   sound is cut within a period, or 100 ms where the device has stopped taking any. A plugin
  ///   that does not return from a write is left to itself.
  public func stop(draining: Bool) {
    guard thread != nil || writer != nil else { return }
    // What another thread renders is all in the queue before it is drained.
    queue?.close()
    if writer != nil { thread?.join() }
    status.order = draining ? .drain : .drop
    queue?.wake()
    if writer == nil { thread?.join() } else if hasWritten(draining) { writer?.join() }
    (thread, writer, queue) = (nil, nil, nil)
    status.listed.end()
  }

  /// Waits for the thread that writes, as long as it may take; whether it has ended.
  private func hasWritten(_ draining: Bool) -> Bool {
    let buffered = Int64(latency) * 1_000_000_000 / Int64(format.rate.hertz)
    let deadline =
      DeadlineWait.now + (draining ? buffered + Self.drainingLimit : Self.droppingLimit)
    while !status.hasEnded.load(ordering: .acquiring), DeadlineWait.now < deadline { usleep(1_000) }
    return status.hasEnded.load(ordering: .acquiring)
  }

  private static let drainingLimit: Int64 = 5_000_000_000
  private static let droppingLimit: Int64 = 150_000_000

  /// How the render thread is scheduled; nil before the start and after the stop.
  public var scheduling: RealtimeThread.Scheduling? { thread?.scheduling }

  /// How many frames `position`, when it moves, is ahead of the frame that leaves the buffer: the
  /// buffer, which is full then, and what was rendered and waits to be written.
  public var latency: Int { bufferFrames + periodFrames * (hasWriter ? PeriodQueue.capacity : 1) }

  /// The first frame that has not been rendered.
  ///
  /// - Note: Any thread.
  public var position: SampleTime {
    SampleTime(frames: status.position.load(ordering: .acquiring))
  }

  /// Where its frames stand in host time, by the device's own pace; nil before the first period.
  ///
  /// - Note: One thread at a time, any.
  public var clock: SampleClock? { status.clock.read() }

  /// How often the device ran out of sound and was started anew.
  ///
  /// - Note: Any thread.
  public var xrunCount: Int { status.xrunCount.load(ordering: .relaxed) }

  /// Samples that were above full scale and were brought down to it.
  ///
  /// - Note: Any thread.
  public var clampedSampleCount: Int { status.clampedSampleCount.load(ordering: .relaxed) }

  /// Samples that were not numbers and became silence.
  ///
  /// - Note: Any thread.
  public var faultySampleCount: Int {
    status.faultySampleCount.load(ordering: .relaxed) + (plan?.faultySampleCount ?? 0)
  }

  /// Whether the device is gone and its return is waited for; `position` stands still.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { status.isAway.load(ordering: .relaxed) }

  /// The same as `failure`, for whoever knows the unit as an `OutputUnit`.
  ///
  /// - Note: Any thread.
  public var fault: (any Error)? { failure }

  /// Why the device takes no more sound; nil while it does.
  ///
  /// - Note: Any thread.
  public var failure: DeviceError? {
    let code = status.failure.load(ordering: .acquiring)
    guard code != 0 else { return nil }
    return status.hasPlayed.load(ordering: .relaxed)
      ? .lost(device, code: code)
      : .cannotOpen(device, step: "play", code: code, words: FileDevice.trouble(of: device))
  }
}

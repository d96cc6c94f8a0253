// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Glibc
public import MusicalTime
public import Realtime
internal import Synchronization

/// An output to an ALSA device, which renders a plan in quanta and writes periods.
///
/// A separate thread renders, with real-time priority if the system allows it. If writing to the
/// device may block, as for a sound server or a file, a second thread writes the rendered periods.
/// Reference time counts rendered frames, so after an xrun the song continues from the position at
/// which it stopped.
///
/// - Note: Control side only, unless stated otherwise.
public final class ALSAOutputUnit: OutputUnit {
  /// The settings that a program requests from a device.
  public struct Wishes: Hashable, Sendable {
    /// The ALSA name of the device, such as `default`, `hw:0,0`, `plughw:0,0` or `null`; `default`
    /// by default.
    public var device = "default"
    /// The number of channels, 1…64; 2 by default.
    ///
    /// The device must support it.
    public var channelCount = 2
    /// The channels of the device on which the plan's channels are played.
    ///
    /// If nil (the default), `channelCount` channels are played in order. Otherwise the device is
    /// opened with the smallest number of channels that includes all of them.
    public var channels: ChannelMap?
    /// The number of frames per period, 16…65 536; 256 by default.
    ///
    /// The device may use a different number.
    public var periodFrames = 256
    /// The number of periods in the buffer, 2…64; 4 by default.
    ///
    /// The device may use a different number.
    public var periodCount = 4
    /// The maximum number of periods to which the buffer may grow, 0…64.
    ///
    /// If 0 (the default), the buffer does not grow.
    ///
    /// At every second xrun the buffer is doubled, up to this number.
    public var mostPeriods = 0
    /// The time in seconds to wait for a device that is unplugged, 0…3600; 0 by default.
    ///
    /// The music pauses in the meantime.
    public var patience = 0
    /// The real-time priority of the render thread, 1…99; 70 by default.
    public var priority: Int32 = 70

    /// Creates the default settings.
    public init() {}
  }

  /// The ALSA name of the device.
  public let device: String
  /// The sound format: the sample rate of the device, with the channels of the plan.
  public let format: AudioFormat
  /// The number of channels with which the device was opened.
  public var deviceChannelCount: Int { agreement.channelCount }
  /// The number of frames per period that the device uses.
  public let periodFrames: Int
  /// The number of frames in the device's buffer, which may grow after xruns.
  ///
  /// - Note: Any thread.
  public var bufferFrames: Int { status.bufferFrames.load(ordering: .acquiring) }
  /// True if a second thread writes to the device, because a write may block.
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

  /// Opens a device, and sets its format, rate and buffer.
  ///
  /// - Throws: `DeviceError` if the device cannot be opened or does not support the settings.
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

  /// Starts to render a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - frame: The number of the first frame, a multiple of the quantum; 0 by default.
  /// - Precondition: Called once; the plan's output has the channels of `format`.
  /// - Throws: `DeviceError.cannotStart` if a thread cannot be started.
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

  /// Stops the output, and waits until the device is silent.
  ///
  /// - Parameter draining: True to play all frames that were rendered. If false, the sound is cut
  ///   off within a period, or within 100 ms if the device does not accept data. In both cases, the
  ///   function does not wait for an ALSA plugin that is blocked.
  public func stop(draining: Bool) {
    guard thread != nil || writer != nil else { return }
    // A rendering thread must have put everything into the queue before it is drained.
    queue?.close()
    if writer != nil { thread?.join() }
    status.order = draining ? .drain : .drop
    queue?.wake()
    if writer == nil { thread?.join() } else if hasWritten(draining) { writer?.join() }
    (thread, writer, queue) = (nil, nil, nil)
    status.listed.end()
  }

  /// Waits for the writing thread, up to a limit; true if it has ended.
  private func hasWritten(_ draining: Bool) -> Bool {
    let buffered = Int64(latency) * 1_000_000_000 / Int64(format.rate.hertz)
    let deadline =
      DeadlineWait.now + (draining ? buffered + Self.drainingLimit : Self.droppingLimit)
    while !status.hasEnded.load(ordering: .acquiring), DeadlineWait.now < deadline { usleep(1_000) }
    return status.hasEnded.load(ordering: .acquiring)
  }

  private static let drainingLimit: Int64 = 5_000_000_000
  private static let droppingLimit: Int64 = 150_000_000

  /// The scheduling of the render thread; nil before the start and after the stop.
  public var scheduling: RealtimeThread.Scheduling? { thread?.scheduling }

  /// The latency of the output in frames: the full buffer, and the periods that wait to be written
  /// to it.
  ///
  /// This is the value just after a period was rendered.
  public var latency: Int { bufferFrames + periodFrames * (hasWriter ? PeriodQueue.capacity : 1) }

  /// The first frame that has not been rendered yet.
  ///
  /// - Note: Any thread.
  public var position: SampleTime {
    SampleTime(frames: status.position.load(ordering: .acquiring))
  }

  /// The relation of the output's frames to host time, as measured on the device; nil before the
  /// first period.
  ///
  /// - Note: One thread at a time.
  public var clock: SampleClock? { status.clock.read() }

  /// The number of times that the device ran out of sound and was restarted.
  ///
  /// - Note: Any thread.
  public var xrunCount: Int { status.xrunCount.load(ordering: .relaxed) }

  /// The number of samples that were above full scale, and were limited to it.
  ///
  /// - Note: Any thread.
  public var clampedSampleCount: Int { status.clampedSampleCount.load(ordering: .relaxed) }

  /// The number of samples that were NaN or infinite, and were replaced by silence.
  ///
  /// - Note: Any thread.
  public var faultySampleCount: Int {
    status.faultySampleCount.load(ordering: .relaxed) + (plan?.faultySampleCount ?? 0)
  }

  /// True while the output waits for a device that was unplugged; `position` then does not advance.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { status.isAway.load(ordering: .relaxed) }

  /// The error because of which the output stopped; equal to `failure`.
  ///
  /// - Note: Any thread.
  public var fault: (any Error)? { failure }

  /// The error because of which the device does not accept sound any more; nil while it works.
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

// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime
public import Realtime
internal import Synchronization

/// The head of a graph on an ALSA device: asks a plan for sound, in quanta, and writes periods.
///
/// A thread of its own renders, with a first-in-first-out priority where the system allows one.
/// Reference time is the count of frames rendered: after an xrun the song goes on where it
/// stopped.
///
/// - Note: Control side only, but for what says otherwise.
public final class ALSAOutputUnit: OutputUnit {
  /// What is asked of a device.
  public struct Wishes: Hashable, Sendable {
    /// The device, such as `default`, `hw:0,0`, `plughw:0,0` or `null`.
    public var device = "default"
    /// The frames in a period, 16…65 536; the device may take another.
    public var periodFrames = 256
    /// The periods in the buffer, 2…64; the device may take another.
    public var periodCount = 4
    /// How many seconds a device that went away is waited for, 0…3600; the music waits with it.
    public var patience = 0
    /// The priority of the render thread, 1…99.
    public var priority: Int32 = 70

    /// Creates the ordinary wishes.
    public init() {}
  }

  /// The device's name.
  public let device: String
  /// What the device takes.
  public let format: AudioFormat
  /// The frames it takes at a time, as it said itself.
  public let periodFrames: Int
  /// The frames its buffer holds, as it said itself.
  public let bufferFrames: Int
  /// How it takes a sample: `float`, `32` or `16`.
  public var sampleFormatName: String { agreement.format.rawValue }

  private let agreement: PCMAgreement
  private let priority: Int32
  private let patience: Int
  private let status = StreamStatus()
  private var pcm: PCMHandle?
  private var thread: RealtimeThread?
  private var plan: RenderPlan?

  /// Opens a device and agrees with it on format, rate and buffer.
  ///
  /// - Throws: `DeviceError`.
  public init(rate: SampleRate, wishes: Wishes = Wishes()) throws(DeviceError) {
    let pcm = try PCMHandle(wishes.device)
    agreement = try pcm.negotiate(
      hertz: Int(rate.hertz), channelCount: 2,
      periodFrames: min(65_536, max(16, wishes.periodFrames)),
      periodCount: min(64, max(2, wishes.periodCount)))
    device = wishes.device
    priority = min(99, max(1, wishes.priority))
    patience = min(3600, max(0, wishes.patience))
    format = AudioFormat(rate: rate, channelCount: 2)
    periodFrames = agreement.periodFrames
    bufferFrames = agreement.bufferFrames
    self.pcm = consume pcm
  }

  deinit {
    stop(draining: false)
  }

  /// Starts rendering a plan from frame 0.
  ///
  /// - Precondition: called once; the plan's output is stereo.
  /// - Throws: `DeviceError.cannotStart` where no thread can be had.
  public func start(_ plan: RenderPlan) throws(DeviceError) {
    precondition(plan.output.channelCount == format.channelCount, "a device takes its own format")
    guard let pcm = pcm.take() else { preconditionFailure("an output is started once") }
    self.plan = plan
    let stream = OutputStream(pcm, agreement, plan, status, patience: patience)
    do {
      thread = try RealtimeThread(name: "render", priority: priority) { stream.run() }
    } catch {
      throw .cannotStart(device, reason: error.description)
    }
  }

  /// Stops and returns when the device is silent.
  ///
  /// - Parameter draining: whether what was rendered is played to its end first; otherwise the
  ///   sound is cut within a period, or 100 ms where the device has stopped taking any.
  public func stop(draining: Bool) {
    guard let thread else { return }
    let order = draining ? StreamStatus.Order.drain : .drop
    status.order.store(order.rawValue, ordering: .releasing)
    thread.join()
    self.thread = nil
  }

  /// How the render thread is scheduled; nil before the start and after the stop.
  public var scheduling: RealtimeThread.Scheduling? { thread?.scheduling }

  /// Frames from the one that is heard when `position` moves to that position: the buffer, which is
  /// full then, and the period that was rendered and waits to be written.
  public var latency: Int { bufferFrames + periodFrames }

  /// The first frame that has not been rendered.
  ///
  /// - Note: Any thread.
  public var position: SampleTime {
    SampleTime(frames: status.position.load(ordering: .acquiring))
  }

  /// When that position was reached, or a later one was.
  ///
  /// - Note: Any thread.
  public var positionTime: HostTime {
    HostTime(nanoseconds: status.positionTime.load(ordering: .relaxed))
  }

  /// Frames between the one written next and the one that sounds, as the device said last.
  ///
  /// - Note: Any thread.
  public var delay: Int { status.delay.load(ordering: .relaxed) }

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
    return code == 0 ? nil : .lost(device, code: code)
  }
}

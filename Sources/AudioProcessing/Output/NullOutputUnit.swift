// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An output without a device, which renders in real time or as fast as possible.
///
/// - Note: Use the output on one thread at a time, but not on the render thread, unless stated
///   otherwise.
public final class NullOutputUnit: OutputUnit {
  /// The format of the sound.
  public let format: AudioFormat
  /// The number of frames that are rendered at a time.
  public let periodFrames: Int
  /// True to render in real time; false to render as fast as possible.
  public let isPaced: Bool
  private let status = Status()
  private var thread: RealtimeThread?

  private final class Status: Sendable {
    let stops = Atomic(false)
    let position = Atomic<Int64>(0)
    let late = Atomic<Int>(0)
    let clock = Snapshot<SampleClock?>(nil)
  }

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - format: the format of the sound.
  ///   - periodFrames: the number of frames rendered at a time, limited to 64…65 536 and rounded up
  ///     to whole quanta.
  ///   - isPaced: true to render in real time; false to render as fast as possible.
  public init(format: AudioFormat, periodFrames: Int = 256, isPaced: Bool = true) {
    let quantum = AudioFormat.quantum
    self.format = format
    self.periodFrames = (min(65_536, max(quantum, periodFrames)) + quantum - 1) / quantum * quantum
    self.isPaced = isPaced
  }

  deinit {
    stop(draining: false)
  }

  /// 0 frames, because nothing is played.
  public var latency: Int { 0 }

  /// The first frame that is not rendered yet.
  ///
  /// - Note: Any thread.
  public var position: SampleTime {
    SampleTime(frames: status.position.load(ordering: .acquiring))
  }

  /// The relation of frames to host time; nil before the first period.
  ///
  /// - Note: Any thread, but only one at a time.
  public var clock: SampleClock? { status.clock.read() }

  /// The number of periods that were completed late; on a device these would be underruns.
  ///
  /// - Note: Any thread.
  public var latePeriodCount: Int { status.late.load(ordering: .relaxed) }

  /// Always nil: the output cannot fail.
  public var fault: (any Error)? { nil }

  /// Starts to render a plan at a frame, which must be a multiple of 64.
  ///
  /// - Precondition: called once; the plan has the channel count of the format.
  /// - Throws: `RealtimeError.cannotStartThread`.
  public func start(_ plan: RenderPlan, at frame: SampleTime = .zero) throws {
    precondition(
      plan.output.channelCount == format.channelCount,
      "the channel counts of plan and output must match")
    precondition(thread == nil, "an output can only be started once")
    let status = status
    status.position.store(frame.frames, ordering: .releasing)
    let frames = Int64(periodFrames)
    let (rate, isPaced) = (format.rate, isPaced)
    thread = try RealtimeThread(name: "render", priority: 70) {
      Self.run(plan, status, frames: frames, rate: rate, isPaced: isPaced)
    }
  }

  /// Stops the output, and returns when the thread has ended.
  ///
  /// - Parameter draining: ignored, because nothing is played.
  public func stop(draining: Bool) {
    guard let thread else { return }
    status.stops.store(true, ordering: .releasing)
    thread.join()
    self.thread = nil
  }

  private static func run(
    _ plan: RenderPlan, _ status: Status, frames: Int64, rate: SampleRate, isPaced: Bool
  ) {
    var follower = PeriodFollower(nominalRate: rate)
    var origin = HostTime(nanoseconds: DeadlineWait.now)
    var start = status.position.load(ordering: .acquiring)
    var end = start
    while !status.stops.load(ordering: .acquiring) {
      let due = origin.advanced(
        saturating: rate.timeRoundedUp(of: SampleTime(frames: end - start)).nanoseconds)
      for frame in stride(from: end, to: end + frames, by: AudioFormat.quantum) {
        plan.render(at: SampleTime(frames: frame))
      }
      end += frames
      follower.update(frames: end, at: isPaced ? due : HostTime(nanoseconds: DeadlineWait.now))
      status.clock.write(SampleClock(follower, delay: 0))
      status.position.store(end, ordering: .releasing)
      guard isPaced else { continue }
      let next = origin.advanced(
        saturating: rate.timeRoundedUp(of: SampleTime(frames: end - start)).nanoseconds)
      let now = HostTime(nanoseconds: DeadlineWait.now)
      if now > next {
        status.late.add(1, ordering: .relaxed)
        (origin, start) = (now, end)
        follower.reset()
      }
      DeadlineWait.sleep(until: next.nanoseconds)
    }
  }
}

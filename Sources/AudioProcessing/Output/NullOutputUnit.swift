// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An output without a device: it renders in real time, or as fast as it goes.
///
/// - Note: Control side only, but for what says otherwise.
public final class NullOutputUnit: OutputUnit {
  /// The format of what is rendered.
  public let format: AudioFormat
  /// The frames that are rendered at a time.
  public let periodFrames: Int
  /// Whether a period is rendered when its time has come; otherwise, at once.
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
  ///   - format: what is rendered.
  ///   - periodFrames: the frames rendered at a time, rounded up to whole quanta, 64…65 536.
  ///   - isPaced: false renders as fast as it goes.
  public init(format: AudioFormat, periodFrames: Int = 256, isPaced: Bool = true) {
    let quantum = AudioFormat.quantum
    self.format = format
    self.periodFrames = (min(65_536, max(quantum, periodFrames)) + quantum - 1) / quantum * quantum
    self.isPaced = isPaced
  }

  deinit {
    stop(draining: false)
  }

  /// 0 frames, since nothing is ever heard.
  public var latency: Int { 0 }

  /// The first frame that has not been rendered.
  ///
  /// - Note: Any thread.
  public var position: SampleTime {
    SampleTime(frames: status.position.load(ordering: .acquiring))
  }

  /// Where its frames stand in host time; nil before the first period.
  ///
  /// - Note: One thread at a time, any.
  public var clock: SampleClock? { status.clock.read() }

  /// Periods that were not done when the next was due: on a device they would have been gaps.
  ///
  /// - Note: Any thread.
  public var latePeriodCount: Int { status.late.load(ordering: .relaxed) }

  /// It never fails.
  public var fault: (any Error)? { nil }

  /// Starts rendering a plan from a frame on, which is the first of a quantum.
  ///
  /// - Precondition: called once; the plan has as many channels as the format.
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

  /// Stops and returns when the thread has ended.
  ///
  /// - Parameter draining: has no effect, since nothing waits to be heard.
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

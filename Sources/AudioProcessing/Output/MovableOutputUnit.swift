// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An output that continues on another device if its device is lost.
///
/// A separate thread checks ten times per second if the device is available. While the device is
/// lost, the thread requests a replacement twice per second. The replacement continues with the
/// first frame that was not rendered; frames in the buffer of the lost device are not played. If
/// the lost device returns before a replacement is found, playback continues on this device. A
/// device that failed for another reason, such as a full disk, is not replaced.
///
/// - Note: Use the output on one thread at a time, but not on the render thread, unless stated
///   otherwise.
public final class MovableOutputUnit: OutputUnit, @unchecked Sendable {
  // Unchecked: all that the thread reads without the lock was set before it started.

  /// Opens a replacement for a lost output; returns nil if none is available now.
  ///
  /// The replacement has the same format, and periods that are not longer, and is not started. The
  /// closure is called on a separate thread of the output.
  public typealias Replacement = @Sendable (_ lost: any OutputUnit) -> (any OutputUnit)?

  /// The format of all devices.
  public let format: AudioFormat
  /// The maximum number of frames that are rendered at a time.
  public let periodFrames: Int

  private let replacement: Replacement
  private let state: Mutex<State>
  private let stops = Atomic(false)
  private var plan: RenderPlan?
  private var hurry: (@Sendable () -> Void)?
  private var thread: RealtimeThread?

  private struct State: @unchecked Sendable {
    // Unchecked: any thread may read the state of a unit; only one thread at a time replaces it.
    var unit: any OutputUnit
    /// True while the plan moves from one device to another.
    var isMoving = false
    /// True if ports use the device's frames, which is not possible with a replacement.
    var isTied = false
    /// The error of the replacement, if it could not be started.
    var fault: (any Error)?
    /// The xruns of earlier devices.
    var xrunCount = 0
  }

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - unit: the first device output, not started.
  ///   - replacement: opens a replacement if the device is lost.
  public init(_ unit: any OutputUnit, replacement: @escaping Replacement) {
    format = unit.format
    periodFrames = unit.periodFrames
    self.replacement = replacement
    nonisolated(unsafe) let first = unit
    state = unsafe Mutex(State(unit: first))
  }

  deinit {
    stop(draining: false)
  }

  /// The output of the current device.
  public var current: any OutputUnit { state.withLock { $0 }.unit }

  /// The number of frames between `position`, when it changes, and the frame that the device plays
  /// at that moment.
  public var latency: Int { current.latency }

  /// The first frame that is not rendered yet, counted continuously over all devices.
  ///
  /// - Note: Any thread.
  public var position: SampleTime { current.position }

  /// The relation of frames to host time (the computer's monotonic clock); nil before the current
  /// device has played its first frame.
  ///
  /// - Note: Any thread, but only one at a time.
  public var clock: SampleClock? { current.clock }

  /// The error that ended the output; nil if the output plays or waits for a device.
  ///
  /// - Note: Any thread.
  public var fault: (any Error)? {
    let state = state.withLock { $0 }
    return state.isMoving ? nil : state.fault ?? state.unit.fault
  }

  /// True while the device is lost and the output waits for it or for a replacement; `position`
  /// does not change.
  ///
  /// - Note: Any thread.
  public var isAway: Bool {
    let state = state.withLock { $0 }
    return state.isMoving || state.unit.isAway
  }

  /// The number of underruns on all devices.
  ///
  /// - Note: Any thread.
  public var xrunCount: Int {
    let state = state.withLock { $0 }
    return state.xrunCount + state.unit.xrunCount
  }

  /// Sets a function that sends events up to the current position, for devices that can render
  /// faster than real time.
  ///
  /// The function applies to all devices that this output uses. Call this method before `start`.
  public func catchUp(by hurry: @escaping @Sendable () -> Void) {
    self.hurry = hurry
    current.catchUp(by: hurry)
  }

  /// Returns a sink that sends the events of a port by the device's frame clock; nil if the device
  /// does not share its clock with ports.
  ///
  /// From then on the output does not change to another device.
  public func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? {
    let inLine = current.inLine(sink)
    if inLine != nil { state.withLock { $0.isTied = true } }
    return inLine
  }

  /// Starts to render a plan at a frame, which must be a multiple of 64.
  ///
  /// - Precondition: called once.
  /// - Throws: the error of the device; `RealtimeError` if a thread cannot be created.
  public func start(_ plan: RenderPlan, at frame: SampleTime = .zero) throws {
    self.plan = plan
    try current.start(plan, at: frame)
    thread = try RealtimeThread(name: "device", priority: nil) { [weak self] in
      Self.lookAfter { self }
    }
  }

  /// Stops the output, and returns when the device is silent.
  ///
  /// - Parameter draining: true to play frames that are already rendered to the end first.
  public func stop(draining: Bool) {
    stops.store(true, ordering: .releasing)
    // This thread itself may release the last reference.
    if let thread, !thread.isCurrent { thread.join() }
    thread = nil
    current.stop(draining: draining)
  }

  // MARK: A lost device

  /// The time between two checks, in nanoseconds.
  private static let lookPeriod: Int64 = 100_000_000
  /// A replacement is requested after this number of checks.
  private static let looksBetweenTries = 5

  /// Checks the device until the output is stopped or deallocated.
  private static func lookAfter(_ output: () -> MovableOutputUnit?) {
    var looks = 0
    while true {
      DeadlineWait.sleep(until: DeadlineWait.now + lookPeriod)
      guard let output = output(), !output.stops.load(ordering: .acquiring) else { return }
      looks = output.isLost ? looks + 1 : 0
      if looks % looksBetweenTries == 1 { output.move() }
    }
  }

  /// True if the device is lost and may be replaced.
  private var isLost: Bool {
    let state = state.withLock { $0 }
    return state.unit.isAway && !state.isTied && state.fault == nil
  }

  /// Continues on another device, if one is available.
  private func move() {
    let lost = current
    guard let plan, let next = replacement(lost), isLost, next.format == format,
      next.periodFrames <= periodFrames
    else { return }
    state.withLock { $0.isMoving = true }
    // Stop the lost device, because it may return now, and only one device may render.
    lost.stop(draining: false)
    if let hurry { next.catchUp(by: hurry) }
    var fault: (any Error)?
    do { try next.start(plan, at: lost.position) } catch { fault = error }
    nonisolated(unsafe) let unit = next
    state.withLock { state in
      state.xrunCount += lost.xrunCount
      unsafe state.unit = unit
      state.fault = fault
      state.isMoving = false
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An output that goes on with another device where its own is gone.
///
/// A thread of its own looks ten times a second whether the device is there. While it is away, another
/// is asked for twice a second and gets the plan, from the first frame that was not rendered on: what
/// the lost device still held is not heard. A device that is back before another is found goes on
/// itself. One that takes no more sound for another reason, such as a full disk, is not left.
///
/// - Note: Control side only, but for what says otherwise.
public final class MovableOutputUnit: OutputUnit, @unchecked Sendable {
  // Unchecked: what the thread reads without the lock was set before it began.

  /// Opens what is to take the place of a lost output: of its format, with periods no longer, and not
  /// started; nil where there is nothing of the kind now.
  ///
  /// It is called on the unit's own thread.
  public typealias Replacement = @Sendable (_ lost: any OutputUnit) -> (any OutputUnit)?

  /// The format of all devices that it plays on.
  public let format: AudioFormat
  /// The frames that are rendered at a time at most.
  public let periodFrames: Int

  private let replacement: Replacement
  private let state: Mutex<State>
  private let stops = Atomic(false)
  private var plan: RenderPlan?
  private var hurry: (@Sendable () -> Void)?
  private var thread: RealtimeThread?

  private struct State: @unchecked Sendable {
    // Unchecked: any thread may ask a unit for what it says of itself; one thread at a time moves.
    var unit: any OutputUnit
    /// Whether the plan is on its way from one device to another.
    var isMoving = false
    /// Whether ports are in line with the device, which they cannot be with another.
    var isTied = false
    /// Why no other device could be started.
    var fault: (any Error)?
    /// The xruns of the devices before.
    var xrunCount = 0
  }

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - unit: what it plays on first; not started.
  ///   - replacement: opens another.
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

  /// What it plays on now.
  public var current: any OutputUnit { state.withLock { $0 }.unit }

  /// How many frames `position`, when it moves, is ahead of the frame that leaves the buffer.
  public var latency: Int { current.latency }

  /// The first frame that has not been rendered, counted on from one device to the next.
  ///
  /// - Note: Any thread.
  public var position: SampleTime { current.position }

  /// Where its frames stand in host time; nil before the first has gone out on the device of now.
  ///
  /// - Note: One thread at a time, any.
  public var clock: SampleClock? { current.clock }

  /// Why nothing sounds any more; nil while it does, or another device is looked for.
  ///
  /// - Note: Any thread.
  public var fault: (any Error)? {
    let state = state.withLock { $0 }
    return state.isMoving ? nil : state.fault ?? state.unit.fault
  }

  /// Whether the device is gone, and its return or another is waited for; `position` stands still.
  ///
  /// - Note: Any thread.
  public var isAway: Bool {
    let state = state.withLock { $0 }
    return state.isMoving || state.unit.isAway
  }

  /// How often sound was lost because somebody was too slow, on all devices.
  ///
  /// - Note: Any thread.
  public var xrunCount: Int {
    let state = state.withLock { $0 }
    return state.xrunCount + state.unit.xrunCount
  }

  /// Takes what brings events up to the position, for every device that may hurry.
  ///
  /// To be called before the start.
  public func catchUp(by hurry: @escaping @Sendable () -> Void) {
    self.hurry = hurry
    current.catchUp(by: hurry)
  }

  /// A port's sink in the device's own frames; the output stays with such a device.
  public func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? {
    let inLine = current.inLine(sink)
    if inLine != nil { state.withLock { $0.isTied = true } }
    return inLine
  }

  /// Starts rendering a plan from a frame on, which is the first of a quantum.
  ///
  /// - Precondition: called once.
  /// - Throws: What the device throws; `RealtimeError` where no thread can be had.
  public func start(_ plan: RenderPlan, at frame: SampleTime = .zero) throws {
    self.plan = plan
    try current.start(plan, at: frame)
    thread = try RealtimeThread(name: "device", priority: nil) { [weak self] in
      Self.lookAfter { self }
    }
  }

  /// Stops and returns when the device is silent.
  ///
  /// - Parameter draining: whether what was rendered is played to its end first.
  public func stop(draining: Bool) {
    stops.store(true, ordering: .releasing)
    // The last reference may be given up by the thread itself.
    if let thread, !thread.isCurrent { thread.join() }
    thread = nil
    current.stop(draining: draining)
  }

  // MARK: A device that goes away

  /// How often is looked, in nanoseconds.
  private static let lookPeriod: Int64 = 100_000_000
  /// Every so many looks another device is asked for.
  private static let looksBetweenTries = 5

  /// Looks after the device until the output is stopped or gone.
  private static func lookAfter(_ output: () -> MovableOutputUnit?) {
    var looks = 0
    while true {
      DeadlineWait.sleep(until: DeadlineWait.now + lookPeriod)
      guard let output = output(), !output.stops.load(ordering: .acquiring) else { return }
      looks = output.isLost ? looks + 1 : 0
      if looks % looksBetweenTries == 1 { output.move() }
    }
  }

  /// Whether the device is away and another may take its place.
  private var isLost: Bool {
    let state = state.withLock { $0 }
    return state.unit.isAway && !state.isTied && state.fault == nil
  }

  /// Goes over to another device, if there is one.
  private func move() {
    let lost = current
    guard let plan, let next = replacement(lost), isLost, next.format == format,
      next.periodFrames <= periodFrames
    else { return }
    state.withLock { $0.isMoving = true }
    // What is back in this moment is stopped before another begins: one renders at a time.
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

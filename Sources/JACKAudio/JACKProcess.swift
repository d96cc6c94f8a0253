// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The callbacks of a client: the work of each cycle, and the notifications of its server.
///
/// The server calls them on its threads: `process` and the transport's on one, notifications on
/// another.
@safe
final class JACKProcess: @unchecked Sendable {
  // Unchecked: `table` and `client` are set while the client is not active; only `process` uses its
  // counters.

  /// The maximum number of duties of a client.
  static let capacity = 64

  /// The sample rate of the client; cycles at another rate are silent and not counted.
  let rate: SampleRate
  let hertz: Atomic<UInt32>
  let bufferFrames: Atomic<Int>
  let xrunCount = Atomic<Int>(0)
  /// The number of complete cycles.
  let turnCount = Atomic<UInt64>(0)
  let isFreewheeling = Atomic<Bool>(false)
  /// True if the server has reported that ports appeared or disappeared.
  let hasPortNews = Atomic<Bool>(false)
  /// True if the server has reported changed connections.
  let hasConnectionNews = Atomic<Bool>(false)
  /// True if the server has asked for latencies and reported them.
  let hasLatencyNews = Atomic<Bool>(false)
  /// True if the server has reported its end.
  let isShutDown = Atomic<Bool>(false)
  /// The thread of that report, by its number in the kernel; 0 before the report.
  private let messenger = Atomic<Int32>(0)
  /// The line from the client's frames to host time; nil before the first cycle and while the
  /// server is gone.
  let line = Snapshot<Timeline<SampleTime, HostTime>?>(nil)
  private let lineWriter: SnapshotWriter<Timeline<SampleTime, HostTime>?>
  /// Woken when the server is gone, or its ports have changed.
  let wait: DeadlineWait
  private let isInTurn = Atomic<Bool>(false)
  private let isTelling = Atomic<Int>(0)
  private let slots: UnsafeMutablePointer<Slot>
  private var table: UnsafePointer<CJACKTable>?
  private var client: OpaquePointer?
  private var clock: CycleClock

  @safe
  private struct Slot: ~Copyable {
    let duty = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  }

  init(rate: SampleRate, bufferFrames: Int) throws(RealtimeError) {
    self.rate = rate
    clock = CycleClock(hertz: rate.hertz)
    hertz = Atomic(rate.hertz)
    self.bufferFrames = Atomic(bufferFrames)
    wait = try DeadlineWait()
    lineWriter = line.writer
    unsafe slots = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { unsafe (slots + index).initialize(to: Slot()) }
  }

  deinit {
    unsafe slots.deinitialize(count: Self.capacity)
    unsafe slots.deallocate()
  }

  /// Sets the callbacks of a client that is not active.
  func serve(_ handle: JACKHandle) {
    unsafe (table, client) = unsafe (handle.table, handle.client)
    isShutDown.store(false, ordering: .relaxed)
    messenger.store(0, ordering: .relaxed)
    hertz.store(handle.hertz, ordering: .relaxed)
    bufferFrames.store(handle.bufferFrames, ordering: .relaxed)
    clock.isBroken = true
    let context = unsafe handle.context(for: self)
    unsafe Self.setCallbacks(handle.table, handle.client, context)
  }

  // MARK: Duties

  /// Adds a duty, which the caller must retain until it is removed; false if the list is full.
  func add(_ duty: JACKDuty) -> Bool {
    let address = unsafe Unmanaged.passUnretained(duty).toOpaque()
    for index in 0..<Self.capacity {
      let (isFree, _) = unsafe slots[index].duty.compareExchange(
        expected: nil, desired: address, ordering: .acquiringAndReleasing)
      if isFree { return true }
    }
    return false
  }

  /// Removes a duty; returns when the server's threads do not use it any more.
  func remove(_ duty: JACKDuty) {
    let address = unsafe Unmanaged.passUnretained(duty).toOpaque()
    for index in 0..<Self.capacity {
      _ = unsafe slots[index].duty.compareExchange(
        expected: address, desired: nil, ordering: .acquiringAndReleasing)
    }
    waitForTurn()
    let deadline = DeadlineWait.now + Self.longestWait
    while isTelling.load(ordering: .acquiring) > 0, DeadlineWait.now < deadline { usleep(200) }
  }

  /// The longest wait for a server that hangs in a cycle, in nanoseconds.
  private static let longestWait: Int64 = 1_000_000_000

  /// Waits until a cycle in progress has ended.
  func waitForTurn() {
    let turn = turnCount.load(ordering: .acquiring)
    let deadline = DeadlineWait.now + Self.longestWait
    while isInTurn.load(ordering: .acquiring), turnCount.load(ordering: .acquiring) == turn,
      DeadlineWait.now < deadline
    {
      usleep(200)
    }
  }

  /// Waits until the thread that reported the end of the server has ended.
  ///
  /// In JACK's library this thread also processes the end of other clients, and holds a global lock
  /// for it. Closing the client kills the thread. If it holds the lock then, the lock is never
  /// released, and no client can be opened again.
  func waitForMessenger() {
    let thread = ThreadNumber(messenger.load(ordering: .acquiring))
    guard thread.value != 0 else { return }
    let deadline = DeadlineWait.now + Self.longestWait
    while thread.runs, DeadlineWait.now < deadline { usleep(200) }
  }

  private func forEachDuty(_ body: (JACKDuty) -> Void) {
    for index in 0..<Self.capacity {
      guard let address = unsafe slots[index].duty.load(ordering: .acquiring) else { continue }
      unsafe Unmanaged<JACKDuty>.fromOpaque(address)._withUnsafeGuaranteedRef { body($0) }
    }
  }

  // MARK: Calls by the server

  /// Processes one cycle.
  ///
  /// - Note: Real-time safe.
  func process(_ frameCount: Int) {
    guard let table = unsafe table, let client = unsafe client else { return }
    isInTurn.store(true, ordering: .releasing)
    let runs = hertz.load(ordering: .relaxed) == rate.hertz
    let cycle = unsafe clock.begin(
      frameCount, table, client, isFreewheeling: isFreewheeling.load(ordering: .relaxed))
    guard !cycle.isRepeated else {
      if runs { forEachDuty { $0.processAgain(cycle) } }
      return isInTurn.store(false, ordering: .releasing)
    }
    if !cycle.isFreewheeling { lineWriter.write(cycle.line(at: cycle.frame)) }
    for order in 0...JACKDuty.Order.last.rawValue {
      for index in 0..<Self.capacity {
        guard let address = unsafe slots[index].duty.load(ordering: .acquiring) else { continue }
        unsafe Unmanaged<JACKDuty>.fromOpaque(address)._withUnsafeGuaranteedRef { duty in
          if duty.order.rawValue == order { runs ? duty.process(cycle) : duty.rest(cycle) }
        }
      }
    }
    if runs { clock.end(frameCount) }
    turnCount.add(1, ordering: .releasing)
    isInTurn.store(false, ordering: .releasing)
  }

  func tellLatency(_ mode: JackLatencyCallbackMode) {
    guard let table = unsafe table else { return }
    let library = unsafe JACKLibrary(table: table)
    isTelling.add(1, ordering: .acquiringAndReleasing)
    forEachDuty { $0.lookAtLatency(mode, library) }
    isTelling.subtract(1, ordering: .acquiringAndReleasing)
    hasLatencyNews.store(true, ordering: .releasing)
    wait.wake()
  }

  /// Removes the line, once the server's threads have ended.
  func forgetLine() { lineWriter.write(nil) }

  func tellPorts() {
    hasPortNews.store(true, ordering: .releasing)
    wait.wake()
  }

  func tellConnections() {
    hasConnectionNews.store(true, ordering: .releasing)
    wait.wake()
  }

  func shutDown() {
    messenger.store(ThreadNumber.current.value, ordering: .relaxed)
    isShutDown.store(true, ordering: .releasing)
    wait.wake()
  }

  private static func setCallbacks(
    _ table: UnsafePointer<CJACKTable>, _ client: OpaquePointer, _ context: UnsafeMutableRawPointer
  ) {
    let calls = unsafe table.pointee
    _ = unsafe calls.set_thread_init_callback(client, { _ in _ = DenormalFlush.begin() }, nil)
    _ = unsafe calls.set_process_callback(
      client,
      { count, context in
        unsafe JACKProcess.of(context) { $0.process(Int(count)) }
        return 0
      }, context)
    _ = unsafe calls.set_buffer_size_callback(
      client,
      { count, context in
        unsafe JACKProcess.of(context) { $0.bufferFrames.store(Int(count), ordering: .relaxed) }
        return 0
      }, context)
    _ = unsafe calls.set_sample_rate_callback(
      client,
      { hertz, context in
        unsafe JACKProcess.of(context) { $0.hertz.store(hertz, ordering: .relaxed) }
        return 0
      }, context)
    _ = unsafe calls.set_xrun_callback(
      client,
      { context in
        unsafe JACKProcess.of(context) { $0.xrunCount.add(1, ordering: .relaxed) }
        return 0
      }, context)
    _ = unsafe calls.set_freewheel_callback(
      client,
      { starts, context in
        unsafe JACKProcess.of(context) { $0.isFreewheeling.store(starts != 0, ordering: .relaxed) }
      }, context)
    _ = unsafe calls.set_latency_callback(
      client, { mode, context in unsafe JACKProcess.of(context) { $0.tellLatency(mode) } }, context)
    _ = unsafe calls.set_port_registration_callback(
      client, { _, _, context in unsafe JACKProcess.of(context) { $0.tellPorts() } }, context)
    _ = unsafe calls.set_port_rename_callback(
      client, { _, _, _, context in unsafe JACKProcess.of(context) { $0.tellPorts() } }, context)
    _ = unsafe calls.set_port_connect_callback(
      client, { _, _, _, context in unsafe JACKProcess.of(context) { $0.tellConnections() } },
      context)
    unsafe calls.on_shutdown(
      client, { context in unsafe JACKProcess.of(context) { $0.shutDown() } }, context)
  }

  private static func of(_ context: UnsafeMutableRawPointer?, _ body: (JACKProcess) -> Void) {
    _ = unsafe JACKCallee.call(context, JACKProcess.self, body)
  }
}

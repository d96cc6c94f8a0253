// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// What a client does in each turn of its server, and what the server tells it.
///
/// The server calls it on threads of its own: `process` and the transport's on one, what is told on
/// another.
@safe
final class JACKProcess: @unchecked Sendable {
  // Unchecked: `table` and `client` are set while the client is not active; what `process` counts
  // is its own.

  /// The most that one client does.
  static let capacity = 64

  /// The rate that the client was made for; turns at another are silent and not counted.
  let rate: SampleRate
  let hertz: Atomic<UInt32>
  let bufferFrames: Atomic<Int>
  let xrunCount = Atomic<Int>(0)
  /// Turns that have ended.
  let turnCount = Atomic<UInt64>(0)
  let isFreewheeling = Atomic<Bool>(false)
  /// Whether the server has said that ports came or went.
  let hasPortNews = Atomic<Bool>(false)
  /// Whether the server has said that ports were connected or separated.
  let hasConnectionNews = Atomic<Bool>(false)
  /// Whether the server has asked how late ports are, and said it.
  let hasLatencyNews = Atomic<Bool>(false)
  /// Whether the server has said that it is gone.
  let isShutDown = Atomic<Bool>(false)
  /// The thread that said so, by the kernel's number; 0 while none has.
  private let messenger = Atomic<Int32>(0)
  /// When the client's frames pass; nil before the first turn and while the server is away.
  let line = Snapshot<Timeline<SampleTime, HostTime>?>(nil)
  private let lineWriter: SnapshotWriter<Timeline<SampleTime, HostTime>?>
  /// Woken when the server is gone, or has other ports.
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

  /// Has a client that is not active call this.
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

  /// Adds a duty, which the caller keeps alive until it is removed; false where there is no room.
  func add(_ duty: JACKDuty) -> Bool {
    let address = unsafe Unmanaged.passUnretained(duty).toOpaque()
    for index in 0..<Self.capacity {
      let (isFree, _) = unsafe slots[index].duty.compareExchange(
        expected: nil, desired: address, ordering: .acquiringAndReleasing)
      if isFree { return true }
    }
    return false
  }

  /// Removes a duty; returns when no thread of the server has it any more.
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

  /// A server that hangs in the middle of a turn is waited for so long, in nanoseconds.
  private static let longestWait: Int64 = 1_000_000_000

  /// Waits until a turn that is under way has ended.
  func waitForTurn() {
    let turn = turnCount.load(ordering: .acquiring)
    let deadline = DeadlineWait.now + Self.longestWait
    while isInTurn.load(ordering: .acquiring), turnCount.load(ordering: .acquiring) == turn,
      DeadlineWait.now < deadline
    {
      usleep(200)
    }
  }

  /// Waits until the thread that said that the server is gone has ended.
  ///
  /// In JACK's library this thread also handles the leaving of other clients and holds a global lock
  /// while it does. Closing the client kills the thread. If the lock is held then, it is never released,
  /// and no client can be opened again.
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

  // MARK: What the server calls

  /// One turn.
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

  /// Takes back where frames lie, once no thread of the server is left.
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

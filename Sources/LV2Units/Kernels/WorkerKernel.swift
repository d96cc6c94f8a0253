// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import Glibc
internal import Realtime
internal import Synchronization

/// Work that a plug-in schedules outside the render thread, and the responses.
///
/// Its address is fixed for the life of the instance. With work in line, as offline, the work runs
/// at once on the calling thread, so that the result is the same every time.
@safe
struct WorkerKernel: ~Copyable {
  /// Bytes of waiting work in each direction.
  private static var capacity: Int {
    @_noAllocation @_noLocks
    get { 4096 }
  }

  /// Number of requests and responses that found no room.
  let refusedCount = Atomic<Int>(0)
  private let isOver = Atomic(false)
  private let isInLine: Bool
  private let requests = RingBuffer<UInt8>(minimumCapacity: capacity)
  private let responses = RingBuffer<UInt8>(minimumCapacity: capacity)
  /// Buffer for one message at each end of each ring.
  private let scratch: UnsafeMutablePointer<UInt8>
  private let semaphore: UnsafeMutablePointer<sem_t>
  private let working = Mutex(())
  /// This kernel's address, for `respond`.
  private var place: UnsafeMutableRawPointer?
  private var instance: UnsafePointer<LilvInstance>?
  private var interface: UnsafePointer<LV2_Worker_Interface>?
  /// The plug-in's URI, which is never freed.
  private var uri: UnsafePointer<CChar>?

  private enum End: Int { case requestIn, requestOut, responseIn, responseOut }

  init(isInLine: Bool) {
    self.isInLine = isInLine
    unsafe place = nil
    unsafe instance = nil
    unsafe interface = nil
    unsafe uri = nil
    unsafe scratch = .allocate(capacity: 4 * Self.capacity)
    unsafe scratch.initialize(repeating: 0, count: 4 * Self.capacity)
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe scratch.deallocate()
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Sets the instance whose work is done and this kernel's address, before the first run.
  mutating func connect(
    _ instance: UnsafePointer<LilvInstance>, _ interface: UnsafePointer<LV2_Worker_Interface>?,
    _ call: PluginCall, at place: UnsafeMutableRawPointer
  ) {
    unsafe self.place = place
    unsafe self.instance = instance
    unsafe self.interface = interface
    unsafe uri = call.uri
  }

  /// True if the instance has a worker.
  var isNeeded: Bool { unsafe interface != nil }

  /// Calls a closure while no work is in progress.
  func whileIdle<Result>(_ body: () throws -> Result) rethrows -> Result {
    // Not by `withLock`: a plug-in may call anything from its work.
    working._unsafeLock()
    defer { working._unsafeUnlock() }
    return try body()
  }

  /// `schedule_work`, for the plug-in to call.
  static let schedule:
    @convention(c) (LV2_Worker_Schedule_Handle?, UInt32, UnsafeRawPointer?) -> LV2_Worker_Status = {
      handle, size, bytes in
      guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
      return unsafe handle.assumingMemoryBound(to: WorkerKernel.self).pointee.take(size, bytes)
    }

  /// `respond`, for the plug-in to call during work.
  private static let respond: LV2_Worker_Respond_Function = { handle, size, bytes in
    guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
    let kernel = unsafe handle.assumingMemoryBound(to: WorkerKernel.self)
    return unsafe kernel.pointee.push(bytes, size, .responseIn)
      ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
  }

  private func take(_ size: UInt32, _ bytes: UnsafeRawPointer?) -> LV2_Worker_Status {
    if isInLine {
      unsafe work(size, bytes)
      return LV2_WORKER_SUCCESS
    }
    guard unsafe push(bytes, size, .requestIn) else { return LV2_WORKER_ERR_NO_SPACE }
    unsafe sem_post(semaphore)
    return LV2_WORKER_SUCCESS
  }

  private func work(_ size: UInt32, _ bytes: UnsafeRawPointer?) {
    guard let instance = unsafe instance, let interface = unsafe interface else { return }
    unsafe clilv_work(instance, uri, interface, Self.respond, place, size, bytes)
  }

  /// Does the requested work until `end()`; the body of the worker's thread.
  func workOn() {
    while true {
      while unsafe sem_wait(semaphore) != 0 {}
      if isOver.load(ordering: .acquiring) { return }
      guard let (bytes, size) = unsafe pop(.requestOut) else { continue }
      working._unsafeLock()
      unsafe work(size, bytes)
      working._unsafeUnlock()
    }
  }

  /// Makes `workOn()` return.
  func end() {
    isOver.store(true, ordering: .releasing)
    unsafe sem_post(semaphore)
  }

  /// Delivers the responses after a run.
  @_noAllocation @_noLocks
  func finishRun() {
    guard let instance = unsafe instance, let interface = unsafe interface else { return }
    while let (bytes, size) = unsafe pop(.responseOut) {
      unsafe clilv_respond(instance, uri, interface, size, bytes)
    }
    unsafe clilv_end_run(instance, uri, interface)
  }

  private func push(_ bytes: UnsafeRawPointer?, _ size: UInt32, _ end: End) -> Bool {
    let count = Int(size) + 4
    let message = unsafe scratch + end.rawValue * Self.capacity
    let writer = end == .requestIn ? requests.writer : responses.writer
    guard count <= Self.capacity, writer.room >= count else {
      refusedCount.add(1, ordering: .relaxed)
      return false
    }
    unsafe UnsafeMutableRawPointer(message).storeBytes(of: size, as: UInt32.self)
    if let bytes = unsafe bytes {
      unsafe UnsafeMutableRawPointer(message + 4).copyMemory(from: bytes, byteCount: Int(size))
    }
    return unsafe writer.push(contentsOf: Span(_unsafeStart: message, count: count))
  }

  @_noAllocation @_noLocks
  private func pop(_ end: End) -> (bytes: UnsafeRawPointer, size: UInt32)? {
    let reader = end == .requestOut ? requests.reader : responses.reader
    guard reader.count >= 4 else { return nil }
    let message = unsafe scratch + end.rawValue &* Self.capacity
    var size: UInt32 = 0
    for place: UInt32 in 0..<4 { size |= UInt32(reader.pop() ?? 0) << (8 &* place) }
    // The writer pushed the whole message at once.
    for place in 0..<Int(size) { unsafe message[place] = reader.pop() ?? 0 }
    return (UnsafeRawPointer(message), size)
  }
}

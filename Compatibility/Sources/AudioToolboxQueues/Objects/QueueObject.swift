// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Dispatch
internal import MusicalTime
internal import Synchronization

/// An audio queue: what outputs and inputs have in common.
@safe
class QueueObject: @unchecked Sendable {
  // Unchecked: what changes is under locks.

  /// The format that the program gave.
  let format: AudioStreamBasicDescription
  /// Frames per second.
  let rate: SampleRate
  /// The samples in a frame: 1…64.
  let channelCount: Int
  /// The devices.
  let devices: QueueDevices
  /// The calls to the program.
  let caller: QueueCaller
  /// The thread of the queue.
  let worker = QueueWorker()
  let core = Mutex(Core())
  private let number = Atomic<UInt>(0)

  /// A buffer.
  struct Entry: Sendable {
    let buffer: QueueBuffer
    /// True until it has been played or filled.
    var isEnqueued = false
  }

  /// A function that is called when a property changes.
  @safe
  struct Listener: @unchecked Sendable {
    // Unchecked: the program is responsible for its pointer.
    let property: AudioQueuePropertyID
    let function: AudioQueuePropertyListenerProc
    let data: UnsafeMutableRawPointer?
  }

  struct Core: Sendable {
    /// The buffers, by their addresses.
    var entries: [UInt: Entry] = [:]
    var listeners: [Listener] = []
    var parameters: [AudioQueueParameterID: Float] = [
      kAudioQueueParam_Volume: 1, kAudioQueueParam_PlayRate: 1, kAudioQueueParam_Pitch: 0,
      kAudioQueueParam_VolumeRampTime: 0, kAudioQueueParam_Pan: 0,
    ]
    var settings = QueueSettings()
    /// True from the start to the end of the sound.
    var isRunning = false
    var converterError: OSStatus = 0
    /// Threads that wait until the queue has done what was asked.
    var waiters: [DispatchSemaphore] = []
    var isDisposed = false
    /// The handles of taps and timelines.
    var children: Set<Handle> = []
  }

  init(
    _ format: AudioStreamBasicDescription, rate: SampleRate, channelCount: Int,
    place: QueueCaller.Place
  ) {
    (self.format, self.rate, self.channelCount) = (format, rate, channelCount)
    devices = QueueDevices.current
    caller = QueueCaller(place)
  }

  deinit {
    worker.end()
  }

  /// The handle that programs know.
  var reference: AudioQueueRef? {
    get { unsafe AudioQueueRef(bitPattern: number.load(ordering: .acquiring)) }
    set { number.store(UInt(bitPattern: newValue), ordering: .releasing) }
  }

  /// Wakes the thread, which then takes a turn.
  func wake() {
    worker.wake { [weak self] in self?.turn() ?? .ended }
  }

  // Overridden by outputs and inputs.

  /// Adds a buffer to the end of the queue.
  func enqueue(_ order: BufferOrder) throws(StatusError) { throw .parameter }
  /// Starts at a time of the device, or at once.
  func start(at time: AudioTimeStamp?) throws(StatusError) {}
  /// Prepares frames; returns their number.
  func prime(_ frameCount: Int) throws(StatusError) -> Int { 0 }
  /// Stops at once, or when what is enqueued has been played.
  func stop(isImmediate: Bool) throws(StatusError) {}
  /// Pauses; a start continues.
  func pause() throws(StatusError) {}
  /// Ends the stream after what is enqueued.
  func flush() throws(StatusError) {}
  /// Takes all buffers back.
  func reset() throws(StatusError) {}
  /// Applies a parameter that was stored.
  func apply(_ parameter: AudioQueueParameterID, _ value: Float) {}
  /// Applies a setting that was stored.
  func apply(_ property: AudioQueuePropertyID) throws(StatusError) {}
  /// The level of a channel.
  func level(of channel: Int) -> (average: Float, peak: Float) { (0, 0) }
  /// Ends the queue; no callback follows.
  func dispose(isImmediate: Bool) { worker.end() }
  /// One turn of the queue's thread.
  func turn() -> QueueWorker.Pace { .ended }
  /// The time: frames since the start, without pauses.
  var stamp: AudioTimeStamp { AudioTimeStamp() }
  /// The number of interruptions of the sound.
  var breakCount: Int { 0 }
  /// True if all that was asked has been done.
  var isSettled: Bool { true }
}

// Waiting and calling.
extension QueueObject {
  /// Waits until the queue has done what was asked, up to 3 s; not on a thread that is in a
  /// callback of the queue, which would wait for itself.
  func settle() {
    wake()
    guard !worker.isCurrent, !caller.isCalling else { return }
    let end = DispatchTime.now() + .seconds(3)
    while !isSettled || caller.isOwn && caller.isBusy, DispatchTime.now() < end {
      let signal = DispatchSemaphore(value: 0)
      core.withLock { $0.waiters.append(signal) }
      wake()
      _ = signal.wait(timeout: .now() + .milliseconds(20))
    }
    caller.callIfHere()
  }

  /// Wakes the threads that wait.
  func wakeWaiters() {
    let waiters = core.withLock { core in
      defer { core.waiters = [] }
      return core.waiters
    }
    for waiter in waiters { waiter.signal() }
  }

  /// Sets whether the queue runs, and calls the listeners if that changes.
  func setRunning(_ isRunning: Bool) {
    let isNew = core.withLock { core in
      defer { core.isRunning = isRunning }
      return core.isRunning != isRunning
    }
    if isNew { notify(kAudioQueueProperty_IsRunning) }
  }

  /// Calls the listeners of a property.
  func notify(_ property: AudioQueuePropertyID) {
    for listener in core.withLock({ $0.listeners }) where listener.property == property {
      owe(
        QueueCaller.Call(buffer: nil) { [weak self] in
          guard let self, let reference = unsafe reference else { return }
          unsafe listener.function(listener.data, reference, property)
        })
    }
  }

  /// Owes the program a call.
  func owe(_ call: QueueCaller.Call) {
    let isOffline = core.withLock { $0.settings.offline != nil }
    caller.add(call, isOffline: isOffline)
    if !isOffline, caller.isOwn { wake() }
  }
}

// Taps and timelines, which are disposed of with the queue.
extension QueueObject {
  /// Enters a tap or a timeline into the table of handles.
  func enter(_ child: some AnyObject & Sendable) throws(StatusError) -> OpaquePointer {
    guard let handle = HandleTable.shared.add(child) else {
      throw StatusError(kAudio_MemFullError)
    }
    let isKept = core.withLock { core in
      if !core.isDisposed { core.children.insert(handle) }
      return !core.isDisposed
    }
    guard isKept else {
      HandleTable.shared.remove(handle)
      throw .parameter
    }
    return unsafe handle.pointer
  }

  /// Removes a tap or a timeline from the table of handles.
  func remove(_ reference: OpaquePointer?) throws(StatusError) {
    guard let handle = unsafe Handle(reference), HandleTable.shared.remove(handle) else {
      throw .parameter
    }
    core.withLock { _ = $0.children.remove(handle) }
  }

  /// Removes all taps and timelines.
  func disposeOfChildren() {
    let children = core.withLock { core in
      defer { core.children = [] }
      core.isDisposed = true
      return core.children
    }
    for child in children { HandleTable.shared.remove(child) }
  }
}

// Buffers.
extension QueueObject {
  /// Allocates a buffer.
  func allocate(
    _ byteCount: UInt32, packets: UInt32
  ) throws(StatusError) -> UnsafeMutablePointer<AudioQueueBuffer> {
    guard byteCount > 0 else { throw .parameter }
    let buffer = try QueueBuffer(byteCount: byteCount, packetCount: packets)
    core.withLock { $0.entries[buffer.address] = Entry(buffer: buffer) }
    return unsafe buffer.pointer
  }

  /// Frees a buffer; a callback that is owed for it is not made.
  func free(_ pointer: UnsafeMutablePointer<AudioQueueBuffer>?) throws(StatusError) {
    let address = UInt(bitPattern: pointer)
    let freed = try core.withLock { (core) throws(StatusError) in
      guard let entry = core.entries[address] else {
        throw StatusError(kAudioQueueErr_InvalidBuffer)
      }
      guard !entry.isEnqueued else { throw StatusError(kAudioQueueErr_BufferInQueue) }
      core.entries[address] = nil
      return entry.buffer
    }
    _ = caller.cancel(freed)
  }

  /// Marks a buffer as enqueued.
  func take(_ pointer: UnsafeMutablePointer<AudioQueueBuffer>?) throws(StatusError) -> QueueBuffer {
    let address = UInt(bitPattern: pointer)
    return try core.withLock { (core) throws(StatusError) in
      guard !core.isDisposed else { throw StatusError(kAudioQueueErr_DisposalPending) }
      guard let entry = core.entries[address] else {
        throw StatusError(kAudioQueueErr_InvalidBuffer)
      }
      guard !entry.isEnqueued, !caller.owes(entry.buffer) else {
        throw StatusError(kAudioQueueErr_BufferEnqueuedTwice)
      }
      core.entries[address]?.isEnqueued = true
      return entry.buffer
    }
  }

  /// Marks a buffer as no longer enqueued; false if it was freed.
  @discardableResult
  func letGo(_ buffer: QueueBuffer) -> Bool {
    core.withLock { core in
      guard core.entries[buffer.address]?.buffer === buffer else { return false }
      core.entries[buffer.address]?.isEnqueued = false
      return true
    }
  }

  /// The buffers that wait or are under way.
  var enqueuedCount: Int { core.withLock { $0.entries.values.count(where: \.isEnqueued) } }
}

// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Dispatch
internal import MusicalTime
internal import Synchronization

/// A queue that plays.
@safe
final class OutputQueue: QueueObject, @unchecked Sendable {
  /// A function that gets back the buffers that were played.
  typealias Callback = @Sendable (OutputQueue, QueueBuffer) -> Void

  private let callback: Callback
  private let made = Mutex<QueueSound?>(nil)
  let device = Mutex(Device())
  let run = Mutex(Run())
  let offline = Mutex<OfflineRun?>(nil)
  /// The frames that were rendered offline; nil before the first.
  let offlinePosition = Mutex<Int64?>(nil)
  let taps = Mutex<[TapObject]>([])
  /// Held while a buffer is enqueued: a reset takes back all of it or nothing.
  let ordering = Mutex(())

  /// The output that plays, and its frames.
  struct Device: @unchecked Sendable {
    // Unchecked: outputs may be asked by any thread; they are started and stopped under the lock.
    var output: (any OutputUnit)?
    /// The frame at which the next output begins.
    var position: Int64 = 0
    /// The frame at which the queue's time is 0.
    var origin: Int64 = 0
    /// Frames during which the queue was paused.
    var pausedFrames: Int64 = 0
    /// The frame at which the queue was paused; nil if it is not.
    var pausedAt: Int64?

    /// The frame that is audible now.
    var audible: Int64 { output.map { $0.position.frames - Int64($0.latency) } ?? position }

    /// The times of the output, and the frame that is audible now.
    func times(_ rate: SampleRate) -> (times: DeviceTimes, now: Int64) {
      let frame = output?.position.frames ?? position
      return (DeviceTimes(clock: output?.clock, position: frame, rate: rate), audible)
    }
  }

  /// Orders that are not carried out yet.
  struct Run: Sendable {
    /// True from a stop until the output has been closed.
    var isStopping = false
    /// True once the player has stopped.
    var hasStopped = false
    /// True if the stop does not wait for the sound.
    var isImmediate = false
    var isPaused = false
    /// When an immediate stop was asked for.
    var asked = DispatchTime.now()
    /// True from a reset until the buffers are back.
    var isResetting = false
    /// The buffers that a reset takes back.
    var resetBuffers: [QueueBuffer] = []

    /// Undoes the mark of a stop that was refused.
    mutating func takeStop(of other: Run) {
      hasStopped = hasStopped || other.hasStopped
      (isStopping, isImmediate) = (other.isStopping, other.isImmediate)
      (asked, isPaused) = (other.asked, other.isPaused)
    }
  }

  /// Creates a queue.
  ///
  /// - Throws: `kAudioFormatUnsupportedDataFormatError`.
  init(
    _ format: AudioStreamBasicDescription, place: QueueCaller.Place,
    callback: @escaping Callback
  ) throws(StatusError) {
    let shape = try QueueShape(format)
    self.callback = callback
    super.init(format, rate: shape.rate, channelCount: shape.channelCount, place: place)
  }

  /// The player, which is created when it is first used.
  func sound() throws(StatusError) -> QueueSound {
    try made.withLock { (made) throws(StatusError) in
      if let made { return made }
      let (settings, parameters) = core.withLock { ($0.settings, $0.parameters) }
      let new = try QueueSound(
        format, rate: rate, settings: settings, taps: taps.withLock { $0 }
      ) { [weak self] in self?.take($0) }
      made = new
      for (parameter, value) in parameters { apply(parameter, value, to: new, over: 0) }
      return new
    }
  }

  /// The player if there is one.
  var existing: QueueSound? { made.withLock { $0 } }

  /// Removes a player that has nothing enqueued: the next use creates one with the new settings.
  ///
  /// - Throws: `kAudioQueueErr_InvalidRunState` if it plays, has something enqueued, or owes a buffer.
  func remake() throws(StatusError) {
    // Under the locks of a start and of an order: neither may use the player that is removed.
    try ordering.withLock { (_) throws(StatusError) in
      try device.withLock { (_) throws(StatusError) in
        try made.withLock { (made) throws(StatusError) in
          guard let old = made else { return }
          let isIdle = core.withLock { core in
            !core.isRunning && !core.entries.values.contains(where: \.isEnqueued)
          }
          guard isIdle, old.isEmpty else { throw StatusError(kAudioQueueErr_InvalidRunState) }
          made = nil
        }
      }
    }
  }

  private func take(_ event: QueueSound.Event) {
    switch event {
    case .stopped:
      run.withLock { if $0.isStopping { $0.hasStopped = true } }
    case .paused(let frame):
      // Under the lock: a start that follows clears both.
      device.withLock { device in
        if run.withLock(\.isPaused) { device.pausedAt = frame }
      }
    case .damaged:
      core.withLock { $0.converterError = kAudioConverterErr_UnspecifiedError }
      notify(kAudioQueueProperty_ConverterError)
    case .other: break
    }
  }

  // MARK: Running

  override func start(at time: AudioTimeStamp?) throws(StatusError) { try begin(at: time) }

  override func prime(_ frameCount: Int) throws(StatusError) -> Int {
    let ready = try sound().prime()
    return frameCount > 0 ? min(frameCount, ready) : ready
  }

  override func stop(isImmediate: Bool) throws(StatusError) { try end(isImmediate: isImmediate) }

  override func pause() throws(StatusError) {
    guard core.withLock(\.isRunning), let sound = existing else { return }
    let wasPaused = run.withLock { run in
      defer { run.isPaused = true }
      return run.isPaused
    }
    do throws(StatusError) {
      try sound.pause()
    } catch {
      run.withLock { $0.isPaused = wasPaused }
      throw error
    }
  }

  override func flush() throws(StatusError) { existing?.finish() }

  override func reset() throws(StatusError) { try takeBack() }

  override func dispose(isImmediate: Bool) { close(isImmediate: isImmediate) }

  override func turn() -> QueueWorker.Pace { takeTurn() }

  override var isSettled: Bool { isDone }

  // MARK: Time

  /// Frames since the start, without pauses.
  var time: Double {
    device.withLock { device in
      let frame = device.pausedAt ?? device.audible
      return Double(max(0, frame - device.origin - device.pausedFrames))
    }
  }

  override var stamp: AudioTimeStamp {
    if let position = offlinePosition.withLock({ $0 }) {
      return DeviceTimes(clock: nil, position: 0, rate: rate).stamp(Double(position))
    }
    let (times, now) = device.withLock { $0.times(rate) }
    var stamp = times.stamp(time)
    stamp.mHostTime = times.host(atFrame: now)
    stamp.mFlags.insert(.hostTimeValid)
    return stamp
  }

  override var breakCount: Int { existing?.unit.position.discontinuities ?? 0 }

  /// The times of the device, and the frame that is audible now.
  ///
  /// - Throws: `kAudioQueueErr_InvalidRunState` without a device.
  func deviceTimes() throws(StatusError) -> (times: DeviceTimes, now: Int64) {
    try device.withLock { (device) throws(StatusError) in
      guard device.output != nil else { throw StatusError(kAudioQueueErr_InvalidRunState) }
      return device.times(rate)
    }
  }

  /// Has the queue render offline, or no longer.
  func setOffline(_ format: AudioStreamBasicDescription?) throws(StatusError) {
    try requireRest()
    if let format {
      let shape = try QueueShape(format)
      guard shape.form != nil else { throw StatusError(kAudioFormatUnsupportedDataFormatError) }
    }
    // A render that is under way, of which a callback may call this, keeps the format.
    guard offline.withLockIfAvailable({ $0 = nil }) != nil else {
      throw StatusError(kAudioQueueErr_InvalidRunState)
    }
    offlinePosition.withLock { $0 = nil }
    core.withLock { $0.settings.offline = format }
  }

  /// Adds a tap; returns its handle.
  func add(_ tap: TapObject) throws(StatusError) -> AudioQueueProcessingTapRef {
    try remake()
    let reference = unsafe try enter(tap)
    unsafe tap.reference = reference
    let isFull = taps.withLock { taps in
      if taps.count < 8 { taps.append(tap) }
      return taps.last !== tap
    }
    guard !isFull else {
      unsafe try remove(reference)
      throw StatusError(kAudioQueueErr_TooManyTaps)
    }
    return unsafe reference
  }

  // MARK: Buffers

  override func enqueue(_ order: BufferOrder) throws(StatusError) {
    try ordering.withLock { (_) throws(StatusError) in
      let sound = try sound()
      let buffer = try unsafe take(order.pointer)
      do throws(StatusError) {
        try sound.enqueue(piece(order, buffer))
      } catch {
        letGo(buffer)
        throw error
      }
    }
    wake(ifPlaying: true)
  }

  private func piece(
    _ order: BufferOrder, _ buffer: QueueBuffer
  ) throws(StatusError) -> QueueSound.Piece {
    guard let bytes = unsafe buffer.filled else { throw .parameter }
    guard bytes.count > 0 else { throw StatusError(kAudioQueueErr_BufferEmpty) }
    var packets = order.packets
    if packets.isEmpty, buffer.packetCapacity > 0 {
      packets = try buffer.describedPackets()
    }
    return unsafe QueueSound.Piece(
      bytes: bytes, packets: packets, start: try order.start.map(moment),
      trimStart: order.trimStart, trimEnd: order.trimEnd, changes: try changes(order.changes),
      completion: { [weak self] _ in self?.bringBack(buffer) })
  }

  private func moment(_ time: Double) throws(StatusError) -> SoundQueue.Moment {
    guard let frame = Int64(exactly: time.rounded()), frame.magnitude < 1 << 48 else {
      throw .parameter
    }
    let shift = device.withLock { $0.origin + $0.pausedFrames }
    return .frame(SampleTime(frames: frame + shift))
  }

  private func changes(
    _ events: [AudioQueueParameterEvent]
  ) throws(StatusError) -> [SoundQueue.Change] {
    var changes: [SoundQueue.Change] = []
    for event in events {
      guard event.mValue.isFinite else { throw .parameter }
      switch event.mID {
      case kAudioQueueParam_Volume:
        changes.append(.init(.gain, to: min(1, max(0, event.mValue)), over: rampTime))
      case kAudioQueueParam_Pan: changes.append(.init(.pan, to: event.mValue))
      case kAudioQueueParam_PlayRate:
        if hasVarispeed { changes.append(.init(.speed, to: event.mValue)) }
      case kAudioQueueParam_Pitch: break
      case kAudioQueueParam_VolumeRampTime:
        core.withLock { $0.parameters[event.mID] = max(0, event.mValue) }
      default: throw StatusError(kAudioQueueErr_InvalidParameter)
      }
    }
    return changes
  }

  /// Marks a buffer as no longer enqueued, for a reset too; false if it was freed.
  @discardableResult
  func release(_ buffer: QueueBuffer) -> Bool {
    // A reset that begins before this awaits the buffer; one that begins later leaves it out.
    let isKept = letGo(buffer)
    run.withLock { run in
      run.resetBuffers.removeAll { $0 === buffer }
      if run.resetBuffers.isEmpty { run.isResetting = false }
    }
    return isKept
  }

  /// Returns a buffer to the program.
  private func bringBack(_ buffer: QueueBuffer) {
    guard release(buffer) else { return }
    owe(
      QueueCaller.Call(buffer: buffer) { [weak self] in
        guard let self else { return }
        callback(self, buffer)
      })
  }

  /// Wakes the thread if it has something to do.
  func wake(ifPlaying: Bool) {
    let isOffline = core.withLock { $0.settings.offline != nil }
    if !isOffline, device.withLock({ $0.output != nil }) { wake() }
  }

  // MARK: Parameters

  private var rampTime: Double? {
    let seconds = core.withLock { $0.parameters[kAudioQueueParam_VolumeRampTime] ?? 0 }
    return seconds > 0 ? Double(seconds) : nil
  }

  private var hasVarispeed: Bool {
    core.withLock {
      $0.settings.hasTimePitch && !$0.settings.bypassesTimePitch
        && $0.settings.timePitchAlgorithm == kAudioQueueTimePitchAlgorithm_Varispeed
    }
  }

  override func apply(_ parameter: AudioQueueParameterID, _ value: Float) {
    guard let sound = existing else { return }
    apply(parameter, value, to: sound, over: rampTime)
  }

  private func apply(
    _ parameter: AudioQueueParameterID, _ value: Float, to sound: QueueSound, over seconds: Double?
  ) {
    switch parameter {
    case kAudioQueueParam_Volume: sound.unit.set(.gain, to: value, over: seconds)
    case kAudioQueueParam_Pan: sound.unit.set(.pan, to: value, over: seconds == 0 ? 0 : nil)
    case kAudioQueueParam_PlayRate, kAudioQueueParam_Pitch: setTimePitch(of: sound)
    default: break
    }
  }

  private func setTimePitch(of sound: QueueSound) {
    let (settings, parameters) = core.withLock { ($0.settings, $0.parameters) }
    guard settings.hasTimePitch else { return }
    let isPlain = settings.bypassesTimePitch
    sound.set(
      rate: isPlain ? 1 : parameters[kAudioQueueParam_PlayRate] ?? 1,
      pitch: isPlain ? 0 : parameters[kAudioQueueParam_Pitch] ?? 0)
  }

  override func apply(_ property: AudioQueuePropertyID) throws(StatusError) {
    switch property {
    case kAudioQueueProperty_TimePitchBypass:
      if let sound = existing { setTimePitch(of: sound) }
    case kAudioQueueProperty_MagicCookie, kAudioQueueProperty_DecodeBufferSizeFrames,
      kAudioQueueProperty_TimePitchAlgorithm:
      try remake()
    case kAudioQueueProperty_EnableTimePitch:
      try remake()
      // The sentence about a missing library is due now, not at the start.
      _ = try sound()
    default: break
    }
  }

  override func level(of channel: Int) -> (average: Float, peak: Float) {
    guard let level = existing?.unit.level(of: channel) else { return (0, 0) }
    return (level.rms, level.peak)
  }
}

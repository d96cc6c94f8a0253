// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CCoreAudio
internal import ClipPlayback
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// A queue that records.
@safe
final class InputQueue: QueueObject, @unchecked Sendable {
  /// A function that gets the buffers that were filled.
  typealias Callback = @Sendable (InputQueue, FilledBuffer) -> Void

  private let callback: Callback
  private let form: PCMForm?
  private let made = Mutex<Recording?>(nil)
  private let intake = Mutex(Intake())
  private let run = Mutex(Run())
  /// Held while buffers are handed out: a flush on another thread keeps their order.
  private let handing = Mutex(())

  /// A capture and, for packets, its encoder.
  struct Recording: Sendable {
    let capture: CaptureQueue
    let packets: PacketCapture?
  }

  /// The buffers that wait, and the one that is filled.
  fileprivate struct Intake: Sendable {
    var waiting: [QueueBuffer] = []
    var filling: FilledBuffer?
    /// The frame after the last one that was recorded, counted from the start.
    var end: Int64 = 0
    /// The first frame of the capture; nil before it.
    var origin: Int64?
  }

  private struct Run: Sendable {
    /// True while a device is read.
    var isReading = false
    /// True from a stop until the device is no longer read.
    var isStopping = false
    /// True once the capture has ended.
    var hasStopped = false
    /// True if a recording has ended: orders that were too late for it may be left in its capture.
    var isCaptureUsed = false
  }

  /// Creates a queue.
  ///
  /// - Throws: `kAudioFormatUnsupportedDataFormatError`.
  init(
    _ format: AudioStreamBasicDescription, place: QueueCaller.Place, callback: @escaping Callback
  ) throws(StatusError) {
    let shape = try QueueShape(format)
    guard shape.form != nil || Self.encoding(of: format) != nil else {
      throw StatusError(kAudioFormatUnsupportedDataFormatError)
    }
    (self.callback, form) = (callback, shape.form)
    super.init(format, rate: shape.rate, channelCount: shape.channelCount, place: place)
  }

  /// The kind of file whose packets a format has; nil if they cannot be encoded.
  private static func encoding(of format: AudioStreamBasicDescription) -> SoundFileFormat? {
    let type: AudioFileTypeID =
      switch format.mFormatID {
      case kAudioFormatMPEGLayer3: kAudioFileMP3Type
      case kAudioFormatMPEG4AAC, kAudioFormatAppleLossless: kAudioFileM4AType
      default: kAudioFileCAFType
      }
    return SoundFileFormat(type, format)
  }

  /// The capture, which is created when it is first used.
  private func recording() throws(StatusError) -> Recording {
    let bitRate = core.withLock(\.settings.bitRate)
    return try made.withLock { (made) throws(StatusError) in
      if let made { return made }
      let new = try make(bitRate)
      made = new
      return new
    }
  }

  private func make(_ bitRate: UInt32) throws(StatusError) -> Recording {
    let capture = CaptureQueue(
      channelCount: channelCount, bufferFrames: 256, bufferCount: 256, rate: rate)
    guard form == nil, let encoding = Self.encoding(of: format) else {
      capture.observe { [weak self] in self?.take($0) }
      return Recording(capture: capture, packets: nil)
    }
    do {
      let packets = try PacketCapture(
        capture, as: encoding, bitrate: bitRate > 0 ? Int(bitRate) : nil)
      let frames = packets.framesPerPacket
      packets.observe { [weak self] in self?.take($0, frames) }
      return Recording(capture: capture, packets: packets)
    } catch {
      throw StatusError(kAudioQueueErr_CodecNotFound)
    }
  }

  // MARK: Running

  override func enqueue(_ order: BufferOrder) throws(StatusError) {
    let buffer = try unsafe take(order.pointer)
    // A buffer without room for a frame would be returned empty again and again.
    guard form.map({ buffer.capacity >= $0.bytesPerFrame }) ?? true else {
      letGo(buffer)
      throw .parameter
    }
    intake.withLock { $0.waiting.append(buffer) }
  }

  override func start(at time: AudioTimeStamp?) throws(StatusError) {
    // A stop that is under way ends the recording that it was meant for, not this one.
    if run.withLock(\.isStopping) { settle() }
    let before = run.withLock { run in
      defer { run.isReading = true }
      return run
    }
    guard !before.isStopping else { throw StatusError(kAudioQueueErr_InvalidRunState) }
    guard !before.isReading else {
      let capture = try recording().capture
      return try order { () throws(SoundQueueError) in try capture.start() }
    }
    if before.isCaptureUsed { made.withLock { $0 = nil } }
    do throws(StatusError) {
      try read(try recording())
    } catch {
      run.withLock { $0.isReading = false }
      throw error
    }
    setRunning(true)
    wake()
  }

  /// Reads the device.
  private func read(_ recording: Recording) throws(StatusError) {
    let name = core.withLock(\.settings.device)
    do {
      // Read by the capture alone from now on.
      nonisolated(unsafe) let input = try devices.input(rate, channelCount, name)
      intake.withLock { ($0.end, $0.origin) = (0, nil) }
      run.withLock { ($0.hasStopped, $0.isCaptureUsed) = (false, true) }
      try recording.capture.start()
      try unsafe recording.capture.read(input)
    } catch {
      throw StatusError(name == nil ? kAudioQueueErr_CannotStart : kAudioQueueErr_InvalidDevice)
    }
  }

  override func stop(isImmediate: Bool) throws(StatusError) {
    guard let recording = made.withLock({ $0 }) else { return }
    let (isReading, isFirst) = run.withLock { run in
      defer { run.isStopping = run.isReading }
      return (run.isReading, !run.isStopping)
    }
    guard isReading else { return }
    // A second order would be left over for the next recording.
    if isFirst { try order(stopping: recording) }
    if isImmediate { settle() } else { wake() }
  }

  private func order(stopping recording: Recording) throws(StatusError) {
    do throws(StatusError) {
      try order { () throws(SoundQueueError) in try recording.capture.stop() }
    } catch {
      run.withLock { $0.isStopping = false }
      throw error
    }
  }

  override func pause() throws(StatusError) {
    guard run.withLock(\.isReading), let recording = made.withLock({ $0 }) else { return }
    try order { () throws(SoundQueueError) in try recording.capture.pause() }
  }

  private func order(_ body: () throws(SoundQueueError) -> Void) throws(StatusError) {
    do {
      try body()
    } catch {
      throw StatusError(kAudioQueueErr_InvalidRunState)
    }
  }

  override func flush() throws(StatusError) { handOut() }

  override func reset() throws(StatusError) {
    handOut()
    letGoOfWaiting()
  }

  /// Returns the buffers that were not filled, without a callback.
  private func letGoOfWaiting() {
    let buffers = intake.withLock { intake in
      defer { intake.waiting = [] }
      return intake.waiting
    }
    for buffer in buffers { letGo(buffer) }
  }

  override func dispose(isImmediate: Bool) {
    caller.end()
    disposeOfChildren()
    core.withLock { $0.isDisposed = true }
    guard run.withLock(\.isReading), let recording = made.withLock({ $0 }) else {
      return worker.end()
    }
    worker.keep(self)
    let isFirst = run.withLock { run in
      defer { run.isStopping = true }
      return !run.isStopping
    }
    do {
      if isFirst { try recording.capture.stop() }
    } catch {
      run.withLock { $0.hasStopped = true }
    }
    if isImmediate { settle() } else { wake() }
  }

  override func turn() -> QueueWorker.Pace {
    if let recording = made.withLock({ $0 }), run.withLock({ $0.isReading && $0.hasStopped }) {
      recording.capture.stopFollowing()
      handOut()
      // Buffers that were not filled can be enqueued again.
      letGoOfWaiting()
      // Before the flags: a start that follows reports the opposite.
      setRunning(false)
      run.withLock { ($0.isReading, $0.isStopping, $0.hasStopped) = (false, false, false) }
    }
    if caller.isOwn { caller.callAll() }
    wakeWaiters()
    let isReading = run.withLock(\.isReading)
    if core.withLock(\.isDisposed), !isReading { return .ended }
    return isReading ? .soon : .idle
  }

  override var isSettled: Bool { !run.withLock(\.isReading) }

  override func level(of channel: Int) -> (average: Float, peak: Float) {
    guard let level = made.withLock({ $0 })?.capture.level(of: channel) else { return (0, 0) }
    return (level.rms, level.peak)
  }

  override func apply(_ property: AudioQueuePropertyID) throws(StatusError) {
    guard property == kAudioConverterEncodeBitRate else { return }
    guard !run.withLock(\.isReading) else { throw StatusError(kAudioQueueErr_InvalidRunState) }
    made.withLock { $0 = nil }
  }

  // MARK: The recorded sound

  /// The encoder's cookie; empty for PCM.
  var encoderCookie: [UInt8] {
    get throws(StatusError) { try recording().packets?.magicCookie ?? [] }
  }

  /// The frames of a packet of the encoder; nil for PCM.
  var framesPerPacket: Int? {
    get throws(StatusError) { try recording().packets?.framesPerPacket }
  }

  override var stamp: AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(intake.withLock(\.end))
    stamp.mFlags = .sampleTimeValid
    return stamp
  }

  override var breakCount: Int { made.withLock { $0 }?.capture.gapCount ?? 0 }

  private func take(_ event: CaptureQueue.Event) {
    switch event {
    case .sound(let sound): take(sound)
    case .dropped, .paused: break
    case .stopped: noteStop()
    }
  }

  private func noteStop() {
    run.withLock { $0.hasStopped = true }
    wake()
  }

  private func take(_ sound: CapturedSound) {
    handing.withLock { _ in fill(sound) }
  }

  private func fill(_ sound: CapturedSound) {
    guard let form else { return }
    var samples = sound.samples.map(Double.init)
    var first = 0
    while first < sound.frameCount {
      let full = intake.withLock { intake -> FilledBuffer? in
        let origin = intake.origin ?? sound.start.frames
        intake.origin = origin
        let frame = sound.start.frames - origin + Int64(first)
        intake.end = frame
        if let broken = intake.filling, broken.frame + broken.frameCount(form) != frame {
          // Frames are missing before this one: they do not belong into one buffer.
          intake.filling = nil
          return broken
        }
        guard var filling = intake.filling ?? intake.begin(frame, sound.host, first, rate) else {
          // Without a buffer the sound is lost.
          first = sound.frameCount
          return nil
        }
        let room = (filling.buffer.capacity - filling.byteCount) / form.bytesPerFrame
        let count = min(room, sound.frameCount - first)
        unsafe samples.withUnsafeMutableBufferPointer { samples in
          guard let base = samples.baseAddress, let target = unsafe filling.place else { return }
          unsafe form.write(
            base + first * form.channelCount, frameCount: count, buffer: 0, to: target)
        }
        filling.byteCount += count * form.bytesPerFrame
        first += count
        intake.end = frame + Int64(count)
        let isFull = filling.buffer.capacity - filling.byteCount < form.bytesPerFrame
        intake.filling = isFull ? nil : filling
        return isFull ? filling : nil
      }
      if let full { handOut(full) }
    }
  }

  private func take(_ packet: PacketCapture.Packet?, _ framesPerPacket: Int) {
    guard let packet else { return noteStop() }
    handing.withLock { _ in fill(packet, framesPerPacket) }
  }

  private func fill(_ packet: PacketCapture.Packet, _ framesPerPacket: Int) {
    let full = intake.withLock { intake -> FilledBuffer? in
      let origin = intake.origin ?? packet.start.frames
      intake.origin = origin
      let frame = packet.start.frames - origin
      intake.end = frame + Int64(packet.frameCount)
      var full: FilledBuffer?
      if let filling = intake.filling, !filling.hasRoom(for: packet.bytes.count) {
        (full, intake.filling) = (filling, nil)
      }
      if var filling = intake.filling ?? intake.begin(frame, nil, 0, rate) {
        filling.append(
          packet.bytes, frames: packet.frameCount == framesPerPacket ? 0 : packet.frameCount)
        intake.filling = filling
      }
      return full
    }
    if let full { handOut(full) }
  }

  /// Hands out the buffer that is being filled.
  private func handOut() {
    handing.withLock { _ in
      let filled = intake.withLock { intake in
        defer { intake.filling = nil }
        return intake.filling
      }
      if let filled { handOut(filled) }
    }
  }

  private func handOut(_ filled: FilledBuffer) {
    guard letGo(filled.buffer) else { return }
    filled.store()
    owe(
      QueueCaller.Call(buffer: filled.buffer) { [weak self] in
        guard let self else { return }
        callback(self, filled)
      })
  }
}

extension InputQueue.Intake {
  /// Begins the next buffer that waits; nil if none does.
  fileprivate mutating func begin(
    _ frame: Int64, _ host: HostTime?, _ offset: Int, _ rate: SampleRate
  ) -> FilledBuffer? {
    guard !waiting.isEmpty else { return nil }
    let later = rate.timeRoundedUp(of: SampleTime(frames: Int64(offset))).nanoseconds
    return FilledBuffer(
      waiting.removeFirst(), frame: frame, host: host.map { $0.advanced(saturating: later) })
  }
}

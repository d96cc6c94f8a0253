// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CCoreAudio
internal import ClipPlayback
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime
internal import TimeStretching

/// The player of an output queue: a `SoundQueue` for samples, or a `PacketQueue` for packets, and the
/// plan that renders it.
@safe
final class QueueSound: @unchecked Sendable {
  // Unchecked: the queues and the plan may be used by any thread; time and pitch are set under a
  // lock of the queue.

  /// An event of the player.
  enum Event: Sendable {
    case stopped
    case paused(frame: Int64)
    case damaged
    case other
  }

  /// A buffer with its packets, trims, changes and completion.
  @safe
  struct Piece {
    var bytes: UnsafeRawBufferPointer
    var packets: [AudioStreamPacketDescription]
    var start: SoundQueue.Moment?
    var (trimStart, trimEnd) = (0, 0)
    var changes: [SoundQueue.Change]
    var completion: SoundQueue.Completion
  }

  private enum Kind {
    case samples(PCMForm)
    case packets(PacketQueue, AudioStreamBasicDescription)
  }

  /// The unit that plays.
  let unit: SoundQueue
  /// The plan that renders the unit.
  let plan: RenderPlan
  /// The taps, if the plan has any.
  let taps: [TapObject]
  private let kind: Kind
  private let timePitch: TimePitchUnit?

  /// Creates a player.
  ///
  /// - Parameters:
  ///   - format: the format of what is enqueued.
  ///   - rate: frames per second.
  ///   - settings: the cookie, and whether time and pitch can be changed.
  ///   - taps: functions that the sound passes through.
  ///   - observer: called with each event, on the thread that delivers.
  /// - Throws: `kAudioQueueErr_CodecNotFound`; `kAudioQueueErr_InvalidPropertyValue` if time and
  ///   pitch cannot be changed on this machine.
  init(
    _ format: AudioStreamBasicDescription, rate: SampleRate, settings: QueueSettings,
    taps: [TapObject], observer: @escaping @Sendable (Event) -> Void
  ) throws(StatusError) {
    if let form = PCMForm(format) {
      kind = .samples(form)
      unit = SoundQueue(channelCount: form.channelCount, rate: rate)
      unit.observe { observer(Event($0)) }
    } else {
      let queue = try Self.packets(format, settings)
      kind = .packets(queue, format)
      unit = queue.unit
      queue.observe { event in
        switch event {
        case .queue(let event): observer(Event(event))
        case .damaged: observer(.damaged)
        }
      }
    }
    self.taps = taps
    let isVarispeed = settings.timePitchAlgorithm == kAudioQueueTimePitchAlgorithm_Varispeed
    do {
      timePitch =
        settings.hasTimePitch && !isVarispeed ? try TimePitchUnit(playing: unit, rate: rate) : nil
      plan = try Self.plan(unit, timePitch, taps)
    } catch {
      throw StatusError(kAudioQueueErr_InvalidPropertyValue)
    }
  }

  private static func packets(
    _ format: AudioStreamBasicDescription, _ settings: QueueSettings
  ) throws(StatusError) -> PacketQueue {
    guard let layer = format.layer else {
      throw StatusError(kAudioFormatUnsupportedDataFormatError)
    }
    let ahead = Double(settings.decodeFrames) / Double(layer.hertz)
    do {
      return try PacketQueue(
        layer, magicCookie: MagicCookie.decoderCookie(settings.cookie, for: layer),
        aheadSeconds: settings.decodeFrames > 0 ? ahead : 1)
    } catch {
      throw StatusError(kAudioQueueErr_CodecNotFound)
    }
  }

  private static func plan(
    _ unit: SoundQueue, _ timePitch: TimePitchUnit?, _ taps: [TapObject]
  ) throws -> RenderPlan {
    var graph = AudioGraph()
    var node = timePitch.map { graph.add($0) } ?? graph.add(unit)
    for tap in taps {
      let next = graph.add(tap.unit)
      try graph.connect(node, to: next)
      node = next
    }
    try graph.setHead(node)
    return try graph.compile()
  }

  /// True if the frames of the player are those of the plan.
  var isDirect: Bool { timePitch == nil && taps.isEmpty }
}

// Enqueuing.
extension QueueSound {
  /// Adds a piece to the end.
  func enqueue(_ piece: Piece) throws(StatusError) {
    do {
      switch kind {
      case .samples(let form):
        let buffer = try unsafe Self.buffer(piece.bytes, form)
        try unit.enqueue(
          buffer, at: piece.start, trimStart: piece.trimStart, trimEnd: piece.trimEnd,
          changes: piece.changes, completion: piece.completion)
      case .packets(let queue, let format):
        try queue.enqueue(
          try Self.packets(piece, format), at: piece.start, trimStart: piece.trimStart,
          trimEnd: piece.trimEnd, changes: piece.changes, completion: piece.completion)
      }
    } catch let error as StatusError {
      throw error
    } catch let error as SoundQueueError {
      throw Self.status(error)
    } catch {
      throw .parameter
    }
  }

  private static func status(_ error: SoundQueueError) -> StatusError {
    switch error {
    case .full: StatusError(kAudio_MemFullError)
    case .notRendered: StatusError(kAudioQueueErr_InvalidRunState)
    case .channelMismatch, .nothingLeft: .parameter
    }
  }

  private static func buffer(
    _ bytes: UnsafeRawBufferPointer, _ form: PCMForm
  ) throws(StatusError) -> SoundBuffer {
    let frames = bytes.count / form.bytesPerFrame
    guard frames > 0, frames <= 1 << 30, let base = bytes.baseAddress else {
      throw StatusError(kAudioQueueErr_BufferEmpty)
    }
    let buffer = SoundBuffer(channelCount: form.channelCount, capacity: frames)
    switch form.sampleType {
    case .integer16: unsafe copy(base, as: Int16.self, scale: 0x1p-15, to: buffer)
    case .float32: unsafe copy(base, as: Float.self, scale: 1, to: buffer)
    default: unsafe copy(base, form, to: buffer)
    }
    return buffer
  }

  /// Copies samples of one size, which need not be aligned.
  @inline(__always)
  private static func copy<Sample: QueueSample>(
    _ source: UnsafeRawPointer, as type: Sample.Type, scale: Float, to buffer: SoundBuffer
  ) {
    let (channels, frames) = (buffer.channelCount, buffer.frameCount)
    let step = channels * MemoryLayout<Sample>.size
    for channel in 0..<channels {
      buffer.withSamples(of: channel) { samples in
        var place = unsafe source + channel * MemoryLayout<Sample>.size
        for frame in 0..<frames {
          samples[frame] = unsafe place.loadUnaligned(as: type).float * scale
          unsafe place += step
        }
      }
    }
  }

  /// Copies samples of any form, 4096 frames at a time.
  private static func copy(_ source: UnsafeRawPointer, _ form: PCMForm, to buffer: SoundBuffer) {
    let (channels, frames) = (buffer.channelCount, buffer.frameCount)
    unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: 4096 * channels) { part in
      guard let base = part.baseAddress else { return }
      for first in stride(from: 0, to: frames, by: 4096) {
        let count = min(4096, frames - first)
        unsafe form.read(
          source + first * form.bytesPerFrame, frameCount: count, buffer: 0, to: base)
        for channel in 0..<channels {
          buffer.withSamples(of: channel) { samples in
            for frame in 0..<count {
              samples[first + frame] = unsafe Float(base[frame * channels + channel])
            }
          }
        }
      }
    }
  }

  /// The packets of a piece: those that are described, or all of one size.
  private static func packets(
    _ piece: Piece, _ format: AudioStreamBasicDescription
  ) throws(StatusError) -> [[UInt8]] {
    let bytes = unsafe piece.bytes
    guard bytes.count > 0 else { throw StatusError(kAudioQueueErr_BufferEmpty) }
    guard !piece.packets.isEmpty else {
      let size = Int(format.mBytesPerPacket)
      guard size > 0 else {
        throw StatusError(kAudioConverterErr_RequiresPacketDescriptionsError)
      }
      return stride(from: 0, to: bytes.count - size + 1, by: size).map { place in
        unsafe Array(bytes[place..<place + size])
      }
    }
    var packets: [[UInt8]] = []
    for packet in piece.packets where packet.mDataByteSize > 0 {
      guard let start = Int(exactly: packet.mStartOffset), start >= 0, start <= bytes.count,
        Int(packet.mDataByteSize) <= bytes.count - start
      else { throw .parameter }
      packets.append(unsafe Array(bytes[start..<start + Int(packet.mDataByteSize)]))
    }
    return packets
  }
}

// Playing.
extension QueueSound {
  func start(at moment: SoundQueue.Moment?) throws(StatusError) {
    try run { queue in
      try queue.start(at: moment)
    } orPackets: {
      try $0.start(at: moment)
    }
  }

  func pause() throws(StatusError) {
    try run { queue in
      try queue.pause()
    } orPackets: {
      try $0.pause()
    }
  }

  func stop(draining: Bool) throws(StatusError) {
    try run { queue in
      try queue.stop(draining: draining)
    } orPackets: {
      try $0.stop(draining: draining)
    }
  }

  func reset() throws(StatusError) {
    try run { queue in
      try queue.flush()
    } orPackets: {
      try $0.flush()
    }
  }

  private func run(
    _ samples: (SoundQueue) throws -> Void, orPackets packets: (PacketQueue) throws -> Void
  ) throws(StatusError) {
    do {
      switch kind {
      case .samples: try samples(unit)
      case .packets(let queue, _): try packets(queue)
      }
    } catch {
      throw StatusError(kAudioQueueErr_InvalidRunState)
    }
  }

  /// Ends the stream after what is enqueued.
  func finish() {
    if case .packets(let queue, _) = kind { queue.finish() }
  }

  /// Prepares frames; returns how many are ready.
  func prime() -> Int {
    switch kind {
    case .samples: unit.prime()
    case .packets(let queue, _): queue.prime()
    }
  }

  /// True if nothing waits or sounds.
  var isEmpty: Bool {
    switch kind {
    case .samples: unit.waitingCount == 0
    case .packets(let queue, _): queue.waitingCount == 0
    }
  }

  /// The speed of a unit that changes time and pitch; 1 without one.
  var stretchedSpeed: Double { timePitch.map { Double($0[.speed]) } ?? 1 }

  /// Sets the play rate (1 is the recorded rate) and the pitch in cents.
  func set(rate: Float, pitch: Float) {
    if let timePitch {
      timePitch[.speed] = rate
      timePitch[.pitch] = pitch
    } else {
      unit.set(.speed, to: rate)
    }
  }
}

extension QueueSound.Event {
  init(_ event: SoundQueue.Event) {
    switch event {
    case .stopped: self = .stopped
    case .paused(let frame): self = .paused(frame: frame.frames)
    default: self = .other
    }
  }
}

/// A type of sample that is copied fast.
private protocol QueueSample: BitwiseCopyable {
  var float: Float { get }
}

extension Int16: QueueSample {
  fileprivate var float: Float { Float(self) }
}

extension Float: QueueSample {
  fileprivate var float: Float { self }
}

// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays buffers of sound in the order in which they are enqueued: a unit with one output bus.
///
/// A buffer follows the previous one without a gap, or begins at a given output frame. For a long
/// sound, fill a few buffers, and fill each of them again when it is done:
///
/// ```swift
/// let queue = SoundQueue(rate: .hertz48000)
/// try queue.enqueue(SoundBuffer(interleaved: samples)) { done in print(done.frame.frames) }
/// try queue.start()
/// ```
///
/// With speed 1, gain 1 and pan 0, samples pass unchanged. At other speeds the pitch changes too,
/// and a windowed sinc interpolates between samples, even across buffers. To keep the pitch, play
/// the queue through a `TimePitchUnit`. An empty queue is silent, reports this, and continues with
/// the next buffer. Pause, stop and flush fade out in 5 ms.
///
/// - Note: Any thread, except for `parameters`, `set` and the subscript: use these on one thread at
///   a time. The sound is made on the render thread.
@safe
public final class SoundQueue: SettableUnit, @unchecked Sendable {
  // Unchecked: the kernel belongs to the render thread, except for its gauges. The control side's
  // ends of the rings and of the snapshot are used under the lock.

  /// The parameters of a queue.
  public enum Setting: Int, Sendable, CaseIterable {
    /// Gain, a linear factor 0…16; default 1.
    case gain
    /// Pan of a stereo queue, −1 (left) to 1 (right); default 0.
    ///
    /// A queue with another channel count ignores the pan.
    case pan
    /// Speed: the number of frames of the buffers that are played for each output frame, 0.25…4;
    /// default 1.
    case speed
  }

  /// Called once for each buffer, when it was played or removed.
  public typealias Completion = @Sendable (Done) -> Void

  /// The maximum number of buffers in a queue: 1024.
  public static let bufferLimit = QueueSourceKernel.entryLimit

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The queue does not have input buses; it plays enqueued buffers.
  public var inputChannelCounts: [Int] { [] }
  /// The channel count of each output: the unit has one output bus.
  public let outputChannelCounts: [Int]
  /// The parameters: gain, pan and speed.
  public let parameters: ParameterSet
  let sampleRate: SampleRate
  let state: Mutex<State>
  let observers = Observers<Event>()
  let follower = Mutex<QueueFollower?>(nil)
  let facts = RingBuffer<QueueFact>(minimumCapacity: 4 * QueueSourceKernel.entryLimit)
  private let orders = RingBuffer<QueueOrder>(minimumCapacity: 2 * QueueSourceKernel.entryLimit)
  private let shown = Snapshot(QueueStatus())
  private let kernel: KernelBox<SoundQueueKernel>

  /// A buffer that waits or is played.
  struct Enqueued {
    let buffer: SoundBuffer
    let frameCount: Int
    let completion: Completion?
  }

  struct State {
    var nextNumber: Int64 = 0
    /// The buffers that the render thread has not returned, by number.
    var enqueued: [Int64: Enqueued] = [:]
    var waitingFrames = 0
    /// The output's frame after the last frame of the last returned buffer.
    var lastEnd: Int64 = 0
    /// The reports of the render thread that are not delivered yet.
    var untold: [(fact: QueueFact, completion: Completion?)] = []
  }

  /// Creates an empty queue, not started.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages, graphs and tracks.
  ///   - channelCount: the number of channels of the queue and its buffers, 1…64.
  ///   - rate: the sample rate.
  public init(name: String = "queue", channelCount: Int = 2, rate: SampleRate) {
    precondition((1...64).contains(channelCount), "a queue has 1 to 64 channels")
    self.name = name
    self.rate = rate
    sampleRate = rate
    outputChannelCounts = [channelCount]
    state = Mutex(State())
    parameters = ParameterSet(
      [
        Parameter("gain", .factor, 0...16, initially: 1),
        Parameter("pan", .position, -1...1, initially: 0),
        Parameter("speed", .number, 0.25...4, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      SoundQueueKernel(
        channelCount: channelCount, orders: orders.reader, facts: facts.writer,
        shown: shown.writer, bank: parameters.bank, rate: rate),
      SoundQueueKernel.function)
  }

  deinit {
    stopFollowing()
    observers.end()
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }
}

// Enqueueing.
extension SoundQueue {
  /// Adds a buffer to the end of the queue.
  ///
  /// - Parameters:
  ///   - buffer: the buffer, which must not be changed until `completion` is called.
  ///   - start: the start of the buffer, with silence before it; nil to follow the previous buffer
  ///     directly. A buffer that is too late begins as soon as the previous one has ended, and is
  ///     counted in `lateCount`.
  ///   - trimStart: the number of frames to leave out at the beginning, such as the priming of a
  ///     codec.
  ///   - trimEnd: the number of frames to leave out at the end.
  ///   - changes: changes of parameters at the start of the buffer, which remain in effect after
  ///     it.
  ///   - completion: called by `deliver` or by the thread of `follow` when the buffer was played or
  ///     flushed.
  /// - Returns: the number of the buffer, counted from 0.
  /// - Throws: `SoundQueueError`; the buffer is then not enqueued, and the completion is not
  ///   called.
  @discardableResult
  public func enqueue(
    _ buffer: SoundBuffer, at start: Moment? = nil, trimStart: Int = 0, trimEnd: Int = 0,
    changes: [Change] = [], completion: Completion? = nil
  ) throws(SoundQueueError) -> Int {
    let count = outputChannelCounts[0]
    guard buffer.channelCount == count else {
      throw .channelMismatch(queue: name, channelCount: buffer.channelCount, expected: count)
    }
    let frames = buffer.frameCount
    let (trim, overflow) = trimStart.addingReportingOverflow(trimEnd)
    guard trimStart >= 0, trimEnd >= 0, !overflow, trim < frames else {
      throw .nothingLeft(queue: name, frameCount: frames, trimStart: trimStart, trimEnd: trimEnd)
    }
    return try state.withLock { (state) throws(SoundQueueError) in
      takeFacts(&state)
      guard state.enqueued.count < Self.bufferLimit else {
        throw .full(queue: name, limit: Self.bufferLimit)
      }
      let entry = unsafe QueueEntry(
        number: state.nextNumber, samples: buffer.start(at: trimStart), stride: buffer.capacity,
        frameCount: frames - trim, startFrame: start.map { $0.frame(at: sampleRate) } ?? .min,
        gain: move(.gain, changes), pan: move(.pan, changes), speed: move(.speed, changes))
      try send(.enqueue(entry))
      buffer.hold()
      state.enqueued[entry.number] = Enqueued(
        buffer: buffer, frameCount: entry.frameCount, completion: completion)
      state.nextNumber += 1
      state.waitingFrames += entry.frameCount
      return Int(entry.number)
    }
  }

  private func move(_ setting: Setting, _ changes: [Change]) -> QueueMove {
    guard let change = changes.last(where: { $0.setting == setting }) else { return QueueMove() }
    let parameter = parameters.parameters[setting.rawValue]
    let frames = parameters.frameCount(of: change.seconds ?? parameter.rampSeconds)
    return QueueMove(value: parameter.held(change.value), frameCount: Int32(clamping: frames))
  }

  /// Returns the number of frames that remain to be played.
  ///
  /// Because the samples do not need to be decoded, the method does not prepare anything; `start`
  /// can be called directly.
  public func prime() -> Int {
    state.withLock { state in
      // Read the status first, because the next call may return the buffer that it names.
      let status = shown.read()
      takeFacts(&state)
      guard let head = state.enqueued[status.number] else { return state.waitingFrames }
      return state.waitingFrames - min(head.frameCount, Int(status.frame))
    }
  }

  /// The number of buffers that are waiting or being played.
  public var waitingCount: Int {
    state.withLock { state in
      takeFacts(&state)
      return state.enqueued.count
    }
  }
}

// Commands.
extension SoundQueue {
  /// Starts or resumes playback.
  ///
  /// If the queue is fading out to a pause, it fades in again at once, or it pauses and resumes at
  /// the given moment. A queue that plays continues to play.
  ///
  /// - Parameter moment: the start, exact to the frame; if nil or in the past, the next quantum.
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the queue is not
  ///   rendered.
  public func start(at moment: Moment? = nil) throws(SoundQueueError) {
    try command(.start(at: moment.map { $0.frame(at: sampleRate) } ?? .min))
  }

  /// Pauses playback, with a fade-out of 5 ms.
  ///
  /// `start` resumes at the same position, with a fade-in of 5 ms.
  ///
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the queue is not
  ///   rendered.
  public func pause() throws(SoundQueueError) {
    try command(.pause)
  }

  /// Stops playback, and resets the position to 0.
  ///
  /// - Parameter draining: true to play the enqueued buffers first; false to fade out in 5 ms, and
  ///   report all buffers as flushed. A call of `start` cancels a draining stop, and a paused queue
  ///   ignores one.
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the queue is not
  ///   rendered.
  public func stop(draining: Bool = false) throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      try send(draining ? .drain : .stop(before: state.nextNumber))
    }
  }

  /// Removes all buffers, including the playing one, with a fade of 5 ms.
  ///
  /// Buffers that are enqueued afterwards play directly after the fade. A queue that plays
  /// continues to play.
  ///
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the queue is not
  ///   rendered.
  public func flush() throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      try send(.flush(before: state.nextNumber))
    }
  }

  /// Sets a parameter; the change begins at the next quantum.
  ///
  /// - Parameters:
  ///   - setting: the parameter.
  ///   - value: the new value, limited to the parameter's range.
  ///   - seconds: the duration of the change in seconds; nil means 5 ms, or 20 ms for the speed.
  public func set(_ setting: Setting, to value: Float, over seconds: Double? = nil) {
    parameters.hold(setting.rawValue, to: value, over: seconds)
  }

  private func command(_ order: QueueOrder) throws(SoundQueueError) {
    try state.withLock { (_) throws(SoundQueueError) in try send(order) }
  }

  /// The caller holds the lock.
  private func send(_ order: QueueOrder) throws(SoundQueueError) {
    guard orders.writer.push(order) else { throw .notRendered(queue: name) }
  }
}

// State.
extension SoundQueue {
  /// The position after the last rendered quantum.
  public var position: Position { Position(status) }

  /// True if the queue was started and, at the end of the last rendered quantum, was playing or
  /// waiting for a buffer.
  public var isRunning: Bool { status.isRunning }

  /// The number of buffers that began later than requested.
  public var lateCount: Int { status.lateCount }

  /// The number of times that the queue ran empty during playback.
  public var dryCount: Int { status.dryCount }

  /// The number of events that were lost because they were not delivered in time.
  public var lostEventCount: Int { status.untoldCount }

  /// Returns the level of a channel after gain and pan.
  ///
  /// Channels are counted from 0.
  public func level(of channel: Int) -> Level {
    precondition((0..<outputChannelCounts[0]).contains(channel), "channel index out of range")
    return kernel.pointee.gauges.level(channel)
  }

  /// The output's frame after the last frame of the last returned buffer.
  var lastEnd: Int64 { state.withLock(\.lastEnd) }

  private var status: QueueStatus { state.withLock { _ in shown.read() } }
}

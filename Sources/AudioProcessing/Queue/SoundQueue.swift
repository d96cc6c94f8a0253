// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays buffers of sound in the order in which they were enqueued: a unit of a graph with one bus.
///
/// A buffer follows the one before it without a gap, or begins at a frame of the output. What a
/// program makes or takes bit by bit goes into buffers, and a buffer that is done comes back to be
/// filled anew:
///
/// ```swift
/// let queue = SoundQueue(rate: .hertz48000)
/// try queue.enqueue(SoundBuffer(interleaved: samples)) { done in print(done.frame.frames) }
/// try queue.start()
/// ```
///
/// At speed 1, gain 1 and in the middle the samples pass bit for bit. At another speed, pitch goes
/// with it, and what lies between the samples is found by a windowed sinc, across the joins of
/// buffers. Where pitch is to stay, a `TimePitchUnit` plays the queue. Where
/// nothing is left it is silent, says so, and goes on with the next buffer. Pausing, stopping and
/// flushing fade out in 5 ms.
///
/// - Note: Any thread, but for `parameters`, `set` and settings, which are for the control side. The
///   sound is made on the render thread.
@safe
public final class SoundQueue: SettableUnit, @unchecked Sendable {
  // Unchecked: the kernel is the render thread's but for its gauges; the ends of the rings that are not
  // the kernel's, and of the snapshot, are used under the lock.

  /// The parameters of a queue.
  public enum Setting: Int, Sendable, CaseIterable {
    /// A linear factor, 0…16; 1 at first.
    case gain
    /// Where a stereo bus stands between left, −1, and right, 1; 0 at first. Others are left alone.
    case pan
    /// Frames played for each of the output, 0.25…4; 1 at first.
    case speed
  }

  /// What is called once with a buffer that is done.
  public typealias Completion = @Sendable (Done) -> Void

  /// The buffers that can wait.
  public static let bufferLimit = QueueSourceKernel.entryLimit

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// None: it plays what is enqueued.
  public var inputChannelCounts: [Int] { [] }
  /// One bus.
  public let outputChannelCounts: [Int]
  /// Gain, pan and speed.
  public let parameters: ParameterSet
  let sampleRate: SampleRate
  let state: Mutex<State>
  let observers = Observers<Event>()
  let follower = Mutex<QueueFollower?>(nil)
  let facts = RingBuffer<QueueFact>(minimumCapacity: 4 * QueueSourceKernel.entryLimit)
  private let orders = RingBuffer<QueueOrder>(minimumCapacity: 2 * QueueSourceKernel.entryLimit)
  private let shown = Snapshot(QueueStatus())
  private let kernel: KernelBox<SoundQueueKernel>

  /// A buffer that is under way.
  struct Enqueued {
    let buffer: SoundBuffer
    let frameCount: Int
    let completion: Completion?
  }

  struct State {
    var nextNumber: Int64 = 0
    /// Those that the render thread has not given back, by their numbers.
    var enqueued: [Int64: Enqueued] = [:]
    var waitingFrames = 0
    /// The output's frame after the last one of the last buffer that came back.
    var lastEnd: Int64 = 0
    /// What the render thread told, and somebody is to be told yet.
    var untold: [(fact: QueueFact, completion: Completion?)] = []
  }

  /// Creates a queue that is empty and stands still.
  ///
  /// - Parameters:
  ///   - name: what the unit is called in messages, and by tracks.
  ///   - channelCount: the channels of its bus and of its buffers, 1…64.
  ///   - rate: frames a second.
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

  /// The queue's kernel.
  public var step: RenderStep { kernel.step }
}

// What goes in.
extension SoundQueue {
  /// Adds a buffer to the end of the queue.
  ///
  /// - Parameters:
  ///   - buffer: the sound; it is not to be changed until it is done.
  ///   - start: when it begins: nil right after what is before it. Before that there is silence; a
  ///     buffer that is late begins as soon as what is before it has ended, and is counted.
  ///   - trimStart: frames at its beginning that are left out, such as a codec's priming.
  ///   - trimEnd: frames at its end that are left out.
  ///   - changes: what is set as it begins, and stays so.
  ///   - completion: called by `deliver` or the thread of `follow` when the buffer was played or
  ///     flushed.
  /// - Returns: its number, counted from 0.
  /// - Throws: `SoundQueueError`; the buffer is left alone, and the completion is not called.
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

  /// Says how many frames are left to be played, without those of the sounding buffer that were.
  ///
  /// Samples need no decoding, so nothing more is to be done before a start.
  public func prime() -> Int {
    state.withLock { state in
      // The status first: the buffer that it names may be taken back by what follows.
      let status = shown.read()
      takeFacts(&state)
      guard let head = state.enqueued[status.number] else { return state.waitingFrames }
      return state.waitingFrames - min(head.frameCount, Int(status.frame))
    }
  }

  /// The buffers that wait or sound.
  public var waitingCount: Int {
    state.withLock { state in
      takeFacts(&state)
      return state.enqueued.count
    }
  }
}

// What it does.
extension SoundQueue {
  /// Plays, from where it is.
  ///
  /// What is being paused comes back, or pauses and goes on at the moment; what plays goes on.
  ///
  /// - Parameter moment: when, to the frame; nil, and one that has gone by, with the next quantum.
  /// - Throws: `SoundQueueError.notRendered`.
  public func start(at moment: Moment? = nil) throws(SoundQueueError) {
    try command(.start(at: moment.map { $0.frame(at: sampleRate) } ?? .min))
  }

  /// Stands still and keeps its place; `start` goes on from there, with a fade of 5 ms.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func pause() throws(SoundQueueError) {
    try command(.pause)
  }

  /// Stops, and counts from 0 again.
  ///
  /// - Parameter draining: whether what is enqueued is played first; a start takes that back, and a
  ///   queue that stands still is left alone. If not it fades out in 5 ms, and all that was enqueued
  ///   comes back, flushed.
  /// - Throws: `SoundQueueError.notRendered`.
  public func stop(draining: Bool = false) throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      try send(draining ? .drain : .stop(before: state.nextNumber))
    }
  }

  /// Takes back all that was enqueued so far, what sounds too, with a fade of 5 ms; what is enqueued
  /// after it follows at once, and a queue that plays goes on.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func flush() throws(SoundQueueError) {
    try state.withLock { (state) throws(SoundQueueError) in
      try send(.flush(before: state.nextNumber))
    }
  }

  /// Sets a parameter, from the next quantum on, in a time of one's own.
  ///
  /// - Parameters:
  ///   - setting: what is set.
  ///   - value: where it goes, held within its range.
  ///   - seconds: in what time; nil takes 5 ms, and 20 ms for the speed.
  public func set(_ setting: Setting, to value: Float, over seconds: Double? = nil) {
    parameters.hold(setting.rawValue, to: value, over: seconds)
  }

  private func command(_ order: QueueOrder) throws(SoundQueueError) {
    try state.withLock { (_) throws(SoundQueueError) in try send(order) }
  }

  /// Called under the lock.
  private func send(_ order: QueueOrder) throws(SoundQueueError) {
    guard orders.writer.push(order) else { throw .notRendered(queue: name) }
  }
}

// What it shows.
extension SoundQueue {
  /// Where it is, after the last quantum that was rendered.
  public var position: Position { Position(status) }

  /// Whether it plays, or waits for a buffer to do so, after the last quantum that was rendered.
  public var isRunning: Bool { status.isRunning }

  /// Buffers that were to begin at a frame that had gone by.
  public var lateCount: Int { status.lateCount }

  /// How often nothing was left while it played.
  public var dryCount: Int { status.dryCount }

  /// Events that nobody fetched in time, and that were left out.
  public var lostEventCount: Int { status.untoldCount }

  /// What the meter behind gain and pan shows for a channel, counted from 0.
  public func level(of channel: Int) -> Level {
    precondition((0..<outputChannelCounts[0]).contains(channel), "channel index out of range")
    return kernel.pointee.gauges.level(channel)
  }

  /// The output's frame after the last one of the last buffer that came back.
  var lastEnd: Int64 { state.withLock(\.lastEnd) }

  private var status: QueueStatus { state.withLock { _ in shown.read() } }
}

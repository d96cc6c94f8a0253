// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Captures the sound of a bus or an input, and delivers it in buffers of equal length, with exact
/// times.
///
/// The queue is a unit without outputs. To capture the sound that was played, connect it to the
/// output of a `SoundQueue`; to capture the sound that a device records, connect it to an
/// `InputUnit`. In both cases times are frames of the output that renders the graph. Without a
/// graph, `read` fills the queue from a `SoundInput`.
///
/// ```swift
/// let capture = CaptureQueue(bufferFrames: 4800, rate: .hertz48000)
/// try graph.connect(node, to: graph.add(capture))
/// let sounds = capture.sounds
/// try capture.follow()
/// try capture.start(at: .frame(48_000))
/// for await sound in sounds { print(sound.start.frames, sound.frameCount) }
/// ```
///
/// A sound has the requested length, unless a gap, a pause or the stop ends it earlier. Frames that
/// were not delivered in time are dropped, and the number of dropped frames is reported.
///
/// - Note: Any thread, unless stated otherwise.
public final class CaptureQueue: ProcessingUnit, @unchecked Sendable {
  // Unchecked: the kernel belongs to the thread that renders or reads, except for its gauges and
  // counters. The other ends of the rings are used under the lock.

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The queue does not have output buses.
  public var outputChannelCounts: [Int] { [] }
  /// The length of a delivered sound in frames, unless it ends earlier.
  public let bufferFrames: Int
  let sampleRate: SampleRate
  let state: Mutex<State>
  let observers = Observers<Event>()
  let follower = Mutex<QueueFollower?>(nil)
  let failed = Mutex<(any Error)?>(nil)
  let kernel: KernelBox<CaptureKernel>
  private let samples: RingBuffer<Float>
  private let marks = RingBuffer<CaptureMark>(minimumCapacity: CaptureKernel.markLimit)
  private let orders = RingBuffer<CaptureOrder>(
    minimumCapacity: CaptureKernel.orderLimit)

  struct State {
    /// The number of frames read from the ring.
    var taken: Int64 = 0
    /// The marks among the frames that are still in the ring.
    var marks: [CaptureMark] = []
    /// The frames of the next sound, and the position of the first.
    var filling: [Float] = []
    var start: Int64 = 0
  }

  /// Creates a queue that does not capture yet.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64.
  ///   - bufferFrames: the length of each delivered sound in frames, 1…2²⁰.
  ///   - bufferCount: the number of sounds that can wait to be delivered, 2…1024; the buffer has at
  ///     least 256 frames in total.
  ///   - rate: the sample rate.
  public init(
    name: String = "capture", channelCount: Int = 2, bufferFrames: Int = 4096,
    bufferCount: Int = 16, rate: SampleRate
  ) {
    precondition((1...64).contains(channelCount), "a capture has 1 to 64 channels")
    precondition((1...1 << 20).contains(bufferFrames), "a captured sound has 1 to 2^20 frames")
    precondition((2...1024).contains(bufferCount), "the queue holds 2 to 1024 buffers")
    self.name = name
    self.rate = rate
    self.bufferFrames = bufferFrames
    sampleRate = rate
    inputChannelCounts = [channelCount]
    state = Mutex(State())
    samples = RingBuffer(minimumCapacity: max(256, bufferFrames * bufferCount) * channelCount)
    kernel = unsafe KernelBox(
      CaptureKernel(
        channelCount: channelCount, samples: samples.writer, marks: marks.writer,
        orders: orders.reader, rate: rate),
      CaptureKernel.function)
  }

  deinit {
    stopFollowing()
    observers.end()
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  var channelCount: Int { inputChannelCounts[0] }
}

// Commands.
extension CaptureQueue {
  /// Starts to capture at a moment, exact to the frame.
  ///
  /// A queue that already captures continues to do so.
  ///
  /// - Parameter moment: the start; if nil or in the past, the next quantum.
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the queue is not
  ///   rendered.
  public func start(at moment: SoundQueue.Moment? = nil) throws(SoundQueueError) {
    try send(.start(at: moment.map { $0.frame(at: sampleRate) } ?? .min))
  }

  /// Pauses the capture at the next quantum, until the next start.
  ///
  /// Sound that was already captured is delivered.
  ///
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the queue is not
  ///   rendered.
  public func pause() throws(SoundQueueError) {
    try send(.pause)
  }

  /// Stops the capture at the next quantum, delivers the sound that was already captured, and ends
  /// the streams of `sounds`.
  ///
  /// The queue can be started again.
  ///
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the queue is not
  ///   rendered.
  public func stop() throws(SoundQueueError) {
    try send(.stop)
  }

  private func send(_ order: CaptureOrder) throws(SoundQueueError) {
    try state.withLock { (_) throws(SoundQueueError) in
      guard orders.writer.push(order) else { throw .notRendered(queue: name) }
    }
  }
}

// State.
extension CaptureQueue {
  /// True if the queue was capturing at the end of the last rendered quantum.
  public var isRunning: Bool { kernel.pointee.isRunning.load(ordering: .acquiring) }

  /// The number of frames that were dropped because earlier sound was not delivered in time.
  public var droppedFrameCount: Int { kernel.pointee.droppedFrames.load(ordering: .relaxed) }

  /// The number of times that the device lost sound.
  public var gapCount: Int { kernel.pointee.gaps.load(ordering: .relaxed) }

  /// The error that ended the input; nil if the input works.
  public var failure: (any Error)? { failed.withLock { $0 } }

  /// Returns the level of a channel of the incoming sound, even if it is not being captured.
  ///
  /// Channels are counted from 0.
  public func level(of channel: Int) -> Level {
    precondition((0..<channelCount).contains(channel), "channel index out of range")
    return kernel.pointee.gauges.level(channel)
  }
}

// Reading of the rings, under the lock.
extension CaptureQueue {
  /// Reads the rings, and returns the resulting events.
  func takeEvents(_ clock: SampleClock?, endsSound: Bool) -> [Event] {
    state.withLock { state in
      // Read the count first: the marks of all counted frames are then present.
      let end = state.taken + Int64(samples.reader.count / channelCount)
      while let mark = marks.reader.pop() { state.marks.append(mark) }
      var events: [Event] = []
      while true {
        fill(&state, upTo: min(end, state.marks.first?.taken ?? end), clock, &events)
        guard let mark = state.marks.first, mark.taken <= state.taken else {
          if endsSound { handOut(&state, clock, &events) }
          return events
        }
        state.marks.removeFirst()
        handOut(&state, clock, &events)
        tell(mark, &events)
        state.start = mark.frame
      }
    }
  }

  private func fill(
    _ state: inout State, upTo end: Int64, _ clock: SampleClock?, _ events: inout [Event]
  ) {
    while state.taken < end {
      let room = bufferFrames - state.filling.count / channelCount
      let count = min(room, Int(end - state.taken))
      if state.filling.isEmpty { state.filling.reserveCapacity(bufferFrames * channelCount) }
      _ = samples.reader.pop(atMost: count * channelCount) { state.filling.append($0) }
      state.taken += Int64(count)
      if count == room { handOut(&state, clock, &events) }
    }
  }

  private func handOut(_ state: inout State, _ clock: SampleClock?, _ events: inout [Event]) {
    guard !state.filling.isEmpty else { return }
    let host = clock.map {
      $0.timeline.timeRoundedUp(atCount: state.start).advanced(saturating: $0.delay)
    }
    let sound = CapturedSound(
      channelCount: channelCount, start: SampleTime(frames: state.start), host: host,
      samples: state.filling)
    state.start += Int64(sound.frameCount)
    state.filling = []
    events.append(.sound(sound))
  }

  private func tell(_ mark: CaptureMark, _ events: inout [Event]) {
    let frame = SampleTime(frames: mark.frame)
    if mark.lost != 0 {
      events.append(.dropped(frame: frame, frameCount: mark.lost < 0 ? nil : Int(mark.lost)))
    }
    switch mark.kind {
    case .begin: break
    case .paused: events.append(.paused(frame: frame))
    case .stopped: events.append(.stopped(frame: frame))
    }
  }
}

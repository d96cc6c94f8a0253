// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Hands out what a bus carries, or an input gives, in buffers of one length with their exact time.
///
/// It is a unit without an output. Beside whatever else hears a bus it is a tap: of a `SoundQueue`
/// it gets what was played, of an `InputUnit` what came from a device, and both in the frames of the
/// output that runs the graph. Without a graph, `read` fills it from a `SoundInput`.
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
/// A sound has the length that was asked for, unless a gap, a pause or the stop ends it before. What
/// nobody fetched in time is left out and told of, with the number of frames.
///
/// - Note: Any thread, but for what says otherwise.
public final class CaptureQueue: ProcessingUnit, @unchecked Sendable {
  // Unchecked: the kernel is that of the thread that renders or reads, but for its gauges and counts;
  // the other ends of the rings are used under the lock.

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// One bus.
  public let inputChannelCounts: [Int]
  /// None.
  public var outputChannelCounts: [Int] { [] }
  /// The frames of a sound that nothing cuts short.
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
    /// The frames that were taken from the ring.
    var taken: Int64 = 0
    /// What lies among those that are there still.
    var marks: [CaptureMark] = []
    /// What is to become a sound, and its first frame.
    var filling: [Float] = []
    var start: Int64 = 0
  }

  /// Creates a queue that takes nothing yet.
  ///
  /// - Parameters:
  ///   - name: what the unit is called in messages.
  ///   - channelCount: the channels of its bus, 1…64.
  ///   - bufferFrames: the frames of a sound, 1…2²⁰.
  ///   - bufferCount: the sounds that can wait until somebody fetches them, 2…1024; they hold 256
  ///     frames at least in all.
  ///   - rate: frames a second.
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

  /// The queue's kernel.
  public var step: RenderStep { kernel.step }

  var channelCount: Int { inputChannelCounts[0] }
}

// What it does.
extension CaptureQueue {
  /// Takes frames from a moment on, exact to the frame; where it takes them already it goes on.
  ///
  /// - Parameter moment: when; nil, and one that has gone by, with the next quantum.
  /// - Throws: `SoundQueueError.notRendered`.
  public func start(at moment: SoundQueue.Moment? = nil) throws(SoundQueueError) {
    try send(.start(at: moment.map { $0.frame(at: sampleRate) } ?? .min))
  }

  /// Takes nothing from the next quantum on, until it is started; what it has is handed out.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func pause() throws(SoundQueueError) {
    try send(.pause)
  }

  /// Takes nothing from the next quantum on, hands out what it has and ends the streams of `sounds`;
  /// it can be started again.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func stop() throws(SoundQueueError) {
    try send(.stop)
  }

  private func send(_ order: CaptureOrder) throws(SoundQueueError) {
    try state.withLock { (_) throws(SoundQueueError) in
      guard orders.writer.push(order) else { throw .notRendered(queue: name) }
    }
  }
}

// What it shows.
extension CaptureQueue {
  /// Whether it takes frames, after the last quantum.
  public var isRunning: Bool { kernel.pointee.isRunning.load(ordering: .acquiring) }

  /// Frames that were left out because nobody fetched what was before them.
  public var droppedFrameCount: Int { kernel.pointee.droppedFrames.load(ordering: .relaxed) }

  /// How often the device that is read has lost sound.
  public var gapCount: Int { kernel.pointee.gaps.load(ordering: .relaxed) }

  /// Why the input that is read gives nothing any more; nil while it does.
  public var failure: (any Error)? { failed.withLock { $0 } }

  /// What the meter shows for a channel, counted from 0: of what comes, whether it is taken or not.
  public func level(of channel: Int) -> Level {
    precondition((0..<channelCount).contains(channel), "channel index out of range")
    return kernel.pointee.gauges.level(channel)
  }
}

// What comes out of the rings, under the lock.
extension CaptureQueue {
  /// Takes what waits, and says what became of it.
  func takeEvents(_ clock: SampleClock?, endsSound: Bool) -> [Event] {
    state.withLock { state in
      // The count comes first: the marks of all frames that it tells of are there then.
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

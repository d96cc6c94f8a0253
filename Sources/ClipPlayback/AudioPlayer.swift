// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays sounds of any length from disk or memory: a unit of an audio graph with one stereo bus.
///
/// Sounds are played without gaps, in the order in which they were appended. The player reads about
/// 65,000 frames in advance, on a thread that `follow` starts; if you do not call `follow`, call
/// `fill` regularly. Commands return immediately with an ``AudioReceipt``, with which you can wait
/// until the command is audible.
///
/// - Note: Safe to use from any thread except the render thread.
@safe
public final class AudioPlayer: ProcessingUnit, @unchecked Sendable {
  // Unchecked: only the render thread uses the kernel, except its gauges; all else is under the
  // lock.

  /// The position of a player in its queue.
  public struct Position: Hashable, Sendable {
    /// The index of the sound in the queue, counted from 0.
    public let item: Int
    /// The frame of the sound that is rendered next, counted at the sample rate of the sound.
    public let frame: SampleTime
    /// The sample rate of the sound.
    public let rate: SampleRate

    /// The exact position in seconds, as a ratio.
    public var seconds: Ratio { Ratio(frame.frames, over: Int64(rate.hertz)) }
  }

  /// A function that is called when the last sound of the queue has been played.
  ///
  /// The argument is the output frame that follows the sound's last frame.
  public typealias Completion = @Sendable (SampleTime) -> Void

  /// The name of the unit, for messages and graphs.
  public let name: String
  /// The sample rate of the output.
  public let rate: SampleRate
  private let pool = StreamPool()
  private let orders = RingBuffer<StreamOrder>(minimumCapacity: 64)
  private let chunks = RingBuffer<StreamChunk>(minimumCapacity: 2 * StreamChunk.count)
  private let freed = RingBuffer<Int32>(minimumCapacity: 2 * StreamChunk.count)
  private let facts = RingBuffer<StreamFact>(minimumCapacity: 256)
  let kernel: UnsafeMutablePointer<StreamKernel>
  let state: Mutex<State>
  /// The interval in microseconds at which the thread reads ahead: a hundredth of the time read
  /// ahead.
  private static let pause: UInt32 = 10_000
  private let follower = Mutex<RepeatingThread?>(nil)

  struct State {
    var feeder: StreamFeeder
    var gain: Float = 1
    var pan: Float = 0
    var speed: Float = 1
    var completion: Completion?
    var endFrames: [Int64] = []
    var waiters = OrderWaiters()
    /// Orders that do not fit into the ring yet.
    var unsent: [StreamOrder] = []
  }

  /// Creates a player with an empty queue.
  ///
  /// - Parameters:
  ///   - name: The name of the unit, for messages and graphs.
  ///   - rate: The sample rate of the output.
  public init(name: String = "player", rate: SampleRate) {
    self.name = name
    self.rate = rate
    let feeder = StreamFeeder(
      pool: pool, rate: rate, chunks: chunks.writer, freed: freed.reader)
    state = Mutex(State(feeder: feeder))
    unsafe kernel = .allocate(capacity: 1)
    unsafe kernel.initialize(
      to: StreamKernel(
        pool: pool, orders: orders.reader, chunks: chunks.reader, freed: freed.writer,
        facts: facts.writer, rate: rate))
  }

  deinit {
    stopFollowing()
    unsafe kernel.deinitialize(count: 1).deallocate()
  }

  /// Empty: the player does not have inputs.
  public var inputChannelCounts: [Int] { [] }

  /// The channel count of each output: one stereo bus.
  public var outputChannelCounts: [Int] { [2] }

  /// The player's kernel, with the function that renders one quantum.
  public var step: RenderStep {
    unsafe RenderStep(kernel: kernel, function: StreamKernel.function)
  }
}

extension AudioPlayer {
  /// Appends a file to the queue.
  ///
  /// - Parameters:
  ///   - path: The name of the file.
  ///   - range: The range to play, in frames of the file; nil for the whole file.
  ///   - repeats: The number of repetitions after the first pass; nil to repeat endlessly.
  ///   - start: The output frame at which the file starts; nil to start directly after the previous
  ///     sound.
  /// - Throws: `ClipError`.
  public func append(
    path: String, range: Range<SampleTime>? = nil, repeats: Int? = 0, at start: SampleTime? = nil
  ) throws(ClipError) {
    let reader: SoundFileReader
    do {
      reader = try SoundFileReader(path: path)
    } catch {
      throw .unreadable(error)
    }
    try append(reader, range: range, repeats: repeats, at: start)
  }

  /// Appends a file that is already open, such as a pipe, to the queue.
  ///
  /// The player takes ownership of the reader.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - range: The range to play, in frames of the file; nil for the whole file.
  ///   - repeats: The number of repetitions after the first pass; nil to repeat endlessly.
  ///   - start: The output frame at which the file starts; nil to start directly after the previous
  ///     sound.
  /// - Throws: `ClipError.tooManyChannels` for more than 32 channels, `.empty`, or `.unreadable` if
  ///   the rate cannot be converted.
  public func append(
    _ reader: sending SoundFileReader, range: Range<SampleTime>? = nil, repeats: Int? = 0,
    at start: SampleTime? = nil
  ) throws(ClipError) {
    guard reader.channelCount <= 32 else {
      throw .tooManyChannels(path: reader.path, count: reader.channelCount)
    }
    guard reader.frameCount > 0 else { throw .empty(path: reader.path) }
    do {
      try reader.setClient(Self.client(rate))
    } catch {
      throw .unreadable(error)
    }
    let all = 0..<(reader.frameCount == .max ? StreamSource.endless : Int64(reader.frameCount))
    let part = range.map { $0.lowerBound.frames..<$0.upperBound.frames } ?? all
    add(
      StreamSource(
        sound: .file(reader), range: part.clamped(to: all), repeats: repeats,
        startFrame: start?.frames ?? .min, rate: reader.rate))
  }

  // If the property is passed directly, Swift 6.3.1 turns it into a nil rate.
  private static func client(_ rate: SampleRate) -> ClientFormat {
    ClientFormat(rate: rate, channelCount: 2, quality: .high)
  }

  /// Appends samples in memory to the queue.
  ///
  /// - Parameters:
  ///   - samples: Interleaved stereo samples, at the player's rate.
  ///   - start: The output frame at which the samples start, with silence before it; nil to start
  ///     directly after the previous sound.
  /// - Precondition: `samples` has complete frames.
  public func schedule(_ samples: [Float], at start: SampleTime? = nil) {
    precondition(samples.count % 2 == 0, "samples must be whole stereo frames")
    add(
      StreamSource(
        sound: .samples(samples), range: 0..<Int64(samples.count / 2), repeats: 0,
        startFrame: start?.frames ?? .min, rate: rate))
  }

  private func add(_ source: StreamSource) {
    state.withLock { $0.feeder.append(source) }
  }

  /// Starts playback, or continues it after `stop`.
  ///
  /// - Parameters:
  ///   - start: The output frame at which to start, exact to the frame; nil for immediately.
  ///     Players that start at the same frame play in sync. `SoundBoard.frame(at:)` converts a host
  ///     time to a frame.
  ///   - completion: Called once, when the last sound of the queue has been played to its end.
  /// - Returns: A receipt to wait for the start.
  @discardableResult
  public func start(
    at start: SampleTime? = nil, completion: Completion? = nil
  ) -> AudioReceipt {
    fill()
    return state.withLock { state in
      if let completion { state.completion = completion }
      return send(.play(at: start?.frames ?? .min), due: start?.frames, &state)
    }
  }

  /// Stops playback with a fade of 5 ms, and keeps the position.
  ///
  /// `start` continues at the same position.
  ///
  /// - Returns: A receipt to wait for the stop.
  @discardableResult
  public func stop() -> AudioReceipt {
    state.withLock { send(.pause, &$0) }
  }

  /// Seeks to a frame of a sound, with fades of 5 ms during playback.
  ///
  /// - Parameters:
  ///   - position: The frame, counted at the sample rate of the sound; clamped to the range that is
  ///     played.
  ///   - item: The index of the sound, counted from 0; nil for the current one.
  /// - Returns: A receipt to wait for the new position.
  @discardableResult
  public func locate(to position: SampleTime, item: Int? = nil) -> AudioReceipt {
    let item = item ?? self.position.item
    return state.withLock { state in
      let order = state.feeder.seek(to: item, frame: position.frames)
      state.feeder.fill(usesReserve: true)
      return send(order, &state)
    }
  }

  /// Repeats a part of the current sound endlessly, without gaps.
  ///
  /// If the position is outside the part, playback continues from the start of the part.
  ///
  /// - Parameter part: The range of frames, counted at the sample rate of the sound and clamped to
  ///   the range that is played; nil to remove the loop.
  /// - Returns: A receipt to wait for the change; nil if the part does not contain a frame of the
  ///   sound, in which case nothing is repeated.
  @discardableResult
  public func setLoop(_ part: Range<SampleTime>?) -> AudioReceipt? {
    let place = position
    return state.withLock { state in
      let range = part.map { $0.lowerBound.frames..<$0.upperBound.frames }
      let isSet = state.feeder.setLoop(range, of: place.item)
      let frame = place.frame.frames
      let isInside = range.map { $0.contains(frame) } ?? true
      let target = isSet && !isInside ? range?.lowerBound ?? frame : frame
      let order = state.feeder.seek(to: place.item, frame: target)
      state.feeder.fill(usesReserve: true)
      let receipt = send(order, &state)
      return isSet ? receipt : nil
    }
  }

  /// The position of the next frame that is rendered, which is not audible yet.
  public var position: Position {
    let (item, frame) = place
    return state.withLock { state in
      guard state.feeder.sources.indices.contains(item) else {
        return Position(item: item, frame: SampleTime(frames: frame), rate: rate)
      }
      let source = state.feeder.sources[item]
      let own = state.feeder.unscaled(frame, of: source)
      return Position(item: item, frame: SampleTime(frames: own), rate: source.rate)
    }
  }

  /// The frame that is rendered next, at the player's rate.
  var playedFrame: Int64 { place.frame }

  private var place: (item: Int, frame: Int64) {
    let place = unsafe kernel.pointee.gauges.pointee.place.load(ordering: .relaxed)
    return (Int(place >> 44), Int64(place & 0xFFF_FFFF_FFFF))
  }

  /// True if the player is playing, or was started and is waiting for its start frame.
  public var isPlaying: Bool {
    unsafe kernel.pointee.gauges.pointee.isPlaying.load(ordering: .relaxed)
  }

  /// The number of files that ended before their stated length.
  public var shortCount: Int { state.withLock { $0.feeder.shortCount } }

  func send(
    _ order: StreamOrder, due: Int64? = nil, _ state: inout State
  ) -> AudioReceipt {
    sendWaiting(&state)
    if let last = state.unsent.last, order.replaces(last) {
      state.unsent[state.unsent.count - 1] = order
      return AudioReceipt(player: self, progress: state.waiters.addToLast(due: due ?? .min))
    }
    // While nothing is rendered, the ring fills up: the rest is sent when there is room.
    if !state.unsent.isEmpty || !orders.writer.push(order) { state.unsent.append(order) }
    return AudioReceipt(player: self, progress: state.waiters.add(due: due ?? .min))
  }

  private func sendWaiting(_ state: inout State) {
    guard !state.unsent.isEmpty else { return }
    state.unsent.removeFirst(state.unsent.prefix { orders.writer.push($0) }.count)
  }

  func sendGains(seconds: Double = 0.005, _ state: inout State) {
    let sides = PanLaw.balance.gains(at: state.pan)
    let frames = Int32(clamping: Int(min(seconds, 3600) * Double(rate.hertz)))
    _ = send(
      .gains(left: state.gain * sides.left, right: state.gain * sides.right, frames: frames),
      &state)
  }

  /// Calls a function with the tasks that wait for orders.
  func withWaiters<Result>(_ body: (inout OrderWaiters) -> sending Result) -> sending Result {
    state.withLock { body(&$0.waiters) }
  }
}

extension AudioPlayer {
  /// Reads sound in advance, until the player's buffers are full.
  ///
  /// You do not need to call this method if `follow` was called.
  public func fill() {
    state.withLock { state in
      sendWaiting(&state)
      state.feeder.fill()
    }
  }

  /// Resumes tasks that wait for commands that are now audible, and calls the completion if the
  /// queue has been played.
  ///
  /// You do not need to call this method if `follow` was called.
  ///
  /// - Parameter frame: The output frame that is audible now.
  public func deliver(heardThrough frame: SampleTime) {
    let (waiting, due) = state.withLock { state in
      takeFacts(&state)
      return (state.waiters.hear(frame.frames), Self.takeEnd(before: frame.frames, &state))
    }
    for waiter in waiting { waiter.continuation.resume(returning: waiter.frame) }
    if let due { due.completion(SampleTime(frames: due.endFrame)) }
  }

  private func takeFacts(_ state: inout State) {
    while let fact = facts.reader.pop() {
      switch fact {
      case .ended(let frame): state.endFrames.append(frame)
      case .taken(let count, let frame): state.waiters.note(taken: count, at: frame)
      }
    }
  }

  private static func takeEnd(
    before frame: Int64, _ state: inout State
  ) -> (completion: Completion, endFrame: Int64)? {
    guard let end = state.endFrames.last(where: { $0 <= frame }) else { return nil }
    state.endFrames.removeAll { $0 <= frame }
    return state.completion.take().map { ($0, end) }
  }

  /// Starts a thread that reads sound in advance, and reports audible commands and the end of the
  /// queue.
  ///
  /// - Parameters:
  ///   - output: The output that renders the player.
  ///   - plan: The plan that the output renders, whose latency is added to that of the output; nil
  ///     to use the output's latency alone.
  /// - Throws: `RealtimeError` if the thread cannot be created.
  public func follow(_ output: any OutputUnit, rendering plan: RenderPlan? = nil) throws {
    // The protocol allows any thread to read the position of an output.
    nonisolated(unsafe) let output = output
    let new = try RepeatingThread(name: "read ahead", pause: Self.pause) { [weak self, weak plan] in
      guard let self else { return false }
      fill()
      let heard = unsafe output.position.frames - Int64(output.latency + (plan?.latency ?? 0))
      deliver(heardThrough: SampleTime(frames: heard))
      return true
    }
    let old = follower.withLock { follower in
      defer { follower = new }
      return follower
    }
    old?.stop()
  }

  /// Stops the thread that `follow` started.
  ///
  /// Tasks that wait for a receipt receive the error `ClipError.notRunning`.
  public func stopFollowing() {
    follower.withLock { $0.take() }?.stop()
    for gone in withWaiters({ $0.takeWaiters() }) { gone.resume(throwing: ClipError.notRunning) }
  }
}

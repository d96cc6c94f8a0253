// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays sounds of any length, read ahead from the disk: a unit of a graph with one stereo bus.
///
/// Sounds are played in the order in which they were appended, without a gap. The player reads
/// ahead by some 65 000 frames; `follow` gives it a thread to do so, and without one `fill` does.
/// Commands return at once, and a receipt that can be awaited until they are heard.
///
/// - Note: Control side, any thread.
@safe
public final class AudioPlayer: ProcessingUnit, @unchecked Sendable {
  // Unchecked: the kernel is the render thread's but for its gauges; all else is under the lock.

  /// Where a player is.
  public struct Position: Hashable, Sendable {
    /// Which of the sounds, counted from 0.
    public let item: Int
    /// The frame of that sound that is rendered next, at the sound's own rate.
    public let frame: SampleTime
    /// The sound's own rate.
    public let rate: SampleRate

    /// The position in seconds, exactly.
    public var seconds: Ratio { Ratio(frame.frames, over: Int64(rate.hertz)) }
  }

  /// What is called when the last sound has been heard, with the frame of the output after its
  /// last one.
  public typealias Completion = @Sendable (SampleTime) -> Void

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The rate of the output.
  public let rate: SampleRate
  private let pool = StreamPool()
  private let orders = RingBuffer<StreamOrder>(minimumCapacity: 64)
  private let chunks = RingBuffer<StreamChunk>(minimumCapacity: 2 * StreamChunk.count)
  private let freed = RingBuffer<Int32>(minimumCapacity: 2 * StreamChunk.count)
  private let facts = RingBuffer<StreamFact>(minimumCapacity: 256)
  private let kernel: UnsafeMutablePointer<StreamKernel>
  let state: Mutex<State>
  /// Microseconds between two looks: a hundredth of what is read ahead.
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

  /// None.
  public var inputChannelCounts: [Int] { [] }

  /// One stereo bus.
  public var outputChannelCounts: [Int] { [2] }

  /// The player's kernel.
  public var step: RenderStep {
    unsafe RenderStep(kernel: kernel, function: StreamKernel.function)
  }
}

extension AudioPlayer {
  /// Adds a file to the end of the queue.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - range: the part to play, in frames of the file; nil for all.
  ///   - repeats: how often the part is played again; nil for ever.
  ///   - start: the frame of the output at which it starts; nil right after what is before it.
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

  /// Adds a file that was opened already, such as a pipe's; from here on it is the player's.
  ///
  /// - Parameters:
  ///   - reader: the file.
  ///   - range: the part to play, in frames of the file; nil for all.
  ///   - repeats: how often the part is played again; nil for ever.
  ///   - start: the frame of the output at which it starts; nil right after what is before it.
  /// - Throws: `ClipError`.
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

  // Swift 6.3.1 turns the property into a nil rate where it is handed over at once.
  private static func client(_ rate: SampleRate) -> ClientFormat {
    ClientFormat(rate: rate, channelCount: 2, quality: .high)
  }

  /// Adds samples in memory to the end of the queue.
  ///
  /// - Parameters:
  ///   - samples: interleaved stereo, at the player's rate.
  ///   - start: the frame of the output at which they start; nil right after what is before them.
  ///     Before that there is silence.
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

  /// Starts from where the player is.
  ///
  /// - Parameters:
  ///   - start: the frame of the output at which to begin, to the sample; nil at once. Players
  ///     that are given the same frame play in sync; `SoundBoard.frame(at:)` has the frame of a
  ///     host time.
  ///   - completion: called once, when the last sound of the queue has been heard to its end.
  /// - Returns: What can be awaited.
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

  /// Fades out in 5 ms and keeps its place; `start` goes on from there.
  @discardableResult
  public func stop() -> AudioReceipt {
    state.withLock { send(.pause, &$0) }
  }

  /// Goes to a frame of a sound, with fades of 5 ms where it plays.
  ///
  /// - Parameters:
  ///   - position: the frame, at the sound's own rate; held within the part that is played.
  ///   - item: which of the sounds, counted from 0; nil for the one that is played.
  /// - Returns: What can be awaited.
  @discardableResult
  public func locate(to position: SampleTime, item: Int? = nil) -> AudioReceipt {
    let item = item ?? self.position.item
    return state.withLock { state in
      let order = state.feeder.seek(to: item, frame: position.frames)
      state.feeder.fill(usesReserve: true)
      return send(order, &state)
    }
  }

  /// Plays a part of the sound that is played over and over, without a gap, from its beginning
  /// where the player is outside it; nil plays on as it was appended.
  ///
  /// - Parameter part: the frames, at the sound's own rate; held within the part that is played.
  /// - Returns: nil where no frame of the sound is in it, and nothing is repeated then.
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

  /// Where the render thread is in the queue.
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
  var playedFrame: Int64 {
    place.frame
  }

  private var place: (item: Int, frame: Int64) {
    let place = unsafe kernel.pointee.gauges.pointee.place.load(ordering: .relaxed)
    return (Int(place >> 44), Int64(place & 0xFFF_FFFF_FFFF))
  }

  /// Whether it plays, or waits for the frame at which it begins.
  public var isPlaying: Bool {
    unsafe kernel.pointee.gauges.pointee.isPlaying.load(ordering: .relaxed)
  }

  /// How often the disk was too slow, a quantum each time.
  public var underrunCount: Int {
    unsafe kernel.pointee.gauges.pointee.underrunCount.load(ordering: .relaxed)
  }

  /// Sounds that were to start at a frame that had gone by.
  public var lateCount: Int {
    unsafe kernel.pointee.gauges.pointee.lateCount.load(ordering: .relaxed)
  }

  /// How often a file ended before it was to: it shrank, or its header lied.
  public var shortCount: Int { state.withLock { $0.feeder.shortCount } }

  /// What the meters behind gain and pan show.
  public var level: (left: Level, right: Level) {
    let gauges = unsafe kernel.pointee.gauges
    var left = Level()
    var right = Level()
    left.peak = unsafe Float(bitPattern: gauges.pointee.leftPeak.load(ordering: .relaxed))
    left.meanSquare = unsafe Float(bitPattern: gauges.pointee.leftSquare.load(ordering: .relaxed))
    left.maximum = unsafe Float(bitPattern: gauges.pointee.leftMaximum.load(ordering: .relaxed))
    right.peak = unsafe Float(bitPattern: gauges.pointee.rightPeak.load(ordering: .relaxed))
    right.meanSquare = unsafe Float(bitPattern: gauges.pointee.rightSquare.load(ordering: .relaxed))
    right.maximum = unsafe Float(bitPattern: gauges.pointee.rightMaximum.load(ordering: .relaxed))
    return (left, right)
  }

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

  /// Does something with those who wait for orders.
  func withWaiters<Result>(_ body: (inout OrderWaiters) -> sending Result) -> sending Result {
    state.withLock { body(&$0.waiters) }
  }
}

extension AudioPlayer {
  /// Reads ahead as far as there is room.
  public func fill() {
    state.withLock { state in
      sendWaiting(&state)
      state.feeder.fill()
    }
  }

  /// Tells of orders that are in effect, and of the end of the queue once it has been heard.
  ///
  /// - Parameter frame: the frame that is heard now.
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

  /// Gives the player a thread that reads ahead, and tells of its end by an output that runs it.
  ///
  /// - Parameters:
  ///   - output: the output.
  ///   - plan: what it renders, whose latency is counted then too; nil counts the output's alone.
  /// - Throws: `RealtimeError` where no thread can be had.
  public func follow(_ output: any OutputUnit, rendering plan: RenderPlan? = nil) throws {
    // An output may be asked for its position by any thread, as its protocol says.
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

  /// Ends what `follow` began; whoever waits for a command is told so.
  public func stopFollowing() {
    follower.withLock { $0.take() }?.stop()
    for gone in withWaiters({ $0.takeWaiters() }) { gone.resume(throwing: ClipError.notRunning) }
  }
}

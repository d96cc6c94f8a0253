// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays packets of AAC, ALAC or MP3 without gaps, in the order in which they are enqueued.
///
/// Packets are decoded in advance, by default one second and never on the render thread, and played
/// through a `SoundQueue`. This is `unit`, which you add to a graph; it has the gain, pan, speed,
/// levels and position. Packets are enqueued in lists. Like a buffer of a `SoundQueue`, each list
/// has a start, trims, changes and a completion:
///
/// ```swift
/// let reader = try PacketReader(path: "song.m4a")
/// let queue = try PacketQueue(reader.formats[0], magicCookie: reader.magicCookie)
/// for number in reader.table.packets.indices {
///   guard let packet = reader.packet(number) else { break }
///   let trims = reader.trims(ofPacket: number)
///   try queue.enqueue([packet], trimStart: trims.start, trimEnd: trims.end)
/// }
/// try queue.start()
/// ```
///
/// A packet that cannot be decoded is replaced by silence of its length, and reported. If the rate
/// of the unit differs from that of the packets, the last few milliseconds are played only when
/// more packets follow or `finish` is called.
///
/// - Note: Safe to use from any thread except the render thread. Packets are decoded in `enqueue`,
///   and later in the unit's `deliver` or on the thread that its `follow` starts. If neither of
///   these is called, only the first second is played.
public final class PacketQueue: @unchecked Sendable {
  // Unchecked: decoder and converter are used under the lock.

  /// A function that is called once for each list, when its packets were played or flushed.
  ///
  /// The argument has the number of the list, the reason, and the frame at which the list ended.
  public typealias Completion = SoundQueue.Completion

  /// The maximum number of enqueued packet lists (one for each call of `enqueue`) that can wait to
  /// be decoded.
  public static let listLimit = 1 << 16

  /// The unit to add to a graph.
  ///
  /// Enqueue packets, start and stop only through the `PacketQueue`, not through this unit.
  public let unit: SoundQueue
  /// The layer with which the packets are decoded.
  public let layer: SoundLayer
  /// The number of frames that are decoded in advance.
  let aheadFrames: Int
  let observers = Observers<Event>()
  let line: Mutex<PacketLine>

  /// Creates an empty queue, which is not started.
  ///
  /// - Parameters:
  ///   - layer: The layer with which the packets are decoded, such as one of `PacketReader.formats`
  ///     or of a stream's `layers`.
  ///   - magicCookie: The bytes that the decoder needs before the first packet; empty if the codec
  ///     does not need any.
  ///   - name: The name of the unit, for messages and tracks.
  ///   - rate: The sample rate of the unit; nil for that of the layer.
  ///   - channelCount: The number of channels of the unit, 1…64; nil for that of the layer.
  ///   - aheadSeconds: The time that is decoded in advance, clamped to 0.1…60 s. This time must be
  ///     longer than the interval between calls of `deliver`.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg; `.notSoundFile` if FFmpeg does not
  ///   decode the codec; `.converterMissing` or `.impossibleRateChange` if a rate conversion is
  ///   needed but not possible.
  public init(
    _ layer: SoundLayer, magicCookie: [UInt8] = [], name: String = "packets",
    rate: SampleRate? = nil, channelCount: Int? = nil, aheadSeconds: Double = 1
  ) throws(SoundFileError) {
    guard let own = SampleRate(hertz: layer.hertz), (1...64).contains(layer.channelCount) else {
      throw .impossibleShape(
        path: name, channelCount: layer.channelCount, hertz: layer.hertz)
    }
    self.layer = layer
    let rate = rate ?? own
    let form = SoundConverter.Form(
      rate: rate, layout: .usual(channelCount: channelCount ?? layer.channelCount))
    line = Mutex(PacketLine(try PacketSound(layer, magicCookie, to: form)))
    unit = SoundQueue(name: name, channelCount: form.channelCount, rate: rate)
    aheadFrames = Int(min(60, max(0.1, aheadSeconds)) * Double(rate.hertz))
    unit.observe { [weak self] in self?.take($0) }
  }

  deinit { observers.end() }
}

// Input.
extension PacketQueue {
  /// Appends packets to the queue.
  ///
  /// A list is decoded completely when the decoded sound before it is shorter than the time that is
  /// decoded in advance. Lists of up to one second therefore need little memory.
  ///
  /// - Parameters:
  ///   - packets: The bytes of each packet, without ADTS headers. The packets must continue those
  ///     that were enqueued before.
  ///   - start: The time at which the packets start; nil to start directly after the previous list.
  ///   - trimStart: The number of decoded frames to remove at the start, in frames of `layer`, such
  ///     as an encoder's priming. If all frames are removed, the list is done immediately.
  ///   - trimEnd: The number of decoded frames to remove at the end.
  ///   - changes: The changes of settings when the packets start.
  ///   - completion: Called when the packets have been played or flushed: in the unit's `deliver`,
  ///     on the thread of its `follow`, or in `flush` if none of the packets was decoded.
  /// - Returns: The number of the list, counted from 0.
  /// - Throws: `SoundQueueError.full`; `.nothingLeft` if a trim is negative or `packets` is empty.
  @discardableResult
  public func enqueue(
    _ packets: [[UInt8]], at start: SoundQueue.Moment? = nil, trimStart: Int = 0, trimEnd: Int = 0,
    changes: [SoundQueue.Change] = [], completion: Completion? = nil
  ) throws(SoundQueueError) -> Int {
    guard !packets.isEmpty, trimStart >= 0, trimEnd >= 0 else {
      throw .nothingLeft(queue: unit.name, frameCount: 0, trimStart: trimStart, trimEnd: trimEnd)
    }
    let number = try line.withLock { (line) throws(SoundQueueError) in
      guard line.undecodedCount < Self.listLimit else {
        throw .full(queue: unit.name, limit: Self.listLimit)
      }
      return line.add(
        PacketList(
          packets: packets, start: start, trimStart: trimStart, trimEnd: trimEnd, changes: changes,
          completion: completion))
    }
    advance()
    return number
  }

  /// Ends the stream of packets.
  ///
  /// The last frames, which a rate conversion holds back, are then played. For packets that are
  /// enqueued later, the decoder is reset.
  public func finish() {
    line.withLock { $0.endStream() }
    advance()
  }

  /// Decodes packets in advance, so that playback can start immediately.
  ///
  /// - Returns: The number of frames that are ready to play.
  public func prime() -> Int {
    advance()
    return unit.prime()
  }

  /// The number of packet lists that are waiting or being played.
  public var waitingCount: Int { line.withLock(\.count) }

  /// The number of packets that were replaced by silence because they could not be decoded.
  public var damagedCount: Int { line.withLock(\.damagedCount) }
}

// Control.
extension PacketQueue {
  /// Starts or resumes playback.
  ///
  /// - Parameter moment: The time at which to start; nil for immediately.
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the unit is not
  ///   rendered.
  public func start(at moment: SoundQueue.Moment? = nil) throws(SoundQueueError) {
    advance()
    try unit.start(at: moment)
  }

  /// Pauses playback with a fade of 5 ms, and keeps the position.
  ///
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the unit is not
  ///   rendered.
  public func pause() throws(SoundQueueError) { try unit.pause() }

  /// Removes all packets, including those that are playing, with a fade of 5 ms.
  ///
  /// For packets that are enqueued later, the decoder is reset, as required after a seek.
  ///
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the unit is not
  ///   rendered.
  public func flush() throws(SoundQueueError) {
    try line.withLock { (line) throws(SoundQueueError) in
      try unit.flush()
      line.drop(at: unit.position.output)
    }
    advance()
  }

  /// Stops playback and resets the position to 0.
  ///
  /// - Parameter draining: True to play all enqueued packets first, as after `finish`; a call of
  ///   `start` cancels such a stop. False to fade out in 5 ms and flush all packets.
  /// - Throws: `SoundQueueError.notRendered` if too many commands wait because the unit is not
  ///   rendered.
  public func stop(draining: Bool = false) throws(SoundQueueError) {
    try line.withLock { (line) throws(SoundQueueError) in
      try unit.stop(draining: draining)
      if draining { line.endStream() } else { line.drop(at: unit.position.output) }
    }
    advance()
  }

  /// Decodes in advance, and reports the events.
  private func advance() {
    tell(line.withLock { $0.advance(in: unit, ahead: aheadFrames) })
  }

  private func take(_ event: SoundQueue.Event) {
    tell(
      line.withLock { line in
        line.take(event)
        return line.advance(in: unit, ahead: aheadFrames)
      })
  }

  private func tell(_ news: [PacketLine.News]) {
    for one in news {
      if case .queue(.done(let done)) = one.event { one.completion?(done) }
      observers.tell(one.event)
    }
  }
}

// Events.
extension PacketQueue {
  /// An event of a queue of packets.
  public enum Event: Hashable, Sendable {
    /// An event of the unit; its buffer numbers are the numbers of packet lists.
    case queue(SoundQueue.Event)
    /// A packet could not be decoded and is replaced by silence.
    ///
    /// `number` is the number of the list, and `packet` is the index of the packet in the list. The
    /// event is reported at the time of decoding.
    case damaged(number: Int, packet: Int)
  }

  /// A new stream of the events from now on, which ends when the queue is released.
  ///
  /// Events occur only if the unit's `deliver` is called regularly or its `follow` was called.
  public var events: AsyncStream<Event> { observers.stream }

  /// Adds a closure that is called with each event from now on.
  ///
  /// - Parameter body: The closure, which is called on the thread that decodes packets or delivers
  ///   events.
  /// - Returns: A token for `forget`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> Observer {
    Observer(number: observers.add(body))
  }

  /// Identifies a closure added with `observe`; pass it to `forget` to stop the calls.
  public struct Observer: Hashable, Sendable {
    let number: Int
  }

  /// Removes a closure that was added with `observe`.
  ///
  /// - Parameter observer: The token that `observe` returned.
  public func forget(_ observer: Observer) { observers.remove(observer.number) }
}

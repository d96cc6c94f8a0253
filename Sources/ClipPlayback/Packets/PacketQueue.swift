// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays packets of AAC, ALAC or MP3 without gaps, in the order in which they are enqueued.
///
/// It decodes packets in advance, by default one second and never on the render thread, into a
/// `SoundQueue`: `unit`, which you add to a graph, and which has the gain, pan, speed, levels and
/// position. Packets are enqueued in lists, each with a start, trims, changes and a completion,
/// like the buffers of a `SoundQueue`:
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
/// of the unit differs from that of the packets, the last few milliseconds are held until more
/// packets follow, or `finish` is called.
///
/// - Note: Safe to use from any thread except the render thread. Packets are decoded in `enqueue`,
///   and then in the unit's `deliver` or on the thread of its `follow`; without one of these, only
///   the first second is played.
public final class PacketQueue: @unchecked Sendable {
  // Unchecked: decoder and converter are used under the lock.

  /// A function that is called once when packets are done, with the number of their list, the
  /// reason, and the frame at which they ended.
  public typealias Completion = SoundQueue.Completion

  /// The maximum number of lists that wait to be decoded.
  public static let listLimit = 1 << 16

  /// The unit to add to a graph.
  ///
  /// Enqueue packets and send commands only through this queue.
  public let unit: SoundQueue
  /// The layer with which the packets are decoded.
  public let layer: SoundLayer
  /// The number of frames that are decoded in advance.
  let aheadFrames: Int
  let observers = Observers<Event>()
  let line: Mutex<PacketLine>

  /// Creates an empty, stopped queue.
  ///
  /// - Parameters:
  ///   - layer: The layer with which the packets are decoded, such as one of `PacketReader.formats`
  ///     or of a stream's `layers`.
  ///   - magicCookie: The bytes that the decoder needs before the first packet; empty if it needs
  ///     none.
  ///   - name: The name of the unit, for messages and tracks.
  ///   - rate: Frames per second of the unit; nil for the layer's.
  ///   - channelCount: Channels of the unit, 1…64; nil for the layer's.
  ///   - aheadSeconds: The time that is decoded in advance, clamped to 0.1…60 s. It must be longer
  ///     than the interval between calls of `deliver`.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg; `.notSoundFile` if FFmpeg does not
  ///   decode the codec; `.converterMissing` or `.impossibleRateChange` if the rate must be
  ///   converted and cannot be.
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
  /// A list is decoded as a whole when less than one second is ready before it. Lists of up to a
  /// second therefore need little memory.
  ///
  /// - Parameters:
  ///   - packets: The bytes of each packet, without ADTS headers. They continue the packets that
  ///     were enqueued before.
  ///   - start: The time at which they start; nil directly after the previous list.
  ///   - trimStart: The number of decoded frames to remove at the start, in frames of `layer`, such
  ///     as an encoder's priming. If all frames are removed, the list is done immediately.
  ///   - trimEnd: The number of decoded frames to remove at the end.
  ///   - changes: Settings to change when they start.
  ///   - completion: Called when the packets have been played or flushed: in the unit's `deliver`,
  ///     on the thread of its `follow`, or in `flush` if nothing of them was decoded.
  /// - Returns: The number of the list, from 0.
  /// - Throws: `SoundQueueError.full`; `.nothingLeft` for a negative trim, or without packets.
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
  /// The frames that a rate conversion holds are played. Packets that are enqueued later start with
  /// a reset decoder.
  public func finish() {
    line.withLock { $0.endStream() }
    advance()
  }

  /// Decodes in advance.
  ///
  /// - Returns: The number of frames that are ready to play.
  public func prime() -> Int {
    advance()
    return unit.prime()
  }

  /// The number of lists that wait or play.
  public var waitingCount: Int { line.withLock(\.count) }

  /// The number of packets that could not be decoded and were replaced by silence.
  public var damagedCount: Int { line.withLock(\.damagedCount) }
}

// Control.
extension PacketQueue {
  /// Starts playback, as `SoundQueue.start` does.
  ///
  /// - Parameter moment: The time at which to start; nil for immediately.
  /// - Throws: `SoundQueueError.notRendered`.
  public func start(at moment: SoundQueue.Moment? = nil) throws(SoundQueueError) {
    advance()
    try unit.start(at: moment)
  }

  /// Pauses playback with a fade of 5 ms, and keeps the position.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func pause() throws(SoundQueueError) { try unit.pause() }

  /// Removes all packets, including those that are playing, with a fade of 5 ms.
  ///
  /// Packets that are enqueued later start with a reset decoder, as required after a seek.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func flush() throws(SoundQueueError) {
    try line.withLock { (line) throws(SoundQueueError) in
      try unit.flush()
      line.drop(at: unit.position.output)
    }
    advance()
  }

  /// Stops playback and resets the position to 0.
  ///
  /// - Parameter draining: True to play all enqueued packets first, as after `finish`; a start
  ///   cancels the stop. False to fade out in 5 ms and flush all packets.
  /// - Throws: `SoundQueueError.notRendered`.
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
    /// An event of the sound queue, with the numbers of lists of packets.
    case queue(SoundQueue.Event)
    /// A packet could not be decoded and is replaced by silence.
    ///
    /// `packet` is its index in the list. The event is reported when the packet is decoded.
    case damaged(number: Int, packet: Int)
  }

  /// A stream of the events from now on, which ends when the queue is released.
  ///
  /// Events occur only if the unit's `deliver` is called, or it follows an output with `follow`.
  public var events: AsyncStream<Event> { observers.stream }

  /// Calls a closure with each event from now on.
  ///
  /// - Parameter body: The closure, which is called on the thread that decodes or delivers.
  /// - Returns: A token for `forget`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> Observer {
    Observer(number: observers.add(body))
  }

  /// A token for `forget`.
  public struct Observer: Hashable, Sendable {
    let number: Int
  }

  /// Stops calling the closure of `observe`.
  ///
  /// - Parameter observer: The token.
  public func forget(_ observer: Observer) { observers.remove(observer.number) }
}

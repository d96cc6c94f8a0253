// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
public import AudioProcessing
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays packets of AAC, ALAC or MP3 in the order in which they were enqueued, gaplessly.
///
/// It decodes them a second ahead, never on the render thread, into a `SoundQueue`, which is the unit
/// to be rendered, and whose gain, pan, speed, levels and position are its own. Packets are enqueued
/// in lists, each with its own start, trims, changes and completion, as buffers are:
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
/// A packet that cannot be decoded is silent, for as long as it would have sounded, and is told of.
/// Where the rate of the unit is another than that of the packets, the last few milliseconds wait for
/// what follows them, or for `finish`.
///
/// - Note: Any thread, but not the render thread. What is decoded is decoded by whoever enqueues, and
///   then by whoever calls the unit's `deliver`, or by the thread of its `follow`: without either
///   nothing is heard beyond the first second.
public final class PacketQueue: @unchecked Sendable {
  // Unchecked: decoder and converter are used under the lock.

  /// What is called once with packets that are done: their list's number, why, and where they ended.
  public typealias Completion = SoundQueue.Completion

  /// The lists that can wait to be decoded.
  public static let listLimit = 1 << 16

  /// The unit to be rendered; leave its buffers and its commands to this queue.
  public let unit: SoundQueue
  /// What the packets are decoded as.
  public let layer: SoundLayer
  /// Frames that are decoded ahead.
  let aheadFrames: Int
  let observers = Observers<Event>()
  let line: Mutex<PacketLine>

  /// Creates a queue that is empty and stands still.
  ///
  /// - Parameters:
  ///   - layer: what the packets are decoded as, such as one of `PacketReader.formats` or of a
  ///     stream's `layers`.
  ///   - magicCookie: what a decoder is to know beforehand.
  ///   - name: what the unit is called in messages, and by tracks.
  ///   - rate: frames a second of the unit; nil for the layer's.
  ///   - channelCount: the channels of the unit, 1…64; nil for the layer's.
  ///   - aheadSeconds: seconds of sound that are decoded ahead, held within 0.1…60: more than passes
  ///     between two deliveries.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg, `.notSoundFile` where it has no such
  ///   decoder, `.converterMissing` or `.impossibleRateChange` where a rate is to be changed.
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

// What goes in.
extension PacketQueue {
  /// Adds packets to the end of the queue.
  ///
  /// They are decoded as one piece, once what is before them leaves less than a second: lists of a
  /// second or less keep little in memory.
  ///
  /// - Parameters:
  ///   - packets: their bytes, of ADTS without headers; they follow those enqueued before.
  ///   - start: when they begin: nil right after what is before them.
  ///   - trimStart: decoded frames at their beginning that are left out, in frames of `layer`: an
  ///     encoder's priming. Packets all of whose frames are left out give none, and are done at once.
  ///   - trimEnd: decoded frames at their end that are left out.
  ///   - changes: what is set as they begin, and stays so.
  ///   - completion: called when they were played or flushed: by the unit's `deliver`, the thread of
  ///     its `follow`, or where nothing of them and before them was decoded, by whoever flushes.
  /// - Returns: the list's number, counted from 0.
  /// - Throws: `SoundQueueError.full`; `.nothingLeft` for a trim below 0, or no packet.
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

  /// Says that what was enqueued ends here: what a change of rate holds back is played, and what is
  /// enqueued from now on begins anew, with a decoder that knows nothing of it.
  public func finish() {
    line.withLock { $0.endStream() }
    advance()
  }

  /// Decodes ahead.
  ///
  /// - Returns: the frames that are ready to be played.
  public func prime() -> Int {
    advance()
    return unit.prime()
  }

  /// The lists that wait or sound.
  public var waitingCount: Int { line.withLock(\.count) }

  /// Packets that could not be decoded, and were silent.
  public var damagedCount: Int { line.withLock(\.damagedCount) }
}

// What it does.
extension PacketQueue {
  /// Plays, as `SoundQueue.start` does.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func start(at moment: SoundQueue.Moment? = nil) throws(SoundQueueError) {
    advance()
    try unit.start(at: moment)
  }

  /// Stands still and keeps its place, with a fade of 5 ms.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func pause() throws(SoundQueueError) { try unit.pause() }

  /// Takes back all that was enqueued so far, what sounds too, with a fade of 5 ms; what is enqueued
  /// after it begins with a decoder that knows nothing of it, as a seek needs it.
  ///
  /// - Throws: `SoundQueueError.notRendered`.
  public func flush() throws(SoundQueueError) {
    try line.withLock { (line) throws(SoundQueueError) in
      try unit.flush()
      line.drop(at: unit.position.output)
    }
    advance()
  }

  /// Stops, and counts from 0 again.
  ///
  /// - Parameter draining: whether what is enqueued is played first, and ends there as by `finish`; a
  ///   start takes that back. If not it fades out in 5 ms, and all that was enqueued comes back,
  ///   flushed.
  /// - Throws: `SoundQueueError.notRendered`.
  public func stop(draining: Bool = false) throws(SoundQueueError) {
    try line.withLock { (line) throws(SoundQueueError) in
      try unit.stop(draining: draining)
      if draining { line.endStream() } else { line.drop(at: unit.position.output) }
    }
    advance()
  }

  /// Decodes as far ahead as there is to be, and tells what came of it.
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

// What it tells.
extension PacketQueue {
  /// What happens to a queue of packets.
  public enum Event: Hashable, Sendable {
    /// What happens to the queue; the numbers are those of lists of packets.
    case queue(SoundQueue.Event)
    /// A packet of a list, counted from 0, cannot be decoded, and is silent. Told as it is decoded.
    case damaged(number: Int, packet: Int)
  }

  /// What happens from now on, as a stream; it ends with the queue.
  ///
  /// Somebody must call the unit's `deliver`, or have it `follow` an output.
  public var events: AsyncStream<Event> { observers.stream }

  /// Has a closure told of what happens from now on, by whoever decodes or delivers.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> Observer {
    Observer(number: observers.add(body))
  }

  /// An observer, for `forget`.
  public struct Observer: Hashable, Sendable {
    let number: Int
  }

  /// Ends what `observe` began.
  public func forget(_ observer: Observer) { observers.remove(observer.number) }
}

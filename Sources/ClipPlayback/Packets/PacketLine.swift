// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// The lists of packets that wait or play, and their decoded parts.
///
/// - Note: Used under a lock.
struct PacketLine {
  /// An event to report, with a completion to call.
  struct News {
    let event: PacketQueue.Event
    var completion: SoundQueue.Completion?
  }

  /// A list whose end has not been reported.
  private struct Entry {
    let completion: SoundQueue.Completion?
    /// The packets to decode; nil when they were decoded or dropped.
    var list: PacketList?
    /// The number of its buffers that are not done, and true if there will not be more.
    var bufferCount = 0
    var isClosed = false
    var reason = SoundQueue.Done.Reason.played
    var end: SampleTime?
  }

  /// Samples that will be enqueued.
  private struct Piece {
    let number: Int
    let buffer: SoundBuffer
    let start: SoundQueue.Moment?
    let changes: [SoundQueue.Change]
    let isFirst: Bool
  }

  /// The list to which a buffer of the queue belongs.
  private struct Owner {
    let number: Int
    let isFirst: Bool
    /// The number of its frames; 0 after a flush.
    var frameCount: Int
  }

  /// The number of packets that could not be decoded.
  private(set) var damagedCount = 0
  private let sound: PacketSound
  private var entries: [Int: Entry] = [:]
  /// The first list that is not done, the first that is not decoded, and the number of the next
  /// one.
  private var (first, undecoded, next) = (0, 0, 0)
  /// The lists before which a stream ends.
  private var breaks: [Int] = []
  /// Lists with samples that are not ready, and the frame of the stream at which each ends.
  private var ends: [(number: Int, frame: Int, opening: PacketList?)] = []
  private var pieces: [Piece] = []
  /// The owner of each of the queue's buffers.
  private var owners: [Int: Owner] = [:]
  /// The number of the queue's oldest buffer.
  private var oldest = 0
  /// The number of frames in the queue, without dropped ones.
  private var readyFrames = 0
  private var now = SampleTime(frames: 0)
  private var news: [News] = []

  init(_ sound: PacketSound) {
    self.sound = sound
  }

  /// The number of lists that are not done.
  var count: Int { next - first }

  /// The number of lists that are not decoded.
  var undecodedCount: Int { next - undecoded }

  /// Adds a list; returns its number.
  mutating func add(_ list: PacketList) -> Int {
    entries[next] = Entry(completion: list.completion, list: list)
    next += 1
    return next - 1
  }

  /// Ends the stream after the last list.
  mutating func endStream() {
    if breaks.last != next { breaks.append(next) }
  }

  /// Drops everything, as of a frame.
  ///
  /// The queue returns its buffers itself.
  mutating func drop(at frame: SampleTime) {
    for piece in pieces { entries[piece.number]?.bufferCount -= 1 }
    let dropped = Set(pieces.map(\.number) + ends.map(\.number) + Array(undecoded..<next))
    for number in dropped {
      entries[number]?.list = nil
      entries[number]?.isClosed = true
      entries[number]?.reason = .flushed
    }
    (undecoded, breaks, ends, pieces) = (next, [], [], [])
    for number in owners.keys { owners[number]?.frameCount = 0 }
    readyFrames = 0
    sound.finish()
    now = max(now, frame)
  }

  /// Decodes until `ahead` frames are ready; returns the events to report.
  mutating func advance(in queue: SoundQueue, ahead: Int) -> [News] {
    repeat { release(into: queue) } while pieces.isEmpty && behindFrames < ahead && decodeOne()
    tellEnds()
    defer { news = [] }
    return news
  }

  /// Processes an event of the queue.
  mutating func take(_ event: SoundQueue.Event) {
    now = event.frame
    switch event {
    case .began(let buffer, let frame, let late):
      guard let owner = owners[buffer], owner.isFirst else { return }
      tell(.began(number: owner.number, frame: frame, lateBy: late))
    case .done(let done):
      guard let owner = owners.removeValue(forKey: done.number) else { return }
      (oldest, readyFrames) = (done.number + 1, readyFrames - owner.frameCount)
      entries[owner.number]?.bufferCount -= 1
      entries[owner.number]?.end = done.frame
      if done.reason == .flushed { entries[owner.number]?.reason = .flushed }
      tellEnds()
    default: tell(event)
    }
  }
}

extension PacketLine {
  private mutating func tell(_ event: SoundQueue.Event) {
    news.append(News(event: .queue(event)))
  }

  /// Reports lists that are done, in their order.
  private mutating func tellEnds() {
    while let entry = entries[first], entry.isClosed, entry.bufferCount == 0 {
      let done = SoundQueue.Done(number: first, reason: entry.reason, frame: entry.end ?? now)
      news.append(News(event: .queue(.done(done)), completion: entry.completion))
      entries[first] = nil
      first += 1
    }
  }

  /// The number of frames after the buffer that is playing, because only the end of that one is
  /// reported.
  private var behindFrames: Int { readyFrames - (owners[oldest]?.frameCount ?? 0) }

  /// Decodes the next list, or ends the stream; returns false if nothing is left to do.
  private mutating func decodeOne() -> Bool {
    if breaks.first == undecoded {
      breaks.removeFirst()
      sound.finish()
      cut()
      return true
    }
    guard let list = entries[undecoded]?.list else { return false }
    let damaged = sound.add(list)
    for packet in damaged {
      news.append(News(event: .damaged(number: undecoded, packet: packet)))
    }
    damagedCount += damaged.count
    entries[undecoded]?.list = nil
    ends.append((undecoded, sound.endFrame, list))
    undecoded += 1
    cut()
    return true
  }

  /// Divides the samples that are ready into pieces, each of one list.
  private mutating func cut() {
    while let end = ends.first {
      let samples = sound.take(upTo: end.frame)
      if !samples.isEmpty {
        pieces.append(
          Piece(
            number: end.number,
            buffer: SoundBuffer(interleaved: samples, channelCount: sound.channelCount),
            start: end.opening?.start, changes: end.opening?.changes ?? [],
            isFirst: end.opening != nil))
        entries[end.number]?.bufferCount += 1
        ends[0].opening = nil
      }
      guard sound.hasTaken(upTo: end.frame) else { return }
      entries[end.number]?.isClosed = true
      ends.removeFirst()
    }
  }

  /// Enqueues pieces as far as the queue has room.
  private mutating func release(into queue: SoundQueue) {
    while let piece = pieces.first {
      do {
        let number = try queue.enqueue(piece.buffer, at: piece.start, changes: piece.changes)
        let count = piece.buffer.frameCount
        owners[number] = Owner(number: piece.number, isFirst: piece.isFirst, frameCount: count)
        readyFrames += count
        pieces.removeFirst()
      } catch {
        // There is room when a buffer has been returned.
        return
      }
    }
  }
}

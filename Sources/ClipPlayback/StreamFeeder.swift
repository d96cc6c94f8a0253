// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime

/// The disk half of an audio player, which fills chunks from a queue of sounds without gaps.
///
/// - Note: Use from one thread at a time; the player holds a lock.
struct StreamFeeder {
  private let pool: StreamPool
  private let rate: SampleRate
  private let chunks: RingWriter<StreamChunk>
  private let freed: RingReader<Int32>
  private var spare: [Int32]
  private(set) var sources: [StreamSource] = []
  /// The original entry of the sound of which a part is looped.
  private var whole: (item: Int, source: StreamSource)?
  private(set) var generation: UInt32 = 0
  /// The sound that is being read, and the position in it at the player's rate.
  private var current = 0
  private var place: Int64 = 0
  private var repeatsLeft: Int?
  private var isFresh = true
  /// True if the next piece is the first of its sound.
  private var isOpening = true
  /// True if the kernel waits for more chunks, or for the end of the queue.
  private var isOpen = false
  /// The number of files that were shorter than stated, or empty.
  private(set) var shortCount = 0

  init(
    pool: StreamPool, rate: SampleRate, chunks: RingWriter<StreamChunk>, freed: RingReader<Int32>
  ) {
    self.pool = pool
    self.rate = rate
    self.chunks = chunks
    self.freed = freed
    spare = Array(0..<Int32(StreamChunk.count))
  }

  mutating func append(_ source: StreamSource) {
    sources.append(source)
  }

  /// Loops a part of a sound from the next seek on, or removes the loop; returns false if the part
  /// does not contain a frame of the sound.
  mutating func setLoop(_ part: Range<Int64>?, of item: Int) -> Bool {
    if let whole { sources[whole.item] = whole.source }
    whole = nil
    guard let part else { return true }
    guard sources.indices.contains(item) else { return false }
    let range = part.clamped(to: sources[item].range)
    guard !range.isEmpty else { return false }
    whole = (item, sources[item])
    sources[item].range = range
    sources[item].repeats = nil
    return true
  }

  /// Sets how often a sound is repeated after the current pass.
  ///
  /// - Parameters:
  ///   - repeats: The number of further passes; nil for endlessly.
  ///   - item: The sound.
  ///   - frame: The current frame, at the player's rate.
  /// - Returns: True if nothing was read ahead beyond the pass; otherwise a seek must follow.
  mutating func setRepeats(_ repeats: Int?, of item: Int, playing frame: Int64) -> Bool {
    if whole?.item == item {
      whole?.source.repeats = repeats
      return true
    }
    sources[item].repeats = repeats
    let range = sources[item].range
    let ahead = Int64((StreamChunk.count + 1) * StreamChunk.frames)
    let isLong = scaled(Int64(range.count), of: sources[item]) > ahead
    guard isLong, !isFresh, current == item, place >= frame else { return false }
    repeatsLeft = repeats
    return true
  }

  /// Starts a new generation at a frame of a sound; returns the order for the kernel.
  mutating func seek(to item: Int, frame: Int64) -> StreamOrder {
    generation &+= 1
    isOpen = true
    current = item
    isFresh = true
    if sources.indices.contains(item) {
      let range = sources[item].range
      begin(at: min(max(frame, range.lowerBound), range.upperBound))
    }
    return .flush(
      generation: generation, item: Int32(clamping: item), position: isFresh ? 0 : place)
  }

  /// Converts frames of a sound to frames at the player's rate, rounded to the nearest.
  func scaled(_ frames: Int64, of source: StreamSource) -> Int64 {
    guard source.rate != rate else { return frames }
    let doubled = Int128(frames) * Int128(rate.hertz) * 2 + Int128(source.rate.hertz)
    return Int64(clamping: doubled / (2 * Int128(source.rate.hertz)))
  }

  /// Converts frames at the player's rate to frames of a sound, rounded down.
  func unscaled(_ frames: Int64, of source: StreamSource) -> Int64 {
    guard source.rate != rate else { return frames }
    return Int64(clamping: Int128(frames) * Int128(source.rate.hertz) / Int128(rate.hertz))
  }

  /// The number of chunks that only a seek fills, so that its first frames are ready before the
  /// render thread drops the old ones.
  private static let reserve = 4

  /// Reads ahead until every chunk except the reserve is full, or the queue ends.
  ///
  /// - Parameter usesReserve: True after a seek, to fill the reserve too.
  mutating func fill(usesReserve: Bool = false) {
    while let index = freed.pop() { spare.append(index) }
    let kept = usesReserve ? 0 : Self.reserve
    while spare.count > kept, let index = spare.last, sources.indices.contains(current) {
      if isFresh { begin(at: sources[current].range.lowerBound) }
      guard let chunk = read(into: index) else { continue }
      push(chunk)
    }
    if isOpen, !sources.indices.contains(current), let index = spare.last { close(index) }
  }

  /// Reports the end of the queue, if it was not known at the last piece.
  private mutating func close(_ index: Int32) {
    push(
      StreamChunk(
        index: index, frameCount: 0, generation: generation,
        item: Int32(clamping: max(1, current) - 1), position: place, startFrame: .min, isLast: true)
    )
  }

  private mutating func push(_ chunk: StreamChunk) {
    spare.removeLast()
    isOpen = !chunk.isLast
    // The ring has room for all chunks.
    _ = chunks.push(chunk)
  }

  private mutating func begin(at frame: Int64) {
    let source = sources[current]
    repeatsLeft = source.repeats
    isFresh = false
    isOpening = true
    place = scaled(frame, of: source)
    if !source.seek(to: frame) { shortCount += 1 }
  }

  /// Reads the next piece; nil at the end of a sound, and the next sound must be tried.
  private mutating func read(into index: Int32) -> StreamChunk? {
    let source = sources[current]
    let end = scaled(source.range.upperBound, of: source)
    let wanted = Int(min(Int64(StreamChunk.frames), max(0, end - place)))
    let samples = wanted == 0 ? [] : source.read(from: place, frameCount: wanted)
    let count = samples.count / 2
    let start = place
    let item = current
    place += Int64(count)
    if count < wanted || place >= end {
      if count < wanted, source.isBounded { shortCount += 1 }
      // A part without frames would be repeated endlessly.
      turn(hasFrames: count > 0 || start > scaled(source.range.lowerBound, of: source))
    }
    guard count > 0 else { return nil }
    store(samples, in: index)
    defer { isOpening = false }
    return StreamChunk(
      index: index, frameCount: Int32(count), generation: generation, item: Int32(item),
      position: start, startFrame: isOpening ? source.startFrame : .min,
      isLast: !sources.indices.contains(current))
  }

  /// Continues at the start of the part, or with the next sound.
  private mutating func turn(hasFrames: Bool) {
    let source = sources[current]
    let isRepeated = hasFrames && repeatsLeft != 0
    guard isRepeated else {
      current += 1
      isFresh = true
      return
    }
    repeatsLeft = repeatsLeft.map { $0 - 1 }
    place = scaled(source.range.lowerBound, of: source)
    if !source.seek(to: source.range.lowerBound) {
      current += 1
      isFresh = true
    }
  }

  private func store(_ samples: ArraySlice<Float>, in index: Int32) {
    let left = unsafe pool.channel(0, of: index)
    let right = unsafe pool.channel(1, of: index)
    let first = samples.startIndex
    for frame in 0..<samples.count / 2 {
      let (one, other) = (samples[first + 2 * frame], samples[first + 2 * frame + 1])
      unsafe left[frame] = one.isFinite ? one : 0
      unsafe right[frame] = other.isFinite ? other : 0
    }
  }
}

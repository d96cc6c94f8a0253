// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Realtime

/// The frames of a stream, from chunks that a disk thread reads in advance, at a variable rate.
///
/// At rate 1 the samples are copied. Otherwise they are interpolated with a third-order polynomial
/// through four neighbours.
///
/// Source: Niemitalo, Polynomial Interpolators for High-Quality Resampling of Oversampled Audio
/// (the 4-point, 3rd-order Hermite interpolator).
@safe
struct StreamFeed: ~Copyable {
  /// The highest rate; the lowest is its inverse.
  static var fastest: Float {
    @_noAllocation @_noLocks
    get { 4 }
  }
  /// One frame before and three frames after a position of the curve.
  private static var margin: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }
  private static var scratchFrames: Int {
    @_noAllocation @_noLocks
    get { AudioFormat.quantum &* 4 &+ 2 &* margin }
  }

  /// The number of source frames per output frame.
  var rate: Float = 1
  /// The number of quanta for which the disk was late.
  private(set) var underrunCount = 0
  /// The number of chunks whose start frame was in the past.
  private(set) var lateCount = 0
  /// The item of the queue that is played.
  private(set) var item: Int32 = 0

  private let samples: UnsafePointer<Float>
  private let chunks: RingReader<StreamChunk>
  private let freed: RingWriter<Int32>
  private var generation: UInt32 = 0
  /// The fetched frames: the last frame that was played, then the next ones.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private var fetched = 1
  /// The position of the output after the second of them.
  private var phase = 0.0
  private var chunk: StreamChunk?
  /// A chunk with which a pending flush starts.
  private var held: StreamChunk?
  private var taken = 0
  /// The number of silent frames before the chunk.
  private var gap: Int64 = 0
  private var isAtEnd = false
  /// True if the queue has ended and nothing has followed.
  private var isEmpty = true
  /// True after a seek until its first chunk, when the disk is not late.
  private var isRefilling = false
  private var next: Int64 = 0

  init(pool: StreamPool, chunks: RingReader<StreamChunk>, freed: RingWriter<Int32>) {
    unsafe samples = pool.start
    self.chunks = chunks
    self.freed = freed
    unsafe left = .allocate(capacity: Self.scratchFrames)
    unsafe right = .allocate(capacity: Self.scratchFrames)
    unsafe left.initialize(repeating: 0, count: Self.scratchFrames)
    unsafe right.initialize(repeating: 0, count: Self.scratchFrames)
  }

  deinit {
    unsafe left.deallocate()
    unsafe right.deallocate()
  }

  /// The next frame of the current item, at the player's rate.
  var position: Int64 {
    @_noAllocation @_noLocks
    get { max(0, next &- Int64(truncatingIfNeeded: fetched &- 1)) }
  }

  /// Discards frames of an older generation, and continues at a position of an item.
  @_noAllocation @_noLocks
  mutating func drop(for generation: UInt32, _ item: Int32, _ position: Int64) {
    self.generation = generation
    self.item = item
    next = position
    if let chunk { _ = freed.push(chunk.index) }
    chunk = nil
    gap = 0
    rest()
    isEmpty = false
    isRefilling = true
  }

  /// Resets the frames after the end of the queue.
  @_noAllocation @_noLocks
  mutating func rest() {
    fetched = 1
    unsafe left[0] = 0
    unsafe right[0] = 0
    phase = 0
    isAtEnd = false
    isEmpty = true
  }

  /// Plays the next frames.
  ///
  /// - Parameters:
  ///   - left: The left channel of the output.
  ///   - right: The right channel of the output.
  ///   - count: The number of frames.
  ///   - frame: The position of the first.
  /// - Returns: The number of frames that contain sound.
  @_noAllocation @_noLocks
  mutating func play(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    from frame: Int64
  ) -> Int {
    let isPlain = rate == 1 && phase == 0
    let reach = phase + Double(count &- 1) * Double(rate)
    let needed = isPlain ? count &+ 1 : Int(reach) &+ Self.margin
    let real = fetch(min(needed, Self.scratchFrames), from: frame)
    // The number of output frames that the sound still fills.
    let filled =
      real >= needed
      ? count : isPlain ? real &- 1 : Self.frames(Double(real &- 1) - phase, Double(rate), count)
    if isPlain {
      for index in 0..<filled {
        unsafe left[index] = self.left[index &+ 1]
        unsafe right[index] = self.right[index &+ 1]
      }
      advance(filled)
    } else {
      unsafe curve(left, right, filled)
    }
    return filled
  }

  /// The number of output frames before a distance in the source.
  @_noAllocation @_noLocks
  private static func frames(_ distance: Double, _ rate: Double, _ count: Int) -> Int {
    guard distance > 0 else { return 0 }
    return min(count, Int(distance / rate) &+ 1)
  }

  @_noAllocation @_noLocks
  private mutating func curve(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count {
      let place = phase + Double(index) * Double(rate)
      let whole = Int(place)
      let part = Float(place - Double(whole))
      unsafe left[index] = Self.value(self.left + whole, part)
      unsafe right[index] = Self.value(self.right + whole, part)
    }
    let place = phase + Double(count) * Double(rate)
    let whole = Int(place)
    phase = place - Double(whole)
    advance(min(whole, fetched &- 1))
  }

  @_noAllocation @_noLocks
  private static func value(_ samples: UnsafePointer<Float>, _ part: Float) -> Float {
    let before = unsafe samples[0]
    let start = unsafe samples[1]
    let end = unsafe samples[2]
    let after = unsafe samples[3]
    let slope = 0.5 * (end - before)
    let second = before - 2.5 * start + 2 * end - 0.5 * after
    let third = 0.5 * (after - before) + 1.5 * (start - end)
    return ((third * part + second) * part + slope) * part + start
  }

  /// Removes frames that have been played.
  @_noAllocation @_noLocks
  private mutating func advance(_ count: Int) {
    guard count > 0 else { return }
    fetched &-= count
    for frame in 0..<fetched {
      unsafe left[frame] = left[frame &+ count]
      unsafe right[frame] = right[frame &+ count]
    }
  }

  /// Fetches until there are `needed` frames; returns the number of them that are sound.
  ///
  /// After the sound, the neighbours for the interpolation are silent.
  @_noAllocation @_noLocks
  private mutating func fetch(_ needed: Int, from frame: Int64) -> Int {
    while fetched < needed {
      guard let chunk = chunk ?? takeChunk(at: frame) else {
        if isEmpty || isAtEnd { break }
        if held == nil, !isRefilling { underrunCount &+= 1 }
        // Silence until more is read; the stream then continues at the same position.
        pad(to: needed)
        return needed
      }
      if gap > 0 {
        let count = Int(min(gap, Int64(needed &- fetched)))
        pad(to: fetched &+ count)
        gap &-= Int64(count)
        continue
      }
      copy(chunk, needed)
    }
    let real = fetched
    if fetched < needed {
      // Not counted: the padding is overwritten if the stream continues after all.
      unsafe (left + fetched).update(repeating: 0, count: needed &- fetched)
      unsafe (right + fetched).update(repeating: 0, count: needed &- fetched)
    }
    return real
  }

  @_noAllocation @_noLocks
  private mutating func pad(to count: Int) {
    unsafe (left + fetched).update(repeating: 0, count: count &- fetched)
    unsafe (right + fetched).update(repeating: 0, count: count &- fetched)
    fetched = count
  }

  @_noAllocation @_noLocks
  private mutating func takeChunk(at frame: Int64) -> StreamChunk? {
    for _ in 0...StreamChunk.count {
      guard let found = held ?? chunks.pop() else { return nil }
      let age = Int32(bitPattern: generation &- found.generation)
      held = age < 0 ? found : nil
      // The flush of this chunk waits for the fade, or has not been read yet.
      guard age >= 0 else { return nil }
      guard age == 0 else {
        _ = freed.push(found.index)
        continue
      }
      chunk = found
      // After a seek, a start that has gone by is not late.
      let isSought = isRefilling
      isEmpty = false
      isRefilling = false
      isAtEnd = false
      taken = 0
      gap = 0
      if found.startFrame != .min {
        gap = silence(before: found.startFrame, from: frame)
        if gap < 0, !isSought { lateCount &+= 1 }
      }
      return found
    }
    return nil
  }

  /// The frames of the sound's time between those that were fetched and a frame of the output.
  ///
  /// All fetched frames but the first are still to sound.
  @_noAllocation @_noLocks
  private func silence(before start: Int64, from frame: Int64) -> Int64 {
    let distance = start &- frame
    let ahead = Int64(truncatingIfNeeded: fetched &- 1)
    guard rate != 1 || phase != 0 else { return distance &- ahead }
    // Within 2⁴⁸, so that the product is a number of frames.
    let held = Double(max(-1 << 48, min(distance, 1 << 48)))
    let exact = held * Double(rate) + phase
    return Int64(exact + (exact < 0 ? -0.5 : 0.5)) &- ahead
  }

  @_noAllocation @_noLocks
  private mutating func copy(_ chunk: StreamChunk, _ needed: Int) {
    let count = min(needed &- fetched, Int(chunk.frameCount) &- taken)
    let start: Int = Int(chunk.index) &* 2 &* StreamChunk.frames
    let source = unsafe samples + start + taken
    for frame in 0..<count {
      unsafe left[fetched &+ frame] = source[frame]
      unsafe right[fetched &+ frame] = source[frame &+ StreamChunk.frames]
    }
    fetched &+= count
    taken &+= count
    item = chunk.item
    next = chunk.position &+ Int64(truncatingIfNeeded: taken)
    guard taken == Int(chunk.frameCount) else { return }
    isAtEnd = chunk.isLast
    _ = freed.push(chunk.index)
    self.chunk = nil
  }
}

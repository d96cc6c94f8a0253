// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The render side of an audio player: takes chunks that a disk thread has read ahead, and plays
/// them at a rate of its own.
///
/// At rate 1 the samples pass as they are; otherwise each lies on a curve of third order through
/// its four neighbours.
///
/// Source: Niemitalo, Polynomial Interpolators for High-Quality Resampling of Oversampled Audio
/// (the 4-point, 3rd-order Hermite interpolator).
@safe
struct StreamKernel: ~Copyable {
  /// The fastest rate; the slowest is its inverse.
  static var fastest: Float {
    @_noAllocation @_noLocks
    get { 4 }
  }
  /// One frame behind and three ahead of the curve.
  private static var margin: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }
  private static var scratchFrames: Int {
    @_noAllocation @_noLocks
    get { AudioFormat.quantum &* 4 &+ 2 &* margin }
  }

  /// What the render thread leaves behind for the control side.
  struct Gauges: ~Copyable {
    /// The item in the upper 16 bits, the frame at the player's rate in the lower 48.
    let place = Atomic<UInt64>(0)
    let isPlaying = Atomic<Bool>(false)
    let underrunCount = Atomic<Int>(0)
    let lateCount = Atomic<Int>(0)
    let leftPeak = Atomic<UInt32>(0)
    let leftSquare = Atomic<UInt32>(0)
    let leftMaximum = Atomic<UInt32>(0)
    let rightPeak = Atomic<UInt32>(0)
    let rightSquare = Atomic<UInt32>(0)
    let rightMaximum = Atomic<UInt32>(0)
  }

  private let samples: UnsafePointer<Float>
  private let orders: RingReader<StreamOrder>
  private let chunks: RingReader<StreamChunk>
  private let freed: RingWriter<Int32>
  private let facts: RingWriter<StreamFact>
  let gauges: UnsafeMutablePointer<Gauges>
  private let rampFrames: Int

  private var isPlaying = false
  private var startFrame = Int64.max
  private var leftGain = ParameterRamp(1)
  private var rightGain = ParameterRamp(1)
  private var envelope = ParameterRamp(1)
  private var rate: Float = 1
  private var leftMeter: LevelMeter
  private var rightMeter: LevelMeter

  /// What is done when the envelope has come to nothing.
  private var isPausing = false
  private var isFlushing = false
  private var wantedItem: Int32 = 0
  private var wantedPosition: Int64 = 0
  private var generation: UInt32 = 0
  private var wanted: UInt32 = 0

  /// The frames that were fetched: one that has sounded, then those that will.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private var fetched = 1
  /// How far the output is past the second of them.
  private var phase = 0.0
  private var chunk: StreamChunk?
  /// A chunk that a flush still under way will begin with.
  private var held: StreamChunk?
  private var taken = 0
  /// Silence to be put in before the chunk.
  private var gap: Int64 = 0
  private var isAtEnd = false
  /// Whether the queue came to its end and nothing has come since.
  private var isEmpty = true
  private var item: Int32 = 0
  private var next: Int64 = 0

  init(
    pool: StreamPool, orders: RingReader<StreamOrder>, chunks: RingReader<StreamChunk>,
    freed: RingWriter<Int32>, facts: RingWriter<StreamFact>, rate: SampleRate
  ) {
    unsafe samples = pool.start
    self.orders = orders
    self.chunks = chunks
    self.freed = freed
    self.facts = facts
    rampFrames = Int(rate.hertz) / 200
    leftMeter = LevelMeter(rate: rate)
    rightMeter = LevelMeter(rate: rate)
    unsafe gauges = .allocate(capacity: 1)
    unsafe gauges.initialize(to: Gauges())
    unsafe left = .allocate(capacity: Self.scratchFrames)
    unsafe right = .allocate(capacity: Self.scratchFrames)
    unsafe left.initialize(repeating: 0, count: Self.scratchFrames)
    unsafe right.initialize(repeating: 0, count: Self.scratchFrames)
  }

  deinit {
    unsafe gauges.deinitialize(count: 1).deallocate()
    unsafe left.deallocate()
    unsafe right.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: StreamKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let bus = block.output(0)
    bus.clear()
    takeOrders()
    settle()
    var offset = 0
    let end = block.startFrame &+ Int64(AudioFormat.quantum)
    if !isPlaying, startFrame < end {
      offset = Int(truncatingIfNeeded: max(startFrame, block.startFrame) &- block.startFrame)
      startFrame = .max
      isPlaying = true
    }
    if isPlaying {
      let left = unsafe bus.channel(0) + offset
      let right = unsafe bus.channel(1) + offset
      let frame = block.startFrame &+ Int64(truncatingIfNeeded: offset)
      unsafe play(left, right, AudioFormat.quantum &- offset, from: frame)
    }
    shape(bus)
    settle()
    publish(bus)
  }

  @_noAllocation @_noLocks
  private mutating func takeOrders() {
    for _ in 0..<64 {
      guard let order = orders.pop() else { return }
      switch order {
      case .play(let frame): begin(at: frame)
      case .pause:
        startFrame = .max
        isPausing = true
        fade()
      case .flush(let generation, let item, let position):
        wanted = generation
        wantedItem = item
        wantedPosition = position
        isFlushing = true
        fade()
      case .gains(let left, let right):
        leftGain.move(to: left, over: isPlaying ? rampFrames : 0)
        rightGain.move(to: right, over: isPlaying ? rampFrames : 0)
      case .rate(let rate): self.rate = rate
      }
    }
  }

  /// Plays from a frame on; what plays already goes on, and what fades out does so first.
  @_noAllocation @_noLocks
  private mutating func begin(at frame: Int64) {
    if isPlaying {
      guard isPausing else { return }
      guard frame == .min else { return startFrame = frame }
    } else {
      startFrame = frame
    }
    isPausing = false
    guard !isFlushing else { return }
    envelope.move(to: 1, over: envelope.value == 1 ? 0 : rampFrames)
  }

  @_noAllocation @_noLocks
  private mutating func fade() {
    envelope.move(to: 0, over: isPlaying ? rampFrames : 0)
  }

  /// Does what waits for silence.
  @_noAllocation @_noLocks
  private mutating func settle() {
    guard isPausing || isFlushing, !isPlaying || envelope.remainingFrames == 0 else { return }
    if isPausing { isPlaying = false }
    if isFlushing {
      drop()
      envelope.move(to: 1, over: isPlaying ? rampFrames : 0)
    }
    isPausing = false
    isFlushing = false
  }

  /// Forgets what was fetched of an older generation.
  @_noAllocation @_noLocks
  private mutating func drop() {
    generation = wanted
    item = wantedItem
    next = wantedPosition
    if let chunk { _ = freed.push(chunk.index) }
    chunk = nil
    fetched = 1
    unsafe left[0] = 0
    unsafe right[0] = 0
    phase = 0
    gap = 0
    isAtEnd = false
    isEmpty = false
  }

  @_noAllocation @_noLocks
  private mutating func play(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    from frame: Int64
  ) {
    let isPlain = rate == 1 && phase == 0
    let reach = phase + Double(count &- 1) * Double(rate)
    let needed = isPlain ? count &+ 1 : Int(reach) &+ Self.margin
    let real = fetch(min(needed, Self.scratchFrames), from: frame)
    // How many frames of the output the sound still fills.
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
    // A flush goes on elsewhere: what it leaves behind has no end that is told of.
    guard filled < count, !isFlushing else { return }
    finish(frame &+ Int64(truncatingIfNeeded: filled))
  }

  /// The frames of the output that lie before a distance of the source.
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

  /// Lets frames go that have sounded.
  @_noAllocation @_noLocks
  private mutating func advance(_ count: Int) {
    guard count > 0 else { return }
    fetched &-= count
    for frame in 0..<fetched {
      unsafe left[frame] = left[frame &+ count]
      unsafe right[frame] = right[frame &+ count]
    }
  }

  /// Fetches until there are so many frames; returns how many of them belong to the sound.
  ///
  /// After the sound, silence stands in for the neighbours that the curve asks for.
  @_noAllocation @_noLocks
  private mutating func fetch(_ needed: Int, from frame: Int64) -> Int {
    while fetched < needed {
      guard let chunk = chunk ?? takeChunk(at: frame) else {
        if isEmpty || isAtEnd { break }
        if held == nil { unsafe gauges.pointee.underrunCount.add(1, ordering: .relaxed) }
        // Silence until the disk has caught up; the stream goes on where it was.
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
      // Not counted: the padding is overwritten where the stream goes on after all.
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
      // The flush that it belongs to waits for the fade, or has not been read yet.
      guard age >= 0 else { return nil }
      guard age == 0 else {
        _ = freed.push(found.index)
        continue
      }
      chunk = found
      isEmpty = false
      isAtEnd = false
      taken = 0
      gap = 0
      if found.startFrame != .min {
        // Of the frames that were fetched, all but the first are still to sound.
        gap = found.startFrame &- (frame &+ Int64(truncatingIfNeeded: fetched &- 1))
        if gap < 0 { unsafe gauges.pointee.lateCount.add(1, ordering: .relaxed) }
      }
      return found
    }
    return nil
  }

  @_noAllocation @_noLocks
  private mutating func copy(_ chunk: StreamChunk, _ needed: Int) {
    let count = min(needed &- fetched, Int(chunk.frameCount) &- taken)
    let source = unsafe samples + Int(chunk.index) &* 2 &* StreamChunk.frames + taken
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

  @_noAllocation @_noLocks
  private mutating func finish(_ frame: Int64) {
    isPlaying = false
    isAtEnd = false
    isEmpty = true
    fetched = 1
    unsafe left[0] = 0
    unsafe right[0] = 0
    phase = 0
    _ = facts.push(StreamFact(endFrame: frame))
  }

  @_noAllocation @_noLocks
  private mutating func shape(_ bus: Bus) {
    if envelope.remainingFrames > 0 || envelope.value != 1 {
      let left = unsafe bus.channel(0)
      let right = unsafe bus.channel(1)
      for frame in 0..<AudioFormat.quantum {
        let factor = envelope.next()
        unsafe left[frame] *= factor
        unsafe right[frame] *= factor
      }
    }
    unsafe Self.scale(bus.channel(0), by: &leftGain)
    unsafe Self.scale(bus.channel(1), by: &rightGain)
  }

  /// Multiplies a quantum by a gain on its way.
  @_noAllocation @_noLocks
  private static func scale(
    _ samples: UnsafeMutablePointer<Float>, by gain: inout ParameterRamp
  ) {
    guard gain.remainingFrames > 0 || gain.value != 1 else { return }
    for frame in 0..<AudioFormat.quantum { unsafe samples[frame] *= gain.next() }
  }

  @_noAllocation @_noLocks
  private mutating func publish(_ bus: Bus) {
    unsafe leftMeter.measure(bus.channel(0))
    unsafe rightMeter.measure(bus.channel(1))
    let (left, right) = (leftMeter.level, rightMeter.level)
    let ahead = Int64(truncatingIfNeeded: fetched &- 1)
    let frame = UInt64(truncatingIfNeeded: max(0, next &- ahead)) & 0xFFFF_FFFF_FFFF
    let place = UInt64(truncatingIfNeeded: item) << 48 | frame
    unsafe gauges.pointee.place.store(place, ordering: .relaxed)
    unsafe gauges.pointee.isPlaying.store(isPlaying || startFrame != .max, ordering: .relaxed)
    unsafe gauges.pointee.leftPeak.store(left.peak.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.leftSquare.store(left.meanSquare.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.leftMaximum.store(left.maximum.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.rightPeak.store(right.peak.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.rightSquare.store(right.meanSquare.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.rightMaximum.store(right.maximum.bitPattern, ordering: .relaxed)
  }
}

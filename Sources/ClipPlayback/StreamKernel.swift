// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The render half of an audio player, which starts, stops, shapes and measures the stream.
@safe
struct StreamKernel: ~Copyable {
  /// The state that the render thread publishes for the control side.
  struct Gauges: ~Copyable {
    /// The item in the upper 20 bits, the frame at the player's rate in the lower 44.
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

  private let orders: RingReader<StreamOrder>
  private let facts: RingWriter<StreamFact>
  let gauges: UnsafeMutablePointer<Gauges>
  private let rampFrames: Int

  private var feed: StreamFeed
  private var isPlaying = false
  private var startFrame = Int64.max
  /// The number of orders received, and true if the last has not been reported.
  private var orderCount: UInt64 = 0
  private var hasUntold = false
  /// The frame of an end that was not reported to the control side; `Int64.min` for none.
  private var untoldEnd = Int64.min
  private var leftGain = ParameterRamp(1)
  private var rightGain = ParameterRamp(1)
  private var envelope = ParameterRamp(1)
  private var leftMeter: LevelMeter
  private var rightMeter: LevelMeter

  /// The actions that follow when the envelope is at 0.
  private var isPausing = false
  private var isFlushing = false
  private var wantedItem: Int32 = 0
  private var wantedPosition: Int64 = 0
  private var wanted: UInt32 = 0

  init(
    pool: StreamPool, orders: RingReader<StreamOrder>, chunks: RingReader<StreamChunk>,
    freed: RingWriter<Int32>, facts: RingWriter<StreamFact>, rate: SampleRate
  ) {
    feed = StreamFeed(pool: pool, chunks: chunks, freed: freed)
    self.orders = orders
    self.facts = facts
    rampFrames = Int(rate.hertz) / 200
    leftMeter = LevelMeter(rate: rate)
    rightMeter = LevelMeter(rate: rate)
    unsafe gauges = .allocate(capacity: 1)
    unsafe gauges.initialize(to: Gauges())
  }

  deinit {
    unsafe gauges.deinitialize(count: 1).deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: StreamKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let bus = block.output(0)
    bus.clear()
    takeOrders(at: block.start.frames)
    settle()
    var offset = 0
    let end = block.start.frames &+ Int64(AudioFormat.quantum)
    if !isPlaying, startFrame < end {
      offset = Int(truncatingIfNeeded: max(startFrame, block.start.frames) &- block.start.frames)
      startFrame = .max
      isPlaying = true
    }
    if isPlaying {
      let left = unsafe bus.channel(0) + offset
      let right = unsafe bus.channel(1) + offset
      let frame = block.start.frames &+ Int64(truncatingIfNeeded: offset)
      let count = AudioFormat.quantum &- offset
      let filled = unsafe feed.play(left, right, count, from: frame)
      // A flush continues elsewhere, so the end of the sound before it is not reported.
      if filled < count, !isFlushing { finish(frame &+ Int64(truncatingIfNeeded: filled)) }
    }
    shape(bus)
    settle()
    publish(bus)
  }

  @_noAllocation @_noLocks
  private mutating func takeOrders(at frame: Int64) {
    tellEnd()
    let count = orderCount
    for _ in 0..<64 {
      guard let order = orders.pop() else { break }
      orderCount &+= 1
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
      case .gains(let left, let right, let frames):
        leftGain.move(to: left, over: isPlaying ? Int(frames) : 0)
        rightGain.move(to: right, over: isPlaying ? Int(frames) : 0)
      case .rate(let rate): feed.rate = rate
      }
    }
    guard orderCount != count || hasUntold else { return }
    // If the ring is full, the next quantum reports them.
    hasUntold = !facts.push(.taken(count: orderCount, frame: frame))
  }

  /// Starts at a frame.
  ///
  /// Nothing changes during playback; a fade-out finishes first.
  @_noAllocation @_noLocks
  private mutating func begin(at frame: Int64) {
    if isPlaying {
      guard isPausing else { return }
      guard frame == .min else { return startFrame = frame }
      startFrame = .max
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

  /// Performs the actions that wait for silence.
  @_noAllocation @_noLocks
  private mutating func settle() {
    guard isPausing || isFlushing, !isPlaying || envelope.remainingFrames == 0 else { return }
    if isPausing {
      isPlaying = false
      // A start during the fade-out takes effect as if it followed it.
      if startFrame != .max { envelope.move(to: 1, over: rampFrames) }
    }
    if isFlushing {
      feed.drop(for: wanted, wantedItem, wantedPosition)
      envelope.move(to: 1, over: isPlaying ? rampFrames : 0)
    }
    isPausing = false
    isFlushing = false
  }

  @_noAllocation @_noLocks
  private mutating func finish(_ frame: Int64) {
    isPlaying = false
    feed.rest()
    untoldEnd = frame
    tellEnd()
  }

  /// Reports an end; if the ring is full, a later quantum does.
  @_noAllocation @_noLocks
  private mutating func tellEnd() {
    guard untoldEnd != .min, facts.push(.ended(frame: untoldEnd)) else { return }
    untoldEnd = .min
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

  /// Multiplies a quantum by a gain that can change within it.
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
    let frame = UInt64(truncatingIfNeeded: feed.position) & 0xFFF_FFFF_FFFF
    let place = UInt64(truncatingIfNeeded: feed.item) << 44 | frame
    unsafe gauges.pointee.place.store(place, ordering: .relaxed)
    unsafe gauges.pointee.isPlaying.store(isPlaying || startFrame != .max, ordering: .relaxed)
    unsafe gauges.pointee.underrunCount.store(feed.underrunCount, ordering: .relaxed)
    unsafe gauges.pointee.lateCount.store(feed.lateCount, ordering: .relaxed)
    unsafe gauges.pointee.leftPeak.store(left.peak.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.leftSquare.store(left.meanSquare.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.leftMaximum.store(left.maximum.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.rightPeak.store(right.peak.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.rightSquare.store(right.meanSquare.bitPattern, ordering: .relaxed)
    unsafe gauges.pointee.rightMaximum.store(right.maximum.bitPattern, ordering: .relaxed)
  }
}

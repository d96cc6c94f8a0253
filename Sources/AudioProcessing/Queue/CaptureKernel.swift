// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The side of a capture that receives frames: on the render thread, or on the thread that reads an
/// input.
@safe
struct CaptureKernel: ~Copyable {
  let gauges: LevelGauges
  let isRunning = Atomic(false)
  let droppedFrames = Atomic<Int>(0)
  /// The number of losses of the device; written by the thread that reads it.
  let gaps = Atomic<Int>(0)

  private let channelCount: Int
  private let samples: RingWriter<Float>
  private let marks: RingWriter<CaptureMark>
  private let orders: RingReader<CaptureOrder>
  private var runs = false
  private var startFrame = Int64.max
  private var taken: Int64 = 0
  /// The frame after the last captured one; `Int64.min` if none was captured since the start.
  private var end = Int64.min
  private var lost: Int64 = 0
  private var seenGaps = 0

  /// The maximum number of waiting marks.
  static let markLimit = 256

  /// The maximum number of waiting commands.
  static var orderLimit: Int {
    @_noAllocation @_noLocks
    get { 64 }
  }

  init(
    channelCount: Int, samples: RingWriter<Float>, marks: RingWriter<CaptureMark>,
    orders: RingReader<CaptureOrder>, rate: SampleRate
  ) {
    self.channelCount = channelCount
    self.samples = samples
    self.marks = marks
    self.orders = orders
    gauges = LevelGauges(count: channelCount, rate: rate)
  }

  static let function: RenderStep.Function = { kernel, block in
    let block = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee
    unsafe kernel.assumingMemoryBound(to: CaptureKernel.self).pointee.take(
      block.input(0), count: AudioFormat.quantum, at: block.start.frames)
  }

  /// Receives the first frames of a quantum, and captures those after the start.
  @_noAllocation @_noLocks
  mutating func take(_ bus: Bus, count: Int, at frame: Int64) {
    for channel in 0..<channelCount {
      unsafe gauges.take(SampleLoop.power(of: bus.channel(channel)), channel)
    }
    noteGaps()
    takeOrders(at: frame)
    let next = frame &+ Int64(truncatingIfNeeded: count)
    var first = frame
    if !runs {
      guard startFrame < next else { return }
      first = max(frame, startFrame)
      (runs, startFrame, end, lost) = (true, .max, .min, 0)
      isRunning.store(true, ordering: .releasing)
    }
    let skipped = Int(truncatingIfNeeded: first &- frame)
    guard makeRoom(for: count &- skipped, at: first) else {
      if lost >= 0 { lost &+= next &- first }
      droppedFrames.add(count &- skipped, ordering: .relaxed)
      return
    }
    for offset in skipped..<count {
      for channel in 0..<channelCount { unsafe _ = samples.push(bus.channel(channel)[offset]) }
    }
    taken &+= next &- first
    end = next
  }

  /// Returns true if frames can be stored; adds a mark if they do not follow the last frame.
  @_noAllocation @_noLocks
  private mutating func makeRoom(for count: Int, at frame: Int64) -> Bool {
    guard samples.room >= count &* channelCount else { return false }
    guard frame != end || lost != 0 else { return true }
    // The last place is reserved for an end.
    guard marks.room > 1 else { return false }
    _ = marks.push(CaptureMark(kind: .begin, taken: taken, frame: frame, lost: lost))
    lost = 0
    return true
  }

  /// Records that the device lost sound before the next frame.
  @_noAllocation @_noLocks
  private mutating func noteGaps() {
    let count = gaps.load(ordering: .relaxed)
    guard count != seenGaps else { return }
    seenGaps = count
    if runs { lost = -1 }
  }

  @_noAllocation @_noLocks
  private mutating func takeOrders(at frame: Int64) {
    // A command that could not be reported waits until there is room for its report.
    for _ in 0..<Self.orderLimit {
      guard marks.room > 0, let order = orders.pop() else { return }
      switch order {
      case .start(let start): if !runs { startFrame = start }
      case .pause: halt(.paused, at: frame)
      case .stop: halt(.stopped, at: frame)
      }
    }
  }

  /// Stops capturing at a frame.
  @_noAllocation @_noLocks
  mutating func halt(_ kind: CaptureMark.Kind, at frame: Int64) {
    let wasAsked = runs || startFrame != .max
    startFrame = .max
    guard wasAsked || kind.isStop else { return }
    _ = marks.push(CaptureMark(kind: kind, taken: taken, frame: frame, lost: lost))
    (runs, end, lost) = (false, .min, 0)
    isRunning.store(false, ordering: .releasing)
  }
}

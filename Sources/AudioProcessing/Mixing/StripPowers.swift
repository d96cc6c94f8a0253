// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The measurements of a mixer's strips: collected in each quantum, published after every fourth.
///
/// A meter is read at most about 60 times per second. The partial sums of eight SIMD elements are
/// therefore added and converted to a level only when they are published.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct StripPowers: ~Copyable {
  /// The quanta between two publications: 5.3 ms at 48 kHz.
  static var interval: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  private let count: Int
  private let gauges: LevelGauges
  /// For each side of each strip, eight partial sums of squares, followed by the highest square in
  /// each.
  private let lanes: UnsafeMutablePointer<SampleLoop.Lane>
  private var gathered = 0
  /// The quanta to collect before the next publication; the first is immediate.
  private var wanted = 1

  /// Creates the measurements of stereo strips.
  init(count: Int, rate: SampleRate) {
    self.count = count
    gauges = LevelGauges(count: 2 * count, rate: rate, quantumCount: Self.interval)
    // Swift aligns eight floats to 16 bytes, but wide loops need 32.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: 4 * count * MemoryLayout<SampleLoop.Lane>.stride, alignment: 64)
    unsafe lanes = memory.bindMemory(to: SampleLoop.Lane.self, capacity: 4 * count)
    unsafe lanes.initialize(repeating: .zero, count: 4 * count)
  }

  deinit {
    unsafe lanes.deallocate()
  }

  /// The memory that collects the measurements of a strip: two vectors for left, two for right.
  @_noAllocation @_noLocks
  func samples(of strip: Int) -> UnsafeMutablePointer<Float> {
    unsafe UnsafeMutableRawPointer(lanes + 4 &* strip).assumingMemoryBound(to: Float.self)
  }

  /// Adds a measurement of one side of a strip.
  @_noAllocation @_noLocks
  func take(_ power: Power, strip: Int, side: Int) {
    let place = unsafe lanes + (4 &* strip &+ 2 &* side)
    unsafe place[0][0] += power.sum
    unsafe place[1][0] = max(place[1][0], power.top)
  }

  /// Ends a quantum, and publishes the levels if they are due.
  @_noAllocation @_noLocks
  mutating func show() {
    gathered &+= 1
    guard gathered >= wanted else { return }
    let share = 1 / Float(gathered)
    for channel in 0..<2 &* count {
      let place = unsafe lanes + 2 &* channel
      let power = unsafe Power(
        sum: SampleLoop.sum(place[0]) * share, top: SampleLoop.highest(place[1]))
      gauges.take(power, channel)
      unsafe place[0] = .zero
      unsafe place[1] = .zero
    }
    gathered = 0
    wanted = Self.interval
  }

  /// The level of one side of a strip, on any thread.
  func level(strip: Int, side: Int) -> Level { gauges.level(2 * strip + side) }
}

// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// What a mixer measures of its strips: gathered in every quantum, shown after every fourth.
///
/// A meter is read some sixty times a second at most, and what eight places have gathered is added
/// up and made a level of only then.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct StripPowers: ~Copyable {
  /// Quanta between two times that levels are shown: 5.3 ms at 48 000 Hz.
  static var interval: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  private let count: Int
  private let gauges: LevelGauges
  /// For each side of each strip: sums of squares in eight places, then the highest square in each.
  private let lanes: UnsafeMutablePointer<SampleLoop.Lane>
  private var gathered = 0
  /// How many quanta are gathered before levels are shown: the first is at once.
  private var wanted = 1

  /// Creates what measures some stereo strips.
  init(count: Int, rate: SampleRate) {
    self.count = count
    gauges = LevelGauges(count: 2 * count, rate: rate, quantumCount: Self.interval)
    // Swift itself aligns eight samples to 16 bytes, and wide loops take 32.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: 4 * count * MemoryLayout<SampleLoop.Lane>.stride, alignment: 64)
    unsafe lanes = memory.bindMemory(to: SampleLoop.Lane.self, capacity: 4 * count)
    unsafe lanes.initialize(repeating: .zero, count: 4 * count)
  }

  deinit {
    unsafe lanes.deallocate()
  }

  /// Where what is added to a strip is gathered: two lanes for the left side, two for the right.
  @_noAllocation @_noLocks
  func samples(of strip: Int) -> UnsafeMutablePointer<Float> {
    unsafe UnsafeMutableRawPointer(lanes + 4 &* strip).assumingMemoryBound(to: Float.self)
  }

  /// Gathers what was measured of one side of a strip.
  @_noAllocation @_noLocks
  func take(_ power: Power, strip: Int, side: Int) {
    let place = unsafe lanes + (4 &* strip &+ 2 &* side)
    unsafe place[0][0] += power.sum
    unsafe place[1][0] = max(place[1][0], power.top)
  }

  /// Ends a quantum; shows the levels where it is time.
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

  /// What a meter shows, on any thread.
  func level(strip: Int, side: Int) -> Level { gauges.level(2 * strip + side) }
}

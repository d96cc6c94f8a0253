// SPDX-License-Identifier: Apache-2.0

/// What a room sends back first: sounds that have met one or two walls, each with a time, a side and a
/// strength of its own.
///
/// Where the size changes, what was heard fades over to what is heard now.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct EarlyReflections: BitwiseCopyable {
  typealias Samples = UnsafeMutablePointer<Float>

  private let channelCount: Int
  private let framesPerSecond: Double
  private let samples: Samples
  private let capacity: Int
  /// For each channel and reflection its way, as a part of the size, and its strength.
  private let ways: UnsafeMutablePointer<Double>
  private let gains: Samples
  private var written = 0
  private var metres = 0.0
  private var oldMetres = 0.0
  private var fadeLeft = 0

  /// The reflections that each channel hears.
  private static var tapCount: Int {
    @_noAllocation @_noLocks
    get { 10 }
  }

  /// Makes a silent room, which the owner deallocates.
  ///
  /// - Parameters:
  ///   - channelCount: 1 or 2.
  ///   - longest: the greatest size, in metres.
  ///   - framesPerSecond: the rate.
  init(channelCount: Int, longest: Double, framesPerSecond: Double) {
    self.channelCount = channelCount
    self.framesPerSecond = framesPerSecond
    var capacity = 2 * AudioFormat.quantum
    while capacity < Int(longest / 343 * framesPerSecond) + AudioFormat.quantum { capacity *= 2 }
    self.capacity = capacity
    unsafe samples = .allocate(capacity: capacity * channelCount)
    unsafe samples.initialize(repeating: 0, count: capacity * channelCount)
    unsafe ways = .allocate(capacity: channelCount * Self.tapCount)
    unsafe gains = .allocate(capacity: channelCount * Self.tapCount)
    for channel in 0..<channelCount { fill(channel) }
  }

  /// Works out a channel's reflections: from an eighth of the size to nine tenths, in ratios that rise
  /// unevenly and not alike on both sides; as strong as one over the root of the way, upside down for
  /// two of five, and together as loud as what came in.
  private func fill(_ channel: Int) {
    let first = channel * Self.tapCount
    var power: Float = 0
    for tap in 0..<Self.tapCount {
      let place = (Double(tap) + 0.43 * Double(channel)) / Double(Self.tapCount)
      let wobble = 0.03 * SampleMath.sine(Double(tap * 5 + channel * 3))
      let way = 0.125 * SampleMath.power(7.2, place) * (1 + wobble)
      let isUpsideDown = tap % 5 == 1 || tap % 5 == 4
      let gain = (isUpsideDown ? -1 : 1) / SampleMath.root(Float(way))
      unsafe (ways + first + tap).initialize(to: way)
      unsafe (gains + first + tap).initialize(to: gain)
      power += gain * gain
    }
    for tap in 0..<Self.tapCount { unsafe gains[first + tap] /= SampleMath.root(power) }
  }

  func deallocate() {
    unsafe samples.deallocate()
    unsafe ways.deallocate()
    unsafe gains.deallocate()
  }

  /// Makes the room silent.
  @_noAllocation @_noLocks
  mutating func clear() {
    unsafe samples.update(repeating: 0, count: capacity &* channelCount)
    fadeLeft = 0
  }

  /// Takes another size, once an earlier change has faded.
  @_noAllocation @_noLocks
  mutating func move(to metres: Double) {
    guard metres != self.metres, fadeLeft == 0 else { return }
    oldMetres = self.metres
    self.metres = metres
    fadeLeft = written == 0 ? 0 : DelayLine.fadeFrames
  }

  /// Takes a sample of a quantum's frame.
  @inline(__always) @_noAllocation @_noLocks
  func take(_ sample: Float, _ channel: Int, _ frame: Int) {
    unsafe samples[channel &* capacity &+ ((written &+ frame) & (capacity &- 1))] = sample
  }

  /// Writes what each channel hears of a quantum that has been taken, as loud as it came in.
  @_noAllocation @_noLocks
  mutating func render(into quanta: Samples) {
    let part = Float(fadeLeft) / Float(DelayLine.fadeFrames)
    fadeLeft = max(0, fadeLeft &- AudioFormat.quantum)
    let step = (Float(fadeLeft) / Float(DelayLine.fadeFrames) - part) / Float(AudioFormat.quantum)
    for channel in 0..<channelCount {
      let sum = unsafe quanta + channel &* AudioFormat.quantum
      unsafe sum.update(repeating: 0, count: AudioFormat.quantum)
      for tap in 0..<Self.tapCount {
        unsafe add(tap, channel, metres, to: sum, share: 1 - part, step: -step)
        guard part > 0 else { continue }
        unsafe add(tap, channel, oldMetres, to: sum, share: part, step: step)
      }
    }
    written &+= AudioFormat.quantum
  }

  @_noAllocation @_noLocks
  private func add(
    _ tap: Int, _ channel: Int, _ metres: Double, to sum: Samples, share: Float, step: Float
  ) {
    let place = channel &* Self.tapCount &+ tap
    let frames = unsafe Int(metres / 343 * framesPerSecond * ways[place])
    let gain = unsafe gains[place]
    // Every third comes from the other side.
    let source = tap % 3 == 2 ? channelCount &- 1 &- channel : channel
    let line = unsafe samples + source &* capacity
    let first = written &- frames
    for frame in 0..<AudioFormat.quantum {
      let factor = gain * (share + step * Float(frame &+ 1))
      unsafe sum[frame] += factor * line[(first &+ frame) & (capacity &- 1)]
    }
  }
}

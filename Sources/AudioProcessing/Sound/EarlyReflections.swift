// SPDX-License-Identifier: Apache-2.0

/// The early reflections of a room: copies of the sound after one or two reflections at walls, each
/// with its own delay, side and gain.
///
/// If the size changes, the old reflections fade into the new ones.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct EarlyReflections: BitwiseCopyable {
  typealias Samples = UnsafeMutablePointer<Float>

  private let channelCount: Int
  private let framesPerSecond: Double
  private let samples: Samples
  private let capacity: Int
  /// The distance of each channel's reflections, as a fraction of the size, and their gains.
  private let ways: UnsafeMutablePointer<Double>
  private let gains: Samples
  private var written = 0
  private var metres = 0.0
  private var oldMetres = 0.0
  private var fadeLeft = 0

  /// The number of reflections on each channel.
  private static var tapCount: Int {
    @_noAllocation @_noLocks
    get { 10 }
  }

  /// Creates a silent room, which the owner deallocates.
  ///
  /// - Parameters:
  ///   - channelCount: the number of channels, 1 or 2.
  ///   - longest: the largest size, in metres.
  ///   - framesPerSecond: the sample rate.
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

  /// Computes the reflections of a channel.
  ///
  /// The distances rise in uneven ratios from 1/8 to 9/10 of the size, differently on both sides.
  /// The gains are one over the square root of the distance, inverted for two of five, and
  /// normalised so that together they keep the level.
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

  /// Changes the size, unless an earlier change is still fading.
  @_noAllocation @_noLocks
  mutating func move(to metres: Double) {
    guard metres != self.metres, fadeLeft == 0 else { return }
    oldMetres = self.metres
    self.metres = metres
    fadeLeft = written == 0 ? 0 : DelayLine.fadeFrames
  }

  /// Stores a sample of a frame in the current quantum.
  @inline(__always) @_noAllocation @_noLocks
  func take(_ sample: Float, _ channel: Int, _ frame: Int) {
    unsafe samples[channel &* capacity &+ ((written &+ frame) & (capacity &- 1))] = sample
  }

  /// Writes the reflections of the stored quantum for each channel, with the level of the input.
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
    // Every third reflection is taken from the other side.
    let source = tap % 3 == 2 ? channelCount &- 1 &- channel : channel
    let line = unsafe samples + source &* capacity
    let first = written &- frames
    for frame in 0..<AudioFormat.quantum {
      let factor = gain * (share + step * Float(frame &+ 1))
      unsafe sum[frame] += factor * line[(first &+ frame) & (capacity &- 1)]
    }
  }
}

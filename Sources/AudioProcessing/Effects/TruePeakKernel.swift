// SPDX-License-Identifier: Apache-2.0

/// Measures the peaks of a signal, also between samples, by oversampling it four times.
///
/// Three values between two samples are computed from the twelve samples around them, as in ITU-R
/// BS.1770-4, annex 2. The peak of a frame is therefore known six frames later.
@safe
struct TruePeakKernel: ~Copyable {
  /// The frames that must follow a frame before the values after it are known.
  static var delay: Int {
    @_noAllocation @_noLocks
    get { tapCount / 2 }
  }

  private static var tapCount: Int {
    @_noAllocation @_noLocks
    get { 12 }
  }

  /// The number of values between two samples.
  private static var phaseCount: Int {
    @_noAllocation @_noLocks
    get { 3 }
  }

  /// The number of frames before a quantum that are kept: two SIMD vectors.
  private static var keptFrames: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  /// The frames stored for each channel: the kept frames and a quantum.
  private static var stride: Int {
    @_noAllocation @_noLocks
    get { keptFrames &+ AudioFormat.quantum }
  }

  private let channelCount: Int
  /// The weight of each sample for each of the values, value by value.
  private let weights: UnsafeMutablePointer<Float>
  /// The largest possible ratio of a value between samples to the highest sample.
  private let overshoot: Float
  private let samples: UnsafeMutablePointer<Float>

  init(channelCount: Int) {
    self.channelCount = channelCount
    let count = Self.tapCount * Self.phaseCount
    unsafe weights = .allocate(capacity: count)
    unsafe weights.initialize(repeating: 0, count: count)
    let length = channelCount * Self.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: length * MemoryLayout<Float>.stride, alignment: 64)
    unsafe samples = memory.bindMemory(to: Float.self, capacity: length)
    unsafe samples.initialize(repeating: 0, count: length)
    var highest: Float = 1
    for phase in 0..<Self.phaseCount {
      let place = unsafe weights + phase * Self.tapCount
      highest = unsafe max(highest, Self.fill(place, Double(phase + 1) / 4))
    }
    overshoot = highest
  }

  deinit {
    unsafe weights.deallocate()
    unsafe samples.deallocate()
  }

  /// Writes the weights for a position between two samples; returns the sum of their magnitudes.
  private static func fill(_ weights: UnsafeMutablePointer<Float>, _ place: Double) -> Float {
    var sum = 0.0
    for tap in 0..<tapCount {
      // A sinc under a raised cosine that ends at the last samples.
      let angle = Double.pi * (Double(tap - tapCount / 2 + 1) - place)
      let bell = 0.5 + 0.5 * SampleMath.cosine(angle / Double(tapCount / 2))
      unsafe weights[tap] = Float(SampleMath.sine(angle) / angle * bell)
      sum += unsafe Double(weights[tap])
    }
    var magnitudes: Float = 0
    for tap in 0..<tapCount {
      unsafe weights[tap] /= Float(sum)
      magnitudes += unsafe abs(weights[tap])
    }
    return magnitudes
  }

  /// Takes a quantum and writes the peak of all channels for each frame, `delay` frames late.
  ///
  /// A peak covers the time from a frame to the next. Peaks that are certainly below the ceiling
  /// may be written as lower values.
  ///
  /// - Returns: the highest peak.
  @_noAllocation @_noLocks
  func fill(
    _ peaks: UnsafeMutablePointer<Float>, from input: Bus, above ceiling: Float
  ) -> Float {
    for channel in 0..<channelCount { take(input, channel) }
    let rows = unsafe SampleLoop.lanes(peaks)
    var top = SampleLoop.Lane.zero
    for lane in 0..<SampleLoop.laneCount {
      let peak = peak(lane, above: ceiling)
      unsafe rows[lane] = peak
      top = SampleLoop.higher(top, peak)
    }
    return SampleLoop.highest(top)
  }

  /// Moves the end of the last quantum to the front, and appends the new quantum.
  @_noAllocation @_noLocks
  private func take(_ input: Bus, _ channel: Int) {
    let row = unsafe SampleLoop.lanes(samples + (channel &* Self.stride))
    let kept = Self.keptFrames / 8
    for lane in 0..<kept { unsafe row[lane] = row[lane &+ SampleLoop.laneCount] }
    unsafe SampleLoop.copy(
      input.channel(channel), to: samples + (channel &* Self.stride &+ Self.keptFrames))
  }

  /// The peaks of eight frames.
  @_noAllocation @_noLocks
  private func peak(_ lane: Int, above ceiling: Float) -> SampleLoop.Lane {
    var highest = SampleLoop.Lane.zero
    for channel in 0..<channelCount {
      let row = unsafe samples + (channel &* Self.stride &+ lane &* 8)
      // The samples of a value are in this vector and the two before it.
      var reach = SampleLoop.Lane.zero
      for part in 0..<3 {
        let near = unsafe SampleLoop.lanes(row)[part]
        reach = SampleLoop.higher(reach, SampleLoop.higher(near, -near))
      }
      guard SampleLoop.highest(reach) * overshoot > ceiling else { continue }
      highest = unsafe SampleLoop.higher(highest, between(row))
    }
    return highest
  }

  /// The peaks of eight frames of a channel, whose samples begin 16 frames earlier.
  @_noAllocation @_noLocks
  private func between(_ row: UnsafePointer<Float>) -> SampleLoop.Lane {
    let first = unsafe row + (Self.keptFrames &- Self.tapCount &+ 1)
    var sums = (SampleLoop.Lane.zero, SampleLoop.Lane.zero, SampleLoop.Lane.zero)
    for tap in 0..<Self.tapCount {
      let samples = unsafe UnsafeRawPointer(first + tap).loadUnaligned(as: SampleLoop.Lane.self)
      unsafe sums.0 += samples * weights[tap]
      unsafe sums.1 += samples * weights[Self.tapCount &+ tap]
      unsafe sums.2 += samples * weights[2 &* Self.tapCount &+ tap]
    }
    let own = unsafe UnsafeRawPointer(row + (Self.keptFrames &- Self.delay))
      .loadUnaligned(as: SampleLoop.Lane.self)
    var highest = SampleLoop.higher(own, -own)
    highest = SampleLoop.higher(highest, SampleLoop.higher(sums.0, -sums.0))
    highest = SampleLoop.higher(highest, SampleLoop.higher(sums.1, -sums.1))
    return SampleLoop.higher(highest, SampleLoop.higher(sums.2, -sums.2))
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The delay line of a source for its distance.
///
/// It stores each sample and its individual delay.
///
/// A sample arrives when its own delay has passed. A source that approaches at speed v therefore
/// has its pitch multiplied by 1 / (1 − v/c). The delay changes by at most half a frame for each
/// frame.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct SourceLine: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let delays: UnsafeMutablePointer<Double>
  private let mask: Int
  /// The number of the quantum's first sample, and of the next sample.
  private var start = 0
  private var written = 0
  /// The number of the last sample that has arrived.
  private var arrived = 0
  private(set) var delay = 0.0
  /// The delay of all samples before `firstKnown`, and the number of the last sample whose delay
  /// differs from that of the sample before.
  private var settled = 0.0
  private var firstKnown = 0
  private var lastChange = 0
  /// The longest delay, in frames.
  let longest: Double

  /// The number of samples stored twice, so that reads do not need to wrap.
  private static var overlap: Int {
    @_noAllocation @_noLocks
    get { 2 &* AudioFormat.quantum }
  }

  /// Creates a silent line, which the owner deallocates.
  ///
  /// - Parameters:
  ///   - longest: the longest delay, in frames.
  ///   - further: the additional delay with which the line may be read, in frames.
  init(longest: Int, further: Int) {
    var capacity = 4 * AudioFormat.quantum
    while capacity < longest + further + Self.overlap { capacity *= 2 }
    unsafe samples = RightAngleTransform.allocate(capacity + Self.overlap)
    unsafe delays = .allocate(capacity: capacity)
    unsafe delays.initialize(repeating: 0, count: capacity)
    mask = capacity - 1
    self.longest = Double(longest)
  }

  func deallocate() {
    unsafe samples.deallocate()
    unsafe delays.deallocate()
  }

  /// The number of quanta after which a sound has left the line.
  var quantumCount: Int {
    @_noAllocation @_noLocks
    get { (mask &+ 1) / AudioFormat.quantum }
  }

  /// Sets the delay of a silent line immediately.
  @_noAllocation @_noLocks
  mutating func settle(_ delay: Double) {
    self.delay = min(longest, delay)
    settled = self.delay
    firstKnown = written
    arrived = written &- Int(self.delay) &- 2
    lastChange = written &- quantumCount &* AudioFormat.quantum
  }

  /// Appends a quantum whose delays approach a constant delay.
  @_noAllocation @_noLocks
  mutating func write(_ quantum: UnsafePointer<Float>, aim: Double) {
    unsafe store(quantum)
    let held = min(longest, aim)
    for frame in 0..<AudioFormat.quantum { step(frame, to: held) }
  }

  /// Appends a quantum whose delays approach a curve of distances.
  @_noAllocation @_noLocks
  mutating func write(
    _ quantum: UnsafePointer<Float>, metres: UnsafePointer<Float>, framesEach: Double
  ) {
    unsafe store(quantum)
    for frame in 0..<AudioFormat.quantum {
      unsafe step(frame, to: min(longest, Double(metres[frame]) * framesEach))
    }
  }

  @_noAllocation @_noLocks
  private mutating func store(_ quantum: UnsafePointer<Float>) {
    start = written
    written &+= AudioFormat.quantum
    let place = start & mask
    unsafe SampleLoop.copy(quantum, to: samples + place)
    if place < Self.overlap {
      unsafe SampleLoop.copy(quantum, to: samples + (mask &+ 1 &+ place))
    }
  }

  @inline(__always) @_noAllocation @_noLocks
  private mutating func step(_ frame: Int, to aim: Double) {
    if aim != delay {
      delay += min(0.5, max(-0.5, aim - delay))
      lastChange = start &+ frame
    }
    unsafe delays[(start &+ frame) & mask] = delay
  }
}

// Arrival.
extension SourceLine {
  /// True if all samples that arrive in this quantum have the same delay.
  private var isSteady: Bool {
    @_noAllocation @_noLocks
    get { start &- lastChange > Int(delay) &+ 2 }
  }

  /// Writes the position of the sample that arrives at each frame of the last quantum, counted from
  /// the quantum's first sample.
  ///
  /// - Returns: false if each sample is `delay` frames old; nothing is written then.
  @_noAllocation @_noLocks
  mutating func find(_ places: UnsafeMutablePointer<Double>) -> Bool {
    guard !isSteady else {
      arrived = written &- Int(delay) &- 2
      return false
    }
    for frame in 0..<AudioFormat.quantum {
      let now = start &+ frame
      while arrived < now, arrival(arrived &+ 1) <= Double(frame) { arrived &+= 1 }
      let first = arrival(arrived)
      // With a delay below one frame the next sample may not exist yet; it would have the same
      // delay.
      let next = arrived < start &+ AudioFormat.quantum &- 1 ? arrival(arrived &+ 1) : first + 1
      unsafe places[frame] =
        Double(arrived &- start) + min(1, max(0, (Double(frame) - first) / (next - first)))
    }
    return true
  }

  /// The time at which a sample arrives, counted from the quantum's first frame.
  @inline(__always) @_noAllocation @_noLocks
  private func arrival(_ number: Int) -> Double {
    let delay = unsafe number < firstKnown ? settled : delays[number & mask]
    return Double(number &- start) + delay
  }

  /// Reads a quantum of the arriving sound with an additional delay.
  ///
  /// - Parameters:
  ///   - output: the memory for the quantum.
  ///   - places: the positions from `find`; nil if it returned false.
  ///   - old: the additional delay at the start of the quantum in frames, at least
  ///     `FractionTable.reach`.
  ///   - new: the additional delay at the end of the quantum.
  ///   - table: the interpolation weights.
  @_noAllocation @_noLocks
  func read(
    into output: UnsafeMutablePointer<Float>, _ places: UnsafePointer<Double>?,
    laterFrom old: Float, to new: Float, _ table: FractionTable
  ) {
    if let places = unsafe places {
      let step = Double(new - old) / Double(AudioFormat.quantum)
      for frame in 0..<AudioFormat.quantum {
        let later = Double(old) + step * Double(frame &+ 1)
        unsafe output[frame] = sample(at: places[frame] - later, table)
      }
    } else if old != new {
      unsafe glide(into: output, laterFrom: delay + Double(old), to: delay + Double(new), table)
    } else {
      unsafe read(into: output, later: delay + Double(old), table)
    }
  }

  /// The interpolated value at a position, counted from the quantum's first sample.
  @inline(__always) @_noAllocation @_noLocks
  private func sample(at place: Double, _ table: FractionTable) -> Float {
    let whole = SampleMath.floor(place)
    let weights = table.lanes(at: Float(place - Double(whole)))
    let first = unsafe samples + ((start &+ whole &- FractionTable.reach &+ 1) & mask)
    return unsafe SampleLoop.sum(Self.lane(first) * weights.0 + Self.lane(first + 8) * weights.1)
  }

  /// Reads a quantum whose delay changes linearly.
  ///
  /// Within 16 frames the weights are interpolated between both ends. This is exact to −60 dB up to
  /// half of the audible range if the delay changes by up to 1/16 frame. For larger changes, or
  /// across a sample, each frame has separate weights.
  @_noAllocation @_noLocks
  private func glide(
    into output: UnsafeMutablePointer<Float>, laterFrom old: Double, to new: Double,
    _ table: FractionTable
  ) {
    let step = (new - old) / Double(AudioFormat.quantum)
    let ramp = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8) / 16
    var frame = 0
    while frame < AudioFormat.quantum {
      let later = old + step * Double(frame)
      let place = SampleMath.floor(-later)
      let (begin, end) = (-later - Double(place), -later - 16 * step - Double(place))
      if abs(step) < 1.0 / 256, (0...1).contains(end) {
        let (first, last) = (table.lanes(at: Float(begin)), table.lanes(at: Float(end)))
        let more = (last.0 - first.0, last.1 - first.1)
        let source = unsafe samples + ((start &+ frame &+ place &- FractionTable.reach &+ 1) & mask)
        let target = unsafe SampleLoop.lanes(output + frame)
        for lane in 0..<2 {
          let source = unsafe source + 8 &* lane
          var (sum, rise) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
          for tap in 0..<8 {
            let (near, far) = unsafe (Self.lane(source + tap), Self.lane(source + (8 &+ tap)))
            sum += near * first.0[tap]
            rise += near * more.0[tap]
            sum += far * first.1[tap]
            rise += far * more.1[tap]
          }
          unsafe target[lane] = sum + rise * (ramp + Float(lane) / 2)
        }
      } else {
        for frame in frame..<frame &+ 16 {
          let later = old + step * Double(frame &+ 1)
          unsafe output[frame] = sample(at: Double(frame) - later, table)
        }
      }
      frame &+= 16
    }
  }

  @inline(__always) @_noAllocation @_noLocks
  private static func lane(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
    unsafe UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
  }

  /// Reads a quantum with a constant delay.
  @_noAllocation @_noLocks
  private func read(
    into output: UnsafeMutablePointer<Float>, later: Double, _ table: FractionTable
  ) {
    let place = SampleMath.floor(-later)
    let part = Float(-later - Double(place))
    let target = unsafe SampleLoop.lanes(output)
    let whole = start &+ place
    if part == 0 {
      let source = unsafe samples + (whole & mask)
      for lane in 0..<SampleLoop.laneCount { unsafe target[lane] = Self.lane(source + 8 &* lane) }
      return
    }
    let source = unsafe samples + ((whole &- FractionTable.reach &+ 1) & mask)
    let weights = table.lanes(at: part)
    for lane in 0..<SampleLoop.laneCount {
      let first = unsafe source + 8 &* lane
      var sum = SIMD8<Float>.zero
      for tap in 0..<8 {
        unsafe sum += Self.lane(first + tap) * weights.0[tap]
        unsafe sum += Self.lane(first + (8 &+ tap)) * weights.1[tap]
      }
      unsafe target[lane] = sum
    }
  }
}

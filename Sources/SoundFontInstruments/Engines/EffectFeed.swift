// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CFluidSynth
internal import Glibc

/// The input of one of FluidSynth's effects: a loop of 24-bit samples that a voice plays at exactly
/// its own pitch, and that is refilled while it plays.
///
/// Each voice of FluidSynth passes through a second-order low-pass, whose cutoff is at most 20 kHz
/// and which cannot be switched off. The feed compensates for it in advance: with the filter's
/// denominator, and with a pair of poles near its pair of zeros at half the sample rate. Sound that
/// has passed such a filter has nothing at that frequency, so the inverse does not grow.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct EffectFeed: ~Copyable {
  /// The frames of the loop: the maximum rendered at a time.
  static var frameCount: Int {
    @_noAllocation @_noLocks
    get { SynthRun.limit &* AudioFormat.quantum }
  }

  /// The highest gain of a synth, with which a 24-bit sample is −10…10: enough for any mix.
  static var gain: Double {
    @_noAllocation @_noLocks
    get { 10 }
  }

  /// The distance of the poles from the origin; the zeros are at 1.
  ///
  /// Closer to them, a sudden end of a sound would ring beyond the available range; farther away,
  /// more treble would be lost.
  private static var radius: Double {
    @_noAllocation @_noLocks
    get { 0.999 }
  }

  /// The sample as an object of FluidSynth.
  let sample: OpaquePointer
  private let table: UnsafePointer<CFluidSynthTable>
  private let upper: UnsafeMutablePointer<Int16>
  private let lower: UnsafeMutablePointer<CChar>
  /// The inverse of the filter.
  private let ahead: (gain: Double, first: Double, second: Double)
  private var heard = (0.0, 0.0)
  private var made = (0.0, 0.0)

  /// Creates a silent loop whose own pitch is that of a key; nil if memory is short.
  init?(_ table: UnsafePointer<CFluidSynthTable>, hertz: Int, key: Int32) {
    guard let sample = unsafe table.pointee.new_fluid_sample() else { return nil }
    unsafe self.table = table
    unsafe self.sample = sample
    let count = Self.frameCount
    unsafe upper = .allocate(capacity: count)
    unsafe upper.initialize(repeating: 0, count: count)
    unsafe lower = .allocate(capacity: count)
    unsafe lower.initialize(repeating: 0, count: count)
    ahead = Self.inverse(hertz: Double(hertz))
    _ = unsafe table.pointee.fluid_sample_set_sound_data(
      sample, upper, lower, UInt32(count), UInt32(hertz), 0)
    _ = unsafe table.pointee.fluid_sample_set_loop(sample, 0, UInt32(count))
    _ = unsafe table.pointee.fluid_sample_set_pitch(sample, key, 0)
  }

  deinit {
    unsafe table.pointee.delete_fluid_sample(sample)
    unsafe upper.deallocate()
    unsafe lower.deallocate()
  }

  /// The inverse of a voice's filter at its widest: 13 500 cents, or 0.45 of the sample rate,
  /// without resonance.
  private static func inverse(hertz: Double) -> (gain: Double, first: Double, second: Double) {
    let cutoff = min(440 * exp2((13_500 - 6_900) / 1_200), 0.45 * hertz)
    let quality = pow(10, -3.01 / 20)
    let angle = 2 * Double.pi * cutoff / hertz
    let width = sin(angle) / (2 * quality)
    let numerator = (1 - cos(angle)) / 2 / (1 + width) / quality.squareRoot()
    let level = (1 + radius) * (1 + radius) / 4
    return (
      gain: level / numerator, first: -2 * cos(angle) / (1 + width),
      second: (1 - width) / (1 + width)
    )
  }

  /// Makes the loop silent.
  @_noAllocation @_noLocks
  mutating func reset() {
    for frame in 0..<Self.frameCount {
      unsafe upper[frame] = 0
      unsafe lower[frame] = 0
    }
    (heard, made) = ((0, 0), (0, 0))
  }

  /// Writes a quantum at a position in the loop.
  @_noAllocation @_noLocks
  mutating func write(_ sound: UnsafePointer<Float>, at place: Int) {
    let full = 8_388_608.0
    let radius = Self.radius
    for frame in 0..<AudioFormat.quantum {
      let now = unsafe Double(sound[frame])
      let opened = ahead.gain * (now + ahead.first * heard.0 + ahead.second * heard.1)
      let value = opened - 2 * radius * made.0 - radius * radius * made.1
      heard = (now, heard.0)
      made = (value, made.0)
      let level = value * (full / Self.gain)
      // NaN becomes the lowest value.
      let held = level > -full ? (level < full - 1 ? level : full - 1) : -full
      let bits = Int(held + (full + 0.5)) &- Int(full)
      unsafe upper[place &+ frame] = Int16(truncatingIfNeeded: bits >> 8)
      unsafe lower[place &+ frame] = CChar(truncatingIfNeeded: bits)
    }
    // Becomes 0 long before denormal numbers, which would be slow.
    let size = abs(made.0) + abs(made.1)
    if !(size > 1e-12 && size < 1e6) { made = (0, 0) }
  }
}

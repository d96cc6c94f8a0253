// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CFluidSynth
internal import Glibc

/// What one of FluidSynth's effects hears: a loop of samples of 24 bits, which a voice plays at
/// exactly its own pitch, and which is filled again while it does.
///
/// Every voice of FluidSynth goes through a filter, a low-pass of the second order that is open at
/// 20 kHz at most and cannot be switched off. Here it is undone in advance: by its denominator, and
/// by a pair of poles beside the pair of zeros that it has at half the rate. What a filter of this
/// kind has let through before has nothing there, so that nothing grows.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct EffectFeed: ~Copyable {
  /// The frames of the loop: as many as are made at once at most.
  static var frameCount: Int {
    @_noAllocation @_noLocks
    get { SynthRun.limit &* AudioFormat.quantum }
  }

  /// The highest gain a synth has, at which a sample of 24 bits is −10…10: room for any mix.
  static var gain: Double {
    @_noAllocation @_noLocks
    get { 10 }
  }

  /// How far the poles are from the origin, the zeros being at 1: nearer to them, a sudden end of a
  /// sound would ring beyond the room there is; farther, more of the treble would be missing.
  private static var radius: Double {
    @_noAllocation @_noLocks
    get { 0.999 }
  }

  /// The sample, as FluidSynth knows it.
  let sample: OpaquePointer
  private let table: UnsafePointer<CFluidSynthTable>
  private let upper: UnsafeMutablePointer<Int16>
  private let lower: UnsafeMutablePointer<CChar>
  /// The inverse of the filter.
  private let ahead: (gain: Double, first: Double, second: Double)
  private var heard = (0.0, 0.0)
  private var made = (0.0, 0.0)

  /// Makes a loop of silence, whose own pitch is a key's; nil where there is no memory for it.
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

  /// The filter of a voice at its most open: at 13 500 cents, or 0.45 of the rate, without a hump.
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

  /// Writes a quantum at a place of the loop.
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
      // What is no number is the lowest there is.
      let held = level > -full ? (level < full - 1 ? level : full - 1) : -full
      let bits = Int(held + (full + 0.5)) &- Int(full)
      unsafe upper[place &+ frame] = Int16(truncatingIfNeeded: bits >> 8)
      unsafe lower[place &+ frame] = CChar(truncatingIfNeeded: bits)
    }
    // Long before it is too small for a number, which would be slow, it is silence.
    let size = abs(made.0) + abs(made.1)
    if !(size > 1e-12 && size < 1e6) { made = (0, 0) }
  }
}

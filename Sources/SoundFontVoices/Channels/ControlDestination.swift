// SPDX-License-Identifier: Apache-2.0

/// A destination of a part's controllers, in the order of GS 40 2x.
///
/// Source: Roland SC-88Pro owner's manual: pitch ±24 semitones, filter ±9600 cents, amplitude ±100
/// %, rate ±10 Hz, all with an offset of 64; depths of the oscillators for pitch 0…600 cents, for
/// the filter 0…2400 cents, for the amplitude 0…100 %.
package enum ControlDestination: Int, BitwiseCopyable, Sendable {
  case pitch, cutoff, amplitude, rate, vibrato, filterDepth, amplitudeDepth
  case secondRate, secondVibrato, secondFilterDepth, secondAmplitudeDepth

  package static var count: Int {
    @_noAllocation @_noLocks
    get { 11 }
  }

  /// True if the depth belongs to the channel: the bend range, and the vibrato of the modulation
  /// wheel.
  @_noAllocation @_noLocks
  static func isChannels(_ destination: Int, of source: Int) -> Bool {
    destination == 0 && source == 1 || destination == 4 && source == 0
  }

  /// The amount at the full value of the source: cents, hertz, or a fraction of 1.
  @_noAllocation @_noLocks
  func amount(_ depth: UInt8) -> Float {
    let (plain, middle) = (Float(depth), Float(Int(depth) &- 64))
    return switch self {
    case .pitch: max(-24, min(24, middle)) * 100
    case .cutoff: middle * 150
    case .amplitude: middle / 64
    case .rate, .secondRate: middle * (10.0 / 64)
    case .vibrato, .secondVibrato: plain * (600.0 / 127)
    case .filterDepth, .secondFilterDepth: plain * (2400.0 / 127)
    case .amplitudeDepth, .secondAmplitudeDepth: plain / 127
    }
  }

  /// The depth after a reset.
  @_noAllocation @_noLocks
  static func initial(_ destination: Int, of source: Int) -> UInt8 {
    switch (destination, source) {
    case (0, 1): 66
    case (4, 0): 10
    case (0...3, _), (7, _): 64
    default: 0
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A destination of a part's controllers, in the order of GS 40 2x.
///
/// Source: Roland SC-88Pro owner's manual: pitch ±24 semitones, filter ±9600 cents, amplitude ±100 %,
/// rate ±10 Hz, all about 64; depths of the oscillators for pitch 0…600 cents, for the filter 0…2400
/// cents, for the amplitude 0…100 %.
package enum ControlDestination: Int, BitwiseCopyable, Sendable {
  case pitch, cutoff, amplitude, rate, vibrato, filterDepth, amplitudeDepth
  case secondRate, secondVibrato, secondFilterDepth, secondAmplitudeDepth

  package static var count: Int {
    @_noAllocation @_noLocks
    get { 11 }
  }

  /// The depth that a reset leaves.
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

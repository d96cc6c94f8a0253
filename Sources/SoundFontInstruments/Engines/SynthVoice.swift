// SPDX-License-Identifier: Apache-2.0

/// A voice that sounds, as its synthesiser names it: FluidSynth by an address, ours by a place.
struct SynthVoice: BitwiseCopyable {
  let bits: UInt

  /// The voice at a place.
  @_noAllocation @_noLocks
  init(place: Int32) { bits = UInt(truncatingIfNeeded: place) }

  /// Its place.
  var place: Int {
    @_noAllocation @_noLocks
    get { Int(truncatingIfNeeded: bits) }
  }

  /// Its address; null for a place of 0.
  var address: OpaquePointer? {
    @_noAllocation @_noLocks
    get { unsafe OpaquePointer(bitPattern: bits) }
  }

  /// None.
  static var none: SynthVoice {
    @_noAllocation @_noLocks
    get { SynthVoice(place: 0) }
  }
}

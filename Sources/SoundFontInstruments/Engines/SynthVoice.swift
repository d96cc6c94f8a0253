// SPDX-License-Identifier: Apache-2.0

/// Identifies a sounding voice: FluidSynth's by address, Downbeat's own by index.
struct SynthVoice: BitwiseCopyable {
  let bits: UInt

  /// Creates an identifier from an index.
  @_noAllocation @_noLocks
  init(place: Int32) { bits = UInt(truncatingIfNeeded: place) }

  /// The index of the voice.
  var place: Int {
    @_noAllocation @_noLocks
    get { Int(truncatingIfNeeded: bits) }
  }

  /// The address of the voice; nil for index 0.
  var address: OpaquePointer? {
    @_noAllocation @_noLocks
    get { unsafe OpaquePointer(bitPattern: bits) }
  }

  /// A placeholder.
  static var none: SynthVoice {
    @_noAllocation @_noLocks
    get { SynthVoice(place: 0) }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The state that each message checks for all voices, stored separately so that it can be searched
/// quickly.
struct VoiceMark: BitwiseCopyable {
  /// The reason that a voice is held.
  enum State: BitwiseCopyable {
    case key, sustain, sostenuto
  }

  /// The number of the voice's note.
  var note: UInt32 = 0
  /// The frame of the note, as counted by the synthesiser.
  var struck: UInt32 = 0
  /// 500 divided by the attenuation in centibels: a measure of the voice's importance.
  var loudness: Float = 0
  var channel: UInt8 = VoiceMark.nowhere
  var key: UInt8 = 0
  var state = State.key
  var bits: UInt8 = 0

  /// Creates the mark of a free slot.
  @_noAllocation @_noLocks
  init() {}

  @_noAllocation @_noLocks
  init(note: UInt32, struck: UInt32, channel: UInt8, key: UInt8) {
    (self.note, self.struck, self.channel, self.key) = (note, struck, channel, key)
  }

  /// The channel of a free slot.
  static var nowhere: UInt8 {
    @_noAllocation @_noLocks
    get { 0xFF }
  }

  var isFree: Bool {
    @_noAllocation @_noLocks
    get { channel == VoiceMark.nowhere }
  }

  /// True after the release; `state` does not change.
  var isReleased: Bool {
    @_noAllocation @_noLocks
    get { bits & 1 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~1 | (newValue ? 1 : 0) }
  }

  /// True if the voice was asked to fade.
  var isFading: Bool {
    @_noAllocation @_noLocks
    get { bits & 2 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~2 | (newValue ? 2 : 0) }
  }

  /// True if the voice replaced another in this quantum, so that it is not replaced again.
  var isTaken: Bool {
    @_noAllocation @_noLocks
    get { bits & 4 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~4 | (newValue ? 4 : 0) }
  }

  /// True if the note began while the soft pedal was down.
  var isSoft: Bool {
    @_noAllocation @_noLocks
    get { bits & 8 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~8 | (newValue ? 8 : 0) }
  }

  /// True if the key holds the voice.
  var isOn: Bool {
    @_noAllocation @_noLocks
    get { if case .key = state { !isReleased } else { false } }
  }

  var isSustained: Bool {
    @_noAllocation @_noLocks
    get { if case .sustain = state { true } else { false } }
  }

  var isSostenuto: Bool {
    @_noAllocation @_noLocks
    get { if case .sostenuto = state { true } else { false } }
  }

  /// True if only a pedal holds the voice, or held it.
  var isPedalled: Bool {
    @_noAllocation @_noLocks
    get { isSustained || isSostenuto }
  }
}

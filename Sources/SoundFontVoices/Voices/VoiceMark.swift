// SPDX-License-Identifier: Apache-2.0

/// What is asked of all voices at each message, by itself so that they are looked through quickly.
struct VoiceMark: BitwiseCopyable {
  /// What holds a voice.
  enum State: BitwiseCopyable {
    case key, sustain, sostenuto
  }

  /// The note it belongs to.
  var note: UInt32 = 0
  /// The frame it was struck at, as counted by the synthesiser.
  var struck: UInt32 = 0
  /// 500 by its attenuation in centibels: how much its loudness makes it missed.
  var loudness: Float = 0
  var channel: UInt8 = VoiceMark.nowhere
  var key: UInt8 = 0
  var state = State.key
  var bits: UInt8 = 0

  /// A place without a voice.
  @_noAllocation @_noLocks
  init() {}

  @_noAllocation @_noLocks
  init(note: UInt32, struck: UInt32, channel: UInt8, key: UInt8) {
    (self.note, self.struck, self.channel, self.key) = (note, struck, channel, key)
  }

  /// The channel of a place without a voice.
  static var nowhere: UInt8 {
    @_noAllocation @_noLocks
    get { 0xFF }
  }

  var isFree: Bool {
    @_noAllocation @_noLocks
    get { channel == VoiceMark.nowhere }
  }

  /// Whether it was let go; its state stays what it was.
  var isReleased: Bool {
    @_noAllocation @_noLocks
    get { bits & 1 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~1 | (newValue ? 1 : 0) }
  }

  /// Whether it was told to fade.
  var isFading: Bool {
    @_noAllocation @_noLocks
    get { bits & 2 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~2 | (newValue ? 2 : 0) }
  }

  /// Whether it took another's place in this quantum, so that none may take it again.
  var isTaken: Bool {
    @_noAllocation @_noLocks
    get { bits & 4 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~4 | (newValue ? 4 : 0) }
  }

  /// Whether it was struck under the soft pedal.
  var isSoft: Bool {
    @_noAllocation @_noLocks
    get { bits & 8 != 0 }
    @_noAllocation @_noLocks
    set { bits = bits & ~8 | (newValue ? 8 : 0) }
  }

  /// Whether a key holds it.
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

  /// Whether a pedal alone holds it, or did.
  var isPedalled: Bool {
    @_noAllocation @_noLocks
    get { isSustained || isSostenuto }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The destination of a channel's voices.
package struct VoiceRoute: BitwiseCopyable, Equatable, Sendable {
  /// The stereo bus, among those of `VoiceSynth.process`.
  package var bus: Int
  /// True if the voices are sent to reverb and chorus.
  package var hasSends: Bool
  /// The additional bus to which voices are sent, with the delay send of their drum notes.
  package var sendBus: Int
  /// The gain of this send, which is multiplied by that of the drum note; 0 for none.
  package var send: Float

  @_noAllocation @_noLocks
  package init(bus: Int, hasSends: Bool = true, sendBus: Int = 0, send: Float = 0) {
    self.bus = bus
    self.hasSends = hasSends
    self.sendBus = sendBus
    self.send = send
  }

  @_noAllocation @_noLocks
  package static func == (left: VoiceRoute, right: VoiceRoute) -> Bool {
    left.bus == right.bus && left.hasSends == right.hasSends
      && left.sendBus == right.sendBus && left.send == right.send
  }
}

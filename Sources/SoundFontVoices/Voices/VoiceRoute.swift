// SPDX-License-Identifier: Apache-2.0

/// Where the voices of a channel go.
package struct VoiceRoute: BitwiseCopyable, Equatable, Sendable {
  /// The stereo bus, of those that `VoiceSynth.process` is given.
  package var bus: Int
  /// Whether reverb and chorus receive them.
  package var hasSends: Bool
  /// The bus that they are sent to in addition, each by the delay send of its drum note.
  package var sendBus: Int
  /// The level of this send, of which a drum note's is a share; 0 for none.
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

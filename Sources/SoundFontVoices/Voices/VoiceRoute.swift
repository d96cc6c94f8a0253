// SPDX-License-Identifier: Apache-2.0

/// Where the voices of a channel go.
package struct VoiceRoute: BitwiseCopyable, Equatable, Sendable {
  /// The stereo bus, of those that `VoiceSynth.process` is given.
  package var bus: Int
  /// Whether reverb and chorus receive them.
  package var hasSends: Bool

  @_noAllocation @_noLocks
  package init(bus: Int, hasSends: Bool = true) {
    self.bus = bus
    self.hasSends = hasSends
  }

  @_noAllocation @_noLocks
  package static func == (left: VoiceRoute, right: VoiceRoute) -> Bool {
    left.bus == right.bus && left.hasSends == right.hasSends
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// A message passed to ALSA that leaves late, because a SysEx leaves before it.
struct DelayedMessage: Sendable {
  let message: Message
  /// The original time.
  let time: HostTime
  /// The time at which it leaves.
  let due: HostTime
  /// Its position in the order of sending.
  let place: Int

  /// The events to send again after a cancellation, in their original order: messages due before
  /// the given time that a SysEx has delayed past it, and SysEx messages of which no piece has been
  /// sent.
  ///
  /// - Complexity: O(n log n) in the number of both.
  static func takenBack(
    _ delayed: [DelayedMessage], _ transfers: [SysExTransfer], from time: HostTime
  ) -> [HeldEvents.Event] {
    let messages = delayed.filter { $0.due >= time && $0.time < time }
      .map { ($0.place, HeldEvents.Event(time: $0.time, content: .message($0.message))) }
    let sysEx = transfers.filter { $0.handedOn == 0 }
      .map { ($0.place, HeldEvents.Event(time: $0.time, content: .sysEx($0.payload, $0.part))) }
    return (messages + sysEx).sorted { $0.0 < $1.0 }.map(\.1)
  }
}

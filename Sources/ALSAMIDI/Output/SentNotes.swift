// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime

/// The messages of a port that were passed to the kernel: the notes that sound now, and future
/// messages.
///
/// With this record a port can be silenced after any cancellation. Messages may be recorded in any
/// order of their times, because the kernel's queue accepts any order.
struct SentNotes: Sendable {
  private var ledger = NoteLedger()
  /// In the order of their times; messages of the same time in the order of sending.
  private var coming: ContiguousArray<(time: HostTime, message: Message)> = []
  private var settled = 0
  private let shared: SharedNotes?

  init(shared: SharedNotes? = nil) {
    self.shared = shared
  }

  /// Records a message that was passed on and is due at an instant.
  mutating func record(_ message: Message, due time: HostTime) {
    guard message.channel != nil else { return }
    shared?.promise(message)
    coming.append((time, message))
    var place = coming.count - 1
    while place > settled, time < coming[place - 1].time {
      coming.swapAt(place, place - 1)
      place -= 1
    }
  }

  /// Records whether a SysEx message sent in pieces may have begun and not ended.
  func record(isInSysEx: Bool) {
    guard let shared, shared.isInSysEx != isInSysEx else { return }
    shared.isInSysEx = isInSysEx
  }

  /// Counts everything due before an instant as sent.
  mutating func settle(before time: HostTime) {
    while settled < coming.count, coming[settled].time < time {
      settle(coming[settled].message)
      settled += 1
    }
    guard settled == coming.count || settled > 4096 else { return }
    coming.removeFirst(settled)
    settled = 0
  }

  /// Removes messages due at or after an instant; those due before it may be cancelled later.
  mutating func cancel(from time: HostTime) {
    coming.removeFirst(settled)
    settled = 0
    coming.removeAll { $0.time >= time }
    shared?.forgetComing()
    for (_, message) in coming { shared?.promise(message) }
  }

  /// Clears the record, and returns the messages that silence everything sent before an instant.
  mutating func silence(at time: HostTime) -> [Message] {
    settle(before: time)
    coming.removeAll(keepingCapacity: true)
    settled = 0
    return ledger.takeReleases(cuttingSound: true)
  }

  /// Clears the shared notes, after the messages that silence everything were passed on.
  func forgetShared() {
    shared?.clear()
  }

  /// Treats every channel as sounding.
  mutating func assumeEverything() {
    ledger.assumeEverything()
    shared?.assumeEverything()
  }

  private mutating func settle(_ message: Message) {
    ledger.record(message)
    shared?.settle(message)
  }
}

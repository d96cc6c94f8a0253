// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime

/// What a port has handed to the kernel: what sounds by now, and what is still to come.
///
/// It is what lets a port fall silent whatever was cancelled before. Messages may be handed over in
/// any order of their times, as the kernel's queue takes them.
struct SentNotes: Sendable {
  private var ledger = NoteLedger()
  /// In the order of their times; those of one time as they came.
  private var coming: ContiguousArray<(time: HostTime, message: Message)> = []
  private var settled = 0
  private let shared: SharedNotes?

  init(shared: SharedNotes? = nil) {
    self.shared = shared
  }

  /// Notes a message that was handed over, due at an instant.
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

  /// Notes whether a SysEx message that leaves in pieces may have begun and not ended.
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

  /// Forgets what is due at or after an instant; what is due before it may be cancelled later.
  mutating func cancel(from time: HostTime) {
    coming.removeFirst(settled)
    settled = 0
    coming.removeAll { $0.time >= time }
    shared?.forgetComing()
    for (_, message) in coming { shared?.promise(message) }
  }

  /// Forgets everything, and returns the messages that silence what was sent before an instant.
  mutating func silence(at time: HostTime) -> [Message] {
    settle(before: time)
    coming.removeAll(keepingCapacity: true)
    settled = 0
    return ledger.takeReleases(cuttingSound: true)
  }

  /// Clears the shared account, once the messages that silence everything were handed over.
  func forgetShared() {
    shared?.clear()
  }

  /// Takes every channel as sounding.
  mutating func assumeEverything() {
    ledger.assumeEverything()
    shared?.assumeEverything()
  }

  private mutating func settle(_ message: Message) {
    ledger.record(message)
    shared?.settle(message)
  }
}

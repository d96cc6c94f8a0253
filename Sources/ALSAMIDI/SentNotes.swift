// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// What a port has handed to the kernel: what sounds by now, and what is still to come.
///
/// It is what lets a port cancel the future without leaving a note on whose release was in it.
struct SentNotes: Sendable {
  private var ledger = NoteLedger()
  private var counts = ContiguousArray<UInt8>(repeating: 0, count: 16 * 128)
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

  /// Forgets what is due at or after an instant, and returns the releases lost with it: those of
  /// keys that sound before it.
  mutating func cancel(from time: HostTime) -> [Message] {
    settle(before: time)
    var lost: [Message] = []
    for (_, message) in coming[settled...] {
      guard case .noteOff(let channel, let key, _) = message.kind else { continue }
      let slot = Int(channel.index) << 7 | Int(key.number)
      guard counts[slot] > 0 else { continue }
      settle(message)
      lost.append(message)
    }
    coming.removeAll(keepingCapacity: true)
    settled = 0
    shared?.forgetComing()
    return lost
  }

  /// Forgets everything, and returns the messages that silence what was sent before an instant.
  mutating func silence(at time: HostTime) -> [Message] {
    settle(before: time)
    coming.removeAll(keepingCapacity: true)
    settled = 0
    for slot in counts.indices { counts[slot] = 0 }
    return ledger.takeReleases(cuttingSound: true)
  }

  /// Clears the shared account, once the messages that silence everything were handed over.
  func forgetShared() {
    shared?.clear()
  }

  /// Holds every channel for sounding in the shared account, or none.
  func assume(everythingSounds: Bool) {
    if everythingSounds { shared?.assumeEverything() } else { shared?.clear() }
  }

  private mutating func settle(_ message: Message) {
    ledger.record(message)
    shared?.settle(message)
    switch message.kind {
    case .noteOn(let channel, let key, _):
      let slot = Int(channel.index) << 7 | Int(key.number)
      if counts[slot] < .max { counts[slot] += 1 }
    case .noteOff(let channel, let key, _):
      let slot = Int(channel.index) << 7 | Int(key.number)
      if counts[slot] > 0 { counts[slot] -= 1 }
    default:
      break
    }
  }
}

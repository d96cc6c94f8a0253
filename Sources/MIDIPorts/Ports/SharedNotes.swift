// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages

/// What one port has struck and not released, in memory that outlives the process.
///
/// For each `Hold` there are two counts: how often it was begun, and how often it is still to be begun
/// by what is under way. The sender writes; the guardian reads when the sender is gone.
@safe
package struct SharedNotes: @unchecked Sendable {
  /// How many bytes a port needs.
  package static let byteCount = 8192
  /// How many ports of a client have room.
  package static let portCount = 64

  private let sounding: UnsafeMutablePointer<UInt8>
  private let coming: UnsafeMutablePointer<UInt8>
  private let sysEx: UnsafeMutablePointer<UInt8>

  /// The part of a port in memory that is shared, or nil for a port beyond the room.
  package init?(_ memory: UnsafeMutableRawBufferPointer, port: UInt8) {
    let start = Int(port) * Self.byteCount
    guard port < Self.portCount, start + Self.byteCount <= memory.count,
      let base = memory.baseAddress
    else { return nil }
    unsafe sounding = (base + start).assumingMemoryBound(to: UInt8.self)
    unsafe coming = sounding + Hold.count
    unsafe sysEx = coming + Hold.count
  }

  /// Whether a SysEx message that leaves in pieces may have begun and not ended.
  package var isInSysEx: Bool {
    get { unsafe sysEx.pointee != 0 }
    nonmutating set { unsafe sysEx.pointee = newValue ? 1 : 0 }
  }

  /// Notes a message that is about to be handed over.
  package func promise(_ message: Message) {
    guard let (hold, begins) = message.hold, begins else { return }
    if unsafe coming[hold.index] < .max { unsafe coming[hold.index] += 1 }
  }

  /// Counts a promised message as sent.
  package func settle(_ message: Message) {
    guard let (hold, begins) = message.hold else { return }
    let slot = hold.index
    if begins, unsafe coming[slot] > 0 { unsafe coming[slot] -= 1 }
    unsafe hold.count(begun: begins, in: &sounding[slot])
  }

  /// Forgets one message that was promised and never left.
  package func withdraw(_ message: Message) {
    guard let (hold, begins) = message.hold, begins else { return }
    if unsafe coming[hold.index] > 0 { unsafe coming[hold.index] -= 1 }
  }

  /// Forgets what was promised and not settled.
  package func forgetComing() {
    unsafe coming.update(repeating: 0, count: Hold.count)
  }

  /// Forgets everything.
  package func clear() {
    unsafe sounding.update(repeating: 0, count: Hold.count)
    isInSysEx = false
    forgetComing()
  }

  /// Takes every channel as sounding: somebody else plays there.
  package func assumeEverything() {
    for channel in Channel.all { settle(.control(channel, .sustain, value: 127)) }
  }

  /// What silences all of it; empty where nothing sounds.
  package var releases: [Message] {
    var ledger = NoteLedger()
    for index in 0..<Hold.count {
      let count = unsafe Int(sounding[index]) + Int(coming[index])
      ledger.record(Hold(index: index), begun: count)
    }
    return ledger.takeReleases(cuttingSound: true)
  }
}

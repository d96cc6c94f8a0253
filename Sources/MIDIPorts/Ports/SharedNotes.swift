// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages

/// Counts the sounding notes of one port, in memory that outlives the process.
///
/// Each `Hold` has two counts: how often it was begun, and how often pending events will begin it.
/// The sender writes them; the guardian reads them when the sender has ended.
@safe
package struct SharedNotes: @unchecked Sendable {
  /// The number of bytes for each port.
  package static let byteCount = 8192
  /// The number of ports of a client.
  package static let portCount = 64

  private let sounding: UnsafeMutablePointer<UInt8>
  private let coming: UnsafeMutablePointer<UInt8>
  private let sysEx: UnsafeMutablePointer<UInt8>

  /// Uses the part of shared memory for a port; nil if the memory does not have room for it.
  package init?(_ memory: UnsafeMutableRawBufferPointer, port: UInt8) {
    let start = Int(port) * Self.byteCount
    guard port < Self.portCount, start + Self.byteCount <= memory.count,
      let base = memory.baseAddress
    else { return nil }
    unsafe sounding = (base + start).assumingMemoryBound(to: UInt8.self)
    unsafe coming = sounding + Hold.count
    unsafe sysEx = coming + Hold.count
  }

  /// True if a SysEx message in pieces may have begun and not ended.
  package var isInSysEx: Bool {
    get { unsafe sysEx.pointee != 0 }
    nonmutating set { unsafe sysEx.pointee = newValue ? 1 : 0 }
  }

  /// Counts a message that will be sent.
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

  /// Removes a promised message that will not be sent.
  package func withdraw(_ message: Message) {
    guard let (hold, begins) = message.hold, begins else { return }
    if unsafe coming[hold.index] > 0 { unsafe coming[hold.index] -= 1 }
  }

  /// Removes all promised messages that have not been sent.
  package func forgetComing() {
    unsafe coming.update(repeating: 0, count: Hold.count)
  }

  /// Clears all counts.
  package func clear() {
    unsafe sounding.update(repeating: 0, count: Hold.count)
    isInSysEx = false
    forgetComing()
  }

  /// Marks all channels as sounding, because other programs also send to the port.
  package func assumeEverything() {
    for channel in Channel.all { settle(.control(channel, .sustain, value: 127)) }
  }

  /// The messages that silence everything; empty if nothing sounds.
  package var releases: [Message] {
    var ledger = NoteLedger()
    for index in 0..<Hold.count {
      let count = unsafe Int(sounding[index]) + Int(coming[index])
      ledger.record(Hold(index: index), begun: count)
    }
    return ledger.takeReleases(cuttingSound: true)
  }
}

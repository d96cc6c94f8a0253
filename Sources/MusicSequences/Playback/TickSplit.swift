// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// Splits one track's events of one tick into a head and a rest, per channel.
///
/// The rest of a channel begins with the first note-on of that channel. A SysEx message after any
/// note-on begins the rest of every channel, and so do metas and parameters for themselves. All
/// tracks' heads are sent before all tracks' rests: so the programs and controllers of one track
/// come before the notes of another, and the order of each channel inside a track is the file's.
///
/// Joining tracks in the order of emission changes nothing of the split: heads hold no note-on, and
/// whatever put an event into a rest, a note-on or a SysEx, is in a rest before it.
struct TickSplit: BitwiseCopyable, Sendable {
  /// The channels whose rest has begun.
  private var struck: UInt16 = 0

  /// Takes the next record of the track.
  ///
  /// - Returns: Whether it belongs to the rest.
  @inline(__always)
  mutating func takesAsRest(_ record: EventRecord) -> Bool {
    let status = record.status
    guard status >= 0xF0 else {
      if status & 0xF0 == 0x90 { struck |= Self.bit(status) }
      return struck & Self.bit(status) != 0
    }
    guard struck != 0 else { return false }
    if status == EventRecord.sysEx || status == EventRecord.packet { struck = .max }
    return true
  }

  /// Whether a note-off that comes next in the track belongs to the rest.
  @inline(__always)
  func isRest(_ release: Message) -> Bool { struck & Self.bit(release.status) != 0 }

  @inline(__always)
  private static func bit(_ status: UInt8) -> UInt16 { 1 << UInt16(status & 0x0F) }
}

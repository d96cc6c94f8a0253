// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// Splits the events of a track at one tick into a head and a rest, per channel.
///
/// The rest of a channel begins with its first note-on. A SysEx message after any note-on begins
/// the rest of every channel; a meta event or parameter after a note-on belongs to the rest itself.
/// All heads of all tracks are sent before all rests. So programs and controllers of one track
/// precede the notes of another, and each channel of a track keeps the order of the file.
///
/// Joining tracks in the order of emission does not change the split: heads do not contain
/// note-ons, and the note-on or SysEx that put an event into a rest precedes it in a rest.
struct TickSplit: BitwiseCopyable, Sendable {
  /// The channels for which the rest has begun.
  private var struck: UInt16 = 0

  /// Processes the next record of the track.
  ///
  /// - Returns: True if it belongs to the rest.
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

  /// True if a note-off at this position belongs to the rest.
  @inline(__always)
  func isRest(_ release: Message) -> Bool { struck & Self.bit(release.status) != 0 }

  @inline(__always)
  private static func bit(_ status: UInt8) -> UInt16 { 1 << UInt16(status & 0x0F) }
}

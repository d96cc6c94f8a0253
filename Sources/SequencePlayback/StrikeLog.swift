// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// The notes that a player has begun and that sound, or may sound again if their ends are
/// cancelled.
struct StrikeLog: Sendable {
  private var strikes: ContiguousArray<Strike> = []
  private var kept = 0

  private struct Strike: BitwiseCopyable, Sendable {
    var note: HeldNote
    var struck: ReferenceTime
    /// The time at which a move ended the note; the greatest time if none did.
    var cut = ReferenceTime(nanoseconds: .max)
    /// The pass of the loop that ended it.
    var cuttingPass = Int.min

    var isOpen: Bool { cut == ReferenceTime(nanoseconds: .max) }
  }

  init() {
    strikes.reserveCapacity(1024)
  }

  mutating func add(
    _ event: CursorEvent, _ strike: Message, _ release: Message, at time: ReferenceTime
  ) {
    add(
      HeldNote(
        track: event.track, index: event.index, start: event.tick, end: event.end,
        strike: strike, release: release, port: event.port),
      at: time)
  }

  mutating func add(_ note: HeldNote, at time: ReferenceTime) {
    strikes.append(Strike(note: note, struck: time))
  }

  /// Marks all sounding notes as ended by something other than their note-offs.
  mutating func close(at time: ReferenceTime) {
    for index in strikes.indices where strikes[index].isOpen { strikes[index].cut = time }
  }

  /// Ends all notes when a loop goes back; the closure gets those that reach its end.
  mutating func cut(
    at position: TransportPosition, endingFrom end: Tick, _ body: (HeldNote) -> Void
  ) {
    for index in strikes.indices where strikes[index].isOpen {
      if strikes[index].note.end >= end { body(strikes[index].note) }
      strikes[index].cut = position.time
      strikes[index].cuttingPass = position.pass
    }
  }

  /// Removes notes begun from an instant on, and restores notes that a loop ended since then.
  mutating func rewind(to position: TransportPosition) {
    strikes.removeAll { $0.struck >= position.time }
    for index in strikes.indices where !strikes[index].isOpen {
      let strike = strikes[index]
      guard
        strike.cut > position.time
          || strike.cut == position.time && strike.cuttingPass > position.pass
      else { continue }
      strikes[index].cut = ReferenceTime(nanoseconds: .max)
      strikes[index].cuttingPass = .min
    }
  }

  func forEachSounding(at position: TransportPosition, _ body: (HeldNote) -> Void) {
    for strike in strikes where strike.isOpen && strike.note.end >= position.tick {
      body(strike.note)
    }
  }

  /// Replaces the sounding notes by other notes, and releases those that are not replaced.
  mutating func replace(
    at position: TransportPosition, by substitute: (HeldNote) -> HeldNote?,
    release: (HeldNote) -> Void
  ) {
    for index in strikes.indices
    where strikes[index].isOpen && strikes[index].note.end >= position.tick {
      if let note = substitute(strikes[index].note), note.end >= position.tick {
        strikes[index].note = note
      } else {
        release(strikes[index].note)
        strikes[index].cut = position.time
      }
    }
  }

  /// Removes notes that ended before an instant to which no command goes back.
  mutating func settle(before position: TransportPosition) {
    // Waits until the number has doubled, so that each note is examined twice on average.
    guard strikes.count > 2 * kept + 64 else { return }
    strikes.removeAll { strike in
      strike.struck < position.time
        && (strike.cut <= position.time || strike.note.end < position.tick)
    }
    kept = strikes.count
  }
}

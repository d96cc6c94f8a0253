// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// The notes a player has struck that sound, or may sound again once their end is taken back.
struct StrikeLog: Sendable {
  private var strikes: ContiguousArray<Strike> = []
  private var kept = 0

  private struct Strike: BitwiseCopyable, Sendable {
    var note: HeldNote
    var struck: ReferenceTime
    /// When a move ended the note; the end of time where none did.
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

  /// Marks every note that still sounds as ended, by something else than its own end.
  mutating func close(at time: ReferenceTime) {
    for index in strikes.indices where strikes[index].isOpen { strikes[index].cut = time }
  }

  /// Ends the notes that reach to a tick or beyond, where a loop goes back.
  mutating func cut(
    at position: TransportPosition, endingFrom end: Tick, _ body: (HeldNote) -> Void
  ) {
    for index in strikes.indices where strikes[index].isOpen {
      if strikes[index].note.end >= end { body(strikes[index].note) }
      strikes[index].cut = position.time
      strikes[index].cuttingPass = position.pass
    }
  }

  /// Forgets the notes struck from an instant on, and takes back the ends that a loop made since.
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

  /// Puts other notes in the place of those that sound, and releases those that have none.
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

  /// Forgets what ended before an instant that no command reaches back behind.
  mutating func settle(before position: TransportPosition) {
    // As many must have come as were kept: so each is looked at twice on the average.
    guard strikes.count > 2 * kept + 64 else { return }
    strikes.removeAll { strike in
      strike.struck < position.time
        && (strike.cut <= position.time || strike.note.end < position.tick)
    }
    kept = strikes.count
  }
}

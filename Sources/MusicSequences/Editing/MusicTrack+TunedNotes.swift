// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
import MusicalTime

extension MusicTrack {
  /// Adds notes of any pitch, which need not be the pitch of a key.
  ///
  /// Each note uses the nearest key of its channel that is free, that is, on which the track does
  /// not sound another note at the time. The key is tuned when the note begins, and tuned back when
  /// it ends. If the pitch is already that of a free key, a plain note is added. Tuning programs
  /// 113 to 128 are used, one for each channel, selected at tick 0. Most instruments do not tune
  /// drums. A plain note that you add later on the same key and at the same time sounds with that
  /// tuning.
  ///
  /// - Throws: The errors of `insert(_:)`; `SequenceError.outOfRange` if all keys of a channel are
  ///   in use. The track is then unchanged.
  /// - Complexity: O((n + m) log (n + m)) for m notes among n events.
  public mutating func insert(tuned notes: [TunedNote]) throws(SequenceError) {
    var keys = KeyUse(self)
    var events: [TrackEvent] = []
    for note in notes.sorted(by: { $0.tick < $1.tick }) {
      let key = try keys.take(for: note)
      events.append(TrackEvent(.note(note.note(on: key)), at: note.tick))
      guard note.pitch != Pitch(key) else { continue }
      keys.tune(key, for: note)
    }
    try insert(contentsOf: keys.tunings(in: self) + events)
  }

  /// Returns the pitch of a note, or nil if the event is not a note.
  ///
  /// The pitch of a tuned note is the tuned one; the pitch of a plain note is that of its key.
  ///
  /// - Complexity: O(log n) for each event at the note's tick.
  public func pitch(ofNoteAt index: Int) -> Pitch? {
    let record = records[index]
    guard record.isNote else { return nil }
    let (channel, key) = (Channel(index: record.status), Key(record.data1))
    let start = TunedNote.tuning(of: key, to: Pitch(key), on: channel).dropLast(4)
    var pitch = Pitch(key)
    var place = records.firstIndex(atOrAfter: record.tick)
    while place < records.count, records[place].tick == record.tick {
      let other = records[place]
      place += 1
      guard other.status == EventRecord.sysEx else { continue }
      // Stored SysEx begins with F0.
      let bytes = Array(payloads.payload(of: other).suffix(start.count + 4))
      guard bytes.count == start.count + 4, bytes.starts(with: start) else { continue }
      let digits = bytes.suffix(4).map(Int32.init)
      pitch = Pitch(steps: digits[0] << 14 | digits[1] << 7 | digits[2]) ?? pitch
    }
    return pitch
  }
}

/// The times at which the keys of a track sound, and the tunings for its tuned notes.
private struct KeyUse {
  /// The existing notes of one key of a channel.
  private struct Notes {
    /// The starts, in order.
    var starts: [UInt64] = []
    /// For each note, the latest end of it and all earlier notes.
    var ends: [UInt64] = []

    /// True if a note sounds in the range, or begins in it or at its end.
    func sound(in range: ClosedRange<UInt64>) -> Bool {
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] <= range.upperBound { low = middle + 1 } else { high = middle }
      }
      return low > 0 && ends[low - 1] > range.lowerBound
    }
  }

  /// The notes of each key of each channel.
  private var notes = [Notes](repeating: Notes(), count: 16 * 128)
  /// The end of the last tuned note on each key of each channel.
  private var taken = [UInt64](repeating: 0, count: 16 * 128)
  /// The tunings of keys from a tick on.
  ///
  /// At one tick, the last one applies.
  private var changes: [Change: Pitch] = [:]

  private struct Change: Hashable {
    let tick: Int64
    let channel: UInt8
    let key: UInt8
  }

  init(_ track: MusicTrack) {
    for record in track.records where record.isNote {
      let place = Int(record.status & 0x0F) << 7 | Int(record.data1)
      notes[place].starts.append(record.tick)
      notes[place].ends.append(max(record.endTick, record.tick + 1, notes[place].ends.last ?? 0))
    }
  }

  /// The free key nearest to a note's pitch; the lower of two equally near keys.
  mutating func take(for note: TunedNote) throws(SequenceError) -> Key {
    let start = try MusicTrack.checked(note.tick)
    guard (0...Int64(EventRecord.maximumDuration)).contains(note.duration) else {
      throw .outOfRange(
        "note length \(note.duration) ticks is out of range (allowed: 0…4294967294)")
    }
    let nearest = Int(note.pitch.nearestKey.number)
    let keys = (0...127).lazy.flatMap { (distance: Int) -> [Int] in
      distance == 0 ? [nearest] : [nearest - distance, nearest + distance]
    }
    let end = start + UInt64(note.duration)
    for key in keys where (0...127).contains(key) {
      let place = Int(note.channel.index) << 7 | key
      guard taken[place] <= start, !notes[place].sound(in: start...end) else { continue }
      taken[place] = max(end, start + 1)
      return Key(UInt8(key))
    }
    throw .outOfRange(
      "channel \(note.channel.index + 1), tick \(note.tick.value): all 128 keys are in use")
  }

  /// Tunes a key for a note, and back at the note's end unless another tuning begins there.
  mutating func tune(_ key: Key, for note: TunedNote) {
    func change(_ tick: Int64) -> Change {
      Change(tick: tick, channel: note.channel.index, key: key.number)
    }
    changes[change(note.tick.value)] = note.pitch
    let end = change(note.tick.value + max(note.duration, 1))
    if changes[end] == nil { changes[end] = Pitch(key) }
  }

  /// The events that tune the keys, in order.
  func tunings(in track: MusicTrack) -> [TrackEvent] {
    let channels = Set(changes.keys.map(\.channel)).map(Channel.init(index:)).sorted {
      $0.index < $1.index
    }
    let origin = track.events.prefix { $0.tick == .zero }.map(\.content)
    let selections = channels.map(TunedNote.selection)
      .filter { !origin.contains(.message($0[2])) }.joined()
      .map { TrackEvent(.message($0), at: .zero) }
    let tunings = changes.sorted {
      ($0.key.tick, $0.key.channel, $0.key.key) < ($1.key.tick, $1.key.channel, $1.key.key)
    }.map { change, pitch in
      let channel = Channel(index: change.channel)
      let bytes = TunedNote.tuning(of: Key(change.key), to: pitch, on: channel)
      return TrackEvent(.sysEx(bytes), at: Tick(change.tick))
    }
    return selections + tunings
  }
}

// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
import MusicalTime

extension MusicTrack {
  /// Adds notes of any pitch.
  ///
  /// Each is a note of the nearest key on which nothing else of the track sounds meanwhile on that
  /// channel, tuned before it begins and back where it ends; one whose pitch is that of a free key is
  /// plain. The tuning programs are 113 to 128, one for each channel, selected at tick 0; drums
  /// are not tuned by most instruments. Plain notes that are added later on top of a
  /// tuned note's key sound as it does.
  ///
  /// - Throws: as `insert(_:)`; `SequenceError.outOfRange` where all keys of a channel are taken.
  ///   The track is then as it was.
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

  /// The pitch that a note was given when it was added, or that of its key; nil where the event is
  /// no note.
  ///
  /// - Complexity: O(log n) for each event of the note's tick.
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
      // What is stored begins with F0.
      let bytes = Array(payloads.payload(of: other).suffix(start.count + 4))
      guard bytes.count == start.count + 4, bytes.starts(with: start) else { continue }
      let digits = bytes.suffix(4).map(Int32.init)
      pitch = Pitch(steps: digits[0] << 14 | digits[1] << 7 | digits[2]) ?? pitch
    }
    return pitch
  }
}

/// Which keys of a track sound when, and how its tuned notes tune them.
private struct KeyUse {
  /// The notes that a track has already on a key of a channel.
  private struct Notes {
    /// In order.
    var starts: [UInt64] = []
    /// For each note the latest end of all up to it.
    var ends: [UInt64] = []

    /// Whether any of them sounds in a range, or begins in it or at its end.
    func sound(in range: ClosedRange<UInt64>) -> Bool {
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] <= range.upperBound { low = middle + 1 } else { high = middle }
      }
      return low > 0 && ends[low - 1] > range.lowerBound
    }
  }

  /// For each key of each channel.
  private var notes = [Notes](repeating: Notes(), count: 16 * 128)
  /// Until when those that were taken are.
  private var taken = [UInt64](repeating: 0, count: 16 * 128)
  /// How a key is tuned from a tick on; what is set last at a tick holds.
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

  /// The free key that is nearest to a note's pitch; of two the lower.
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

  /// Tunes a key for a note, and back at its end where nothing else tunes it there.
  mutating func tune(_ key: Key, for note: TunedNote) {
    func change(_ tick: Int64) -> Change {
      Change(tick: tick, channel: note.channel.index, key: key.number)
    }
    changes[change(note.tick.value)] = note.pitch
    let end = change(note.tick.value + max(note.duration, 1))
    if changes[end] == nil { changes[end] = Pitch(key) }
  }

  /// What is to be added to a track, in order.
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

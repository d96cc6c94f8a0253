// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import BenchmarkHarness
import Foundation

/// Core Audio's music services by their own names: steps along a track of a million notes, inserts,
/// times along ten thousand tempi, and files.
let musicSuite = Suite("music") {
  let song = LongSequence(notes: 1_000_000, tempi: 10_000)
  return [
    song.appends(100_000), song.steps(1_000_000), song.readings(1_000_000),
    song.inserts(2_000), song.seconds(100_000), song.hostTimes(100_000),
    loading(1_000_000),
  ]
}

private func loading(_ events: Int) -> Benchmark {
  let bytes = Data(SampleSong.notes(events))
  return Benchmark("load a file of notes, 1 M events", "events", count: events) {
    var sequence: MusicSequence?
    NewMusicSequence(&sequence)
    defer { DisposeMusicSequence(sequence) }
    guard MusicSequenceFileLoadData(sequence, NSData(data: bytes), .midiType, []) == noErr else {
      return -1
    }
    var count: UInt32 = 0
    MusicSequenceGetTrackCount(sequence, &count)
    return Int64(count)
  }
}

/// A sequence of one long track, which plays silently.
private final class LongSequence: @unchecked Sendable {
  // Unchecked: one benchmark runs at a time.
  private var sequence: MusicSequence?
  private var track: MusicTrack?
  private var player: MusicPlayer?
  private let tempi: Int
  private let length: Double

  init(notes: Int, tempi: Int) {
    self.tempi = tempi
    length = Double(notes) / 4
    NewMusicSequence(&sequence)
    MusicSequenceNewTrack(sequence, &track)
    for index in 0..<notes { Self.add(track, at: Double(index) / 4) }
    var tempoTrack: MusicTrack?
    MusicSequenceGetTempoTrack(sequence, &tempoTrack)
    for index in 0..<tempi {
      MusicTrackNewExtendedTempoEvent(tempoTrack, Double(index), Double(100 + index % 50))
    }
    // Nothing is at the endpoint.
    MusicTrackSetDestMIDIEndpoint(track, 1)
    NewMusicPlayer(&player)
    MusicPlayerSetSequence(player, sequence)
    MusicPlayerStart(player)
  }

  private static func add(_ track: MusicTrack?, at beat: Double) {
    var note = MIDINoteMessage(
      channel: 0, note: 60, velocity: 100, releaseVelocity: 0, duration: 0.5)
    MusicTrackNewMIDINoteEvent(track, beat, &note)
  }

  func appends(_ count: Int) -> Benchmark {
    Benchmark("append notes", "events", count: count) {
      var (sequence, track): (MusicSequence?, MusicTrack?) = (nil, nil)
      NewMusicSequence(&sequence)
      defer { DisposeMusicSequence(sequence) }
      MusicSequenceNewTrack(sequence, &track)
      for index in 0..<count { Self.add(track, at: Double(index) / 4) }
      return Int64(count)
    }
  }

  /// Steps alone.
  func steps(_ count: Int) -> Benchmark {
    Benchmark("step along a track", "steps", count: count) { [self] in
      var iterator: MusicEventIterator?
      NewMusicEventIterator(track, &iterator)
      defer { DisposeMusicEventIterator(iterator) }
      var steps: Int64 = 0
      while steps < count, MusicEventIteratorNextEvent(iterator) == noErr { steps += 1 }
      return steps
    }
  }

  /// What a program does with each event: reads it, steps, and asks whether there is one.
  func readings(_ count: Int) -> Benchmark {
    Benchmark("read along a track, 3 calls each", "events", count: count) { [self] in
      var iterator: MusicEventIterator?
      NewMusicEventIterator(track, &iterator)
      defer { DisposeMusicEventIterator(iterator) }
      var has: DarwinBoolean = false
      var (time, type, size) = (0.0, MusicEventType(0), UInt32(0))
      var data: UnsafeRawPointer?
      var sum = 0.0
      MusicEventIteratorHasCurrentEvent(iterator, &has)
      for _ in 0..<count where has.boolValue {
        MusicEventIteratorGetEventInfo(iterator, &time, &type, &data, &size)
        sum += time
        MusicEventIteratorNextEvent(iterator)
        MusicEventIteratorHasCurrentEvent(iterator, &has)
      }
      return Int64(sum)
    }
  }

  /// Single inserts all over a copy of the track, made in each run; in each an iterator holds the events that
  /// it goes to, as an undo copy would.
  func inserts(_ count: Int) -> Benchmark {
    Benchmark("insert, its place held", "inserts", count: count) { [self] in
      // Of a sequence that nobody plays.
      var (other, copy): (MusicSequence?, MusicTrack?) = (nil, nil)
      NewMusicSequence(&other)
      defer { DisposeMusicSequence(other) }
      MusicSequenceNewTrack(other, &copy)
      MusicTrackMerge(track, 0, length, copy, 0)
      var iterator: MusicEventIterator?
      NewMusicEventIterator(copy, &iterator)
      defer { DisposeMusicEventIterator(iterator) }
      for index in 0..<count {
        let beat = (Double(index) * 104_729).truncatingRemainder(dividingBy: length)
        MusicEventIteratorSeek(iterator, beat)
        Self.add(copy, at: beat)
      }
      return Int64(count)
    }
  }

  func seconds(_ count: Int) -> Benchmark {
    Benchmark("beats to seconds and back", "times", count: count) { [self] in
      var (seconds, beats, sum) = (0.0, 0.0, 0.0)
      for index in 0..<count {
        let beat = Double(index * 7919 % tempi)
        MusicSequenceGetSecondsForBeats(sequence, beat, &seconds)
        MusicSequenceGetBeatsForSeconds(sequence, seconds, &beats)
        sum += beats
      }
      return Int64(sum.rounded())
    }
  }

  func hostTimes(_ count: Int) -> Benchmark {
    Benchmark("beats to host time and back", "times", count: count) { [self] in
      var (time, beats, sum): (UInt64, Double, Double) = (0, 0, 0)
      for index in 0..<count {
        let beat = Double(index * 7919 % tempi)
        MusicPlayerGetHostTimeForBeats(player, beat, &time)
        MusicPlayerGetBeatsForHostTime(player, time, &beats)
        sum += beats
      }
      return Int64(sum.rounded())
    }
  }
}

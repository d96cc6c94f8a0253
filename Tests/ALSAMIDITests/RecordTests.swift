// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// `record` under a real ALSA kernel, with aplaymidi as the player.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct RecordTests {
  private static let script = """
    cd "$VM_OUT"
    set -m
    status() { echo "$1 $2" >> status.txt; }
    has() { aconnect -l | grep -q "$1"; }
    joins() { aconnect "$1" "$2" 2>/dev/null; }

    # Killed after the file was first written: what was there then is kept.
    $DOWNBEAT record -p 16:0 -o killed.mid 2> killed.err & killed=$!
    await has 'downbeat record'
    $DOWNBEAT send --virtual keys --wait on 60 1 wait 100ms off 60 1 & keys=$!
    await joins keys 'downbeat record'; wait $keys
    await test -s killed.mid; kill -KILL $killed; wait $killed

    $DOWNBEAT record -o take.mid 2> take.err & record=$!
    await has 'downbeat record'; aplaymidi -p 'downbeat record' "$INPUTS/song.mid"
    sleep 0.5; kill -INT $record; wait $record; status take $?

    aseqdump -p 14:0 > split.txt & witness=$!
    $DOWNBEAT record -p 14 -o split.mid --split-channels --start now & record=$!
    await has 'downbeat record'
    $DOWNBEAT send -p 14 ch 1 on 60 1 wait 50ms off 60 1 ch 3 on 62 2 wait 60s & keys=$!
    await grep -q 'note 62' split.txt; sleep 0.5
    kill -TERM $record; wait $record; status split $?; kill $keys $witness
    $DOWNBEAT record -p 14 -o short.mid --start now --length 0.5s; status short $?
    $DOWNBEAT record -p 14 -o split.mid 2> exists.txt; status exists $?
    $DOWNBEAT record -p nobody -o none.mid 2> none.txt; status none $?
    """

  private static let run = WitnessedRun(
    of: script, ["song.mid": Data(try SMFWriter().write(ScatteredSong.sequence()))])

  private func song(_ name: String) throws -> MusicSequence {
    let bytes = try Array(Self.run.content(name))
    return try #require(try SMFReader(strict: true).read(bytes).sequences.first)
  }

  @Test func `what aplaymidi plays is recorded, event by event`() throws {
    #expect(try Self.run.status("take") == 130)
    let played = ScatteredSong.wire(try ScatteredSong.sequence())
    let taken = ScatteredSong.wire(try song("take.mid"))
    #expect(taken.count == played.count)
    // What stands at one tick in the song may come in any order.
    func sorted(_ events: [ScatteredSong.WireEvent]) -> [[UInt8]] {
      events.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    }
    #expect(sorted(taken) == sorted(played))
    // A tick is a millisecond here, and aplaymidi's own grid is one too; a busy host delays some.
    let first = try #require(played.first?.tick)
    let distances = zip(played, taken).map { abs($1.tick - ($0.tick - first)) }.sorted()
    #expect(distances[distances.count / 2] <= 8, "\(distances)")
  }

  @Test func `channels are divided into tracks, and held notes end with the recording`() throws {
    #expect(try Self.run.status("split") == 143)
    #expect(try Self.run.status("short") == 0)
    let split = try song("split.mid")
    #expect(split.tracks.count == 2)
    let notes = split.tracks.map { track in
      track.events.compactMap { event -> (tick: Tick, note: Note)? in
        guard case .note(let note) = event.content else { return nil }
        return (event.tick, note)
      }
    }
    #expect(notes.map(\.count) == [1, 1])
    let (tick, held) = try #require(notes.last?.first)
    #expect(held.channel.number == 3)
    #expect(held.duration >= 480)
    #expect(tick.value + held.duration == split.length.value)
  }

  @Test func `a recording that is killed leaves a whole file`() throws {
    let killed = try song("killed.mid")
    #expect(killed.tracks.flatMap(\.events).count == 1)
  }

  @Test func `what is in the way is said before anything is recorded`() throws {
    #expect(try Self.run.status("exists") == 73)
    #expect(try Self.run.lines("exists.txt").joined().contains("split.mid"))
    #expect(try Self.run.status("none") == 69)
    #expect(try !Self.run.hasLeft("none.mid"))
  }
}

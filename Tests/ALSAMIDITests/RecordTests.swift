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
    FONT=$PWD/Soundfonts/Downbeat.sf2
    cd "$VM_OUT"
    set -m
    status() { echo "$1 $2" >> status.txt; }
    counts() { [ "$(grep -c "$2" "$1")" -ge "$3" ]; }
    has() { aconnect -l | grep -q "$1"; }
    joins() { aconnect "$1" "$2" 2>/dev/null; }

    # Killed after the file was first written: what was there then is kept.
    $DOWNBEAT record -p 16:0 -o killed.mid 2> killed.err & killed=$!
    await has 'downbeat record'
    $DOWNBEAT send --virtual keys --wait on 60 1 wait 100ms off 60 1 & keys=$!
    await joins keys 'downbeat record'; wait $keys
    await test -s killed.mid; kill -KILL $killed; wait $killed

    $DOWNBEAT record --json -o take.mid > take.json 2> take.err & record=$!
    await has 'downbeat record'; aplaymidi -p 'downbeat record' "$INPUTS/song.mid"
    sleep 0.5; kill -INT $record; wait $record; status take $?

    aseqdump -p 14:0 > split.txt & witness=$!
    $DOWNBEAT record -p 14 -o split.mid --split-channels --start now & record=$!
    await has 'downbeat record'
    $DOWNBEAT send -p 14 ch 1 on 60 1 wait 50ms off 60 1 ch 3 on 62 2 wait 60s & keys=$!
    await grep -q 'note 62' split.txt; sleep 0.5
    kill -TERM $record; wait $record; status split $?; kill $keys $witness

    # Over a song, after a count-in, with clicks: aplaymidi plays once the music has begun, and
    # arecordmidi records everything.
    cp "$INPUTS/one.mid" .
    arecordmidi -p 14:0 -t 960 heard.mid & witness=$!
    aseqdump -p 14:0 > clicks.txt & clicks=$!
    await has arecordmidi; await has aseqdump
    $DOWNBEAT record -p through -o two.mid --over one.mid --count-in 1 --metronome --to through --channel 1 & record=$!
    await counts clicks.txt 'Note on *9, note 34' 2
    aplaymidi -p 14:0 "$INPUTS/ten.mid"; await counts clicks.txt 'Note off *0' 10
    kill -INT $record; wait $record; status over $?
    await grep -q 'Note off *1' clicks.txt; kill -INT $witness; wait $witness; kill $clicks

    # With clicks of the synthesiser, and a given length.
    $DOWNBEAT record -p 14 -o clicked.mid --tempo 240 --count-in 1 --metronome --length 1s \
      --audio hw:Dummy --soundfont "$FONT" --no-reverb --no-chorus 2> clicked.txt
    status clicked $?
    $DOWNBEAT record -p 14 -o tempo.mid --over one.mid --tempo 90 2> tempo.txt; status tempo $?
    $DOWNBEAT record -p 14 -o port.mid --metronome --to nobody 2> port.txt; status port $?

    $DOWNBEAT record -p 14 -o short.mid --start now --length 0.5s; status short $?
    $DOWNBEAT record -p 14 -o split.mid 2> exists.txt; status exists $?
    $DOWNBEAT record -p nobody -o none.mid 2> none.txt; status none $?
    """

  private static let run = WitnessedRun(
    of: script,
    [
      "song.mid": Data(try SMFWriter().write(ScatteredSong.sequence())),
      "one.mid": Data(try SMFWriter().write(heldSong())),
      "ten.mid": NoteFile.bytes(count: 10, ticksApart: 173, division: 480, holding: 90),
    ])

  /// A song of a minute with one long note, on channel 2.
  private static func heldSong() throws -> MusicSequence {
    var song = MusicSequence()
    var track = MusicTrack()
    let note = Note(Channel(index: 1), Key(40), velocity: 64, duration: 57_000)
    try track.insert(.note(note), at: Tick(480))
    song.tracks = [track]
    return song
  }

  private func song(_ name: String) throws -> MusicSequence {
    let bytes = try Array(Self.run.content(name))
    return try #require(try SMFReader(strict: true).read(bytes).sequences.first)
  }

  @Test func `the events of aplaymidi are recorded one by one`() throws {
    #expect(try Self.run.status("take") == 130)
    #expect(try SchemaJudge.faults(of: Self.run.content("take.json"), in: "report") == "")
    let told = try Self.run.events("take.json")
    #expect(told.map { $0["event"] as? String ?? "written" } == ["begin", "written", "end"])
    #expect(told[1]["bytes"] as? Int == (try Self.run.content("take.mid")).count)
    #expect(told[2]["events"] as? Int ?? 0 > 0)
    let played = ScatteredSong.wire(try ScatteredSong.sequence())
    let taken = ScatteredSong.wire(try song("take.mid"))
    #expect(taken.count == played.count)
    // Events of the same tick may arrive in any order.
    func sorted(_ events: [ScatteredSong.WireEvent]) -> [[UInt8]] {
      events.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    }
    #expect(sorted(taken) == sorted(played))
    // A tick is a millisecond here, like aplaymidi's grid; a busy host delays some.
    let first = try #require(played.first?.tick)
    let distances = zip(played, taken).map { abs($1.tick - ($0.tick - first)) }.sorted()
    #expect(distances[distances.count / 2] <= 8, "\(distances)")
  }

  @Test func `channels are split into tracks, and held notes end with the recording`() throws {
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

  /// The notes of a channel: seconds, and key.
  private func notes(
    _ sequence: MusicSequence, channel: Int
  ) throws -> [(seconds: Double, key: UInt8)] {
    let tempi = try sequence.tempoMap
    return sequence.tracks.flatMap(\.events).compactMap { event in
      guard case .note(let note) = event.content, note.channel.number == channel else {
        return nil
      }
      return (tempi.seconds(at: event.tick).approximation, note.key.number)
    }
  }

  private func median(_ values: [Double]) -> Double {
    values.isEmpty ? .infinity : values.sorted()[values.count / 2]
  }

  @Test func `a take over a song is aligned with the sound it was played to`() throws {
    #expect(try Self.run.status("over") == 130)
    let heard = try song("heard.mid")
    let clicks = try notes(heard, channel: 10)
    #expect(clicks.map(\.key) == clicks.indices.map { $0 % 4 == 0 ? 34 : 33 })
    // Half a second from click to click; the music begins with the fifth click.
    let origin = median(clicks.indices.map { clicks[$0].seconds - Double($0) / 2 }) + 2
    let played = try notes(heard, channel: 1)
    #expect(played.count == 10)
    let two = try song("two.mid")
    #expect(two.tracks.count == 2)
    #expect(two.tracks.first?.events.map(\.tick) == [Tick(480)])
    let taken = try notes(two, channel: 1)
    #expect(taken.map(\.key) == played.map(\.key))
    // Our tick is a millisecond, and so is a step of arecordmidi's clock.
    let distances = zip(played, taken).map { abs($1.seconds - ($0.seconds - origin)) }
    #expect(median(distances) <= 0.008, "\(distances)")
    // The song's long note, cut short by the signal.
    #expect(try Self.run.lines("clicks.txt").contains { $0.contains("Note off 1, note 40") })
    #expect(two.tracks[1].events.allSatisfy { $0.tick.value < 57_000 })
  }

  @Test func `the synthesiser can click, and conflicting options are reported`() throws {
    #expect(try Self.run.status("clicked") == 0)
    #expect(try Self.run.lines("clicked.txt").last?.contains("0 events in 1.000 s") == true)
    #expect(try Self.run.status("tempo") == 64)
    #expect(
      try Self.run.lines("tempo.txt").joined().contains("the song given with --over sets them"))
    #expect(try Self.run.status("port") == 69)
    #expect(try !Self.run.hasLeft("port.mid"))
  }

  @Test func `the documented recording is the command of the script`() throws {
    let text = try String(
      contentsOf: ToolRun.packageFolder.appendingPathComponent("Documentation/Examples.md"),
      encoding: .utf8)
    let examples = text.split(separator: "\n").compactMap { line in
      line.range(of: "$ downbeat record ").map { line[$0.upperBound...] }
    }
    #expect(!examples.isEmpty)
    for example in examples {
      let flags = example.split(separator: "#")[0].trimmingCharacters(in: .whitespaces)
      #expect(Self.script.contains("$DOWNBEAT record \(flags) "), "\(flags)")
    }
  }

  @Test func `a killed recording leaves a complete file`() throws {
    let killed = try song("killed.mid")
    #expect(killed.tracks.flatMap(\.events).count == 1)
  }

  @Test func `obstacles are reported before anything is recorded`() throws {
    #expect(try Self.run.status("exists") == 73)
    #expect(try Self.run.lines("exists.txt").joined().contains("split.mid"))
    #expect(try Self.run.status("none") == 69)
    #expect(try !Self.run.hasLeft("none.mid"))
  }
}

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
    shows() { until aconnect -l | grep -q "$1"; do sleep 0.1; done; }

    # Killed after the file was first written: what was there then is kept.
    $DOWNBEAT record -p 16:0 -o killed.mid 2> killed.err & killed=$!
    shows 'downbeat record'
    $DOWNBEAT send --virtual keys --wait on 60 1 wait 100ms off 60 1 & keys=$!
    shows keys; aconnect keys 'downbeat record'; wait $keys
    sleep 11; kill -KILL $killed; wait $killed

    $DOWNBEAT record -o take.mid 2> take.err & record=$!
    shows 'downbeat record'; aplaymidi -p 'downbeat record' "$INPUTS/song.mid"
    sleep 0.5; kill -INT $record; wait $record; status take $?

    $DOWNBEAT record -p 14 -o split.mid --split-channels --start now --length 8s & record=$!
    shows 'downbeat record'
    $DOWNBEAT send -p 14 ch 1 on 60 1 wait 50ms off 60 1 ch 3 on 62 2 wait 60s & keys=$!
    wait $record; status split $?; kill $keys
    $DOWNBEAT record -p 14 -o split.mid 2> exists.txt; status exists $?
    $DOWNBEAT record -p nobody -o none.mid 2> none.txt; status none $?
    """

  private static let machine: Result<ALSAMachine, any Error> = Result {
    let song = try SMFWriter().write(ScatteredSong.sequence())
    return try ALSAMachine(running: script, timeout: 360, inputs: ["song.mid": Data(song)])
  }

  private func content(_ name: String) throws -> Data {
    let machine = try Self.machine.get()
    return try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try content(name), as: UTF8.self)
  }

  private func song(_ name: String) throws -> MusicSequence {
    try #require(try SMFReader(strict: true).read(Array(content(name))).sequences.first)
  }

  private func status(_ name: String) throws -> Int? {
    try text("status.txt").split(separator: "\n").last { $0.hasPrefix("\(name) ") }
      .flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  @Test func `what aplaymidi plays is recorded, event by event`() throws {
    #expect(try status("take") == 130)
    let played = ScatteredSong.wire(try ScatteredSong.sequence())
    let taken = ScatteredSong.wire(try song("take.mid"))
    #expect(taken.count == played.count)
    // What stands at one tick in the song may lie a tick apart in the recording, or the other
    // way round: each channel's events must be the same, and in order.
    for channel in 0..<16 {
      func of(_ events: [(tick: Int64, bytes: [UInt8])]) -> [[UInt8]] {
        events.map(\.bytes).filter { Int($0[0] & 0x0F) == channel && $0[0] < 0xF0 }
      }
      #expect(Set(of(taken)) == Set(of(played)), "channel \(channel)")
      #expect(of(taken).count == of(played).count)
    }
    #expect(taken.contains { $0.bytes == [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7] })
    let first = try #require(played.first?.tick)
    for (there, here) in zip(played, taken) {
      // A tick is a millisecond here, and aplaymidi's own grid is one too.
      #expect(abs(here.tick - (there.tick - first)) <= 8, "\(there) \(here)")
    }
  }

  @Test func `channels are divided into tracks, and held notes end with the recording`() throws {
    #expect(try status("split") == 0)
    let split = try song("split.mid")
    #expect(split.tracks.count == 2)
    guard case .note(let held) = split.tracks[1].events.first?.content else {
      Issue.record("no note")
      return
    }
    #expect(held.channel.number == 3)
    #expect(abs(split.length.value - 8 * 960) <= 1)
  }

  @Test func `a recording that is killed leaves a whole file`() throws {
    let killed = try song("killed.mid")
    #expect(killed.tracks.flatMap(\.events).count == 1)
  }

  @Test func `what is in the way is said before anything is recorded`() throws {
    #expect(try status("exists") == 73)
    #expect(try text("exists.txt").contains("split.mid"))
    #expect(try status("none") == 69)
    #expect(try Self.machine.get().files["none.mid"] == nil)
  }
}

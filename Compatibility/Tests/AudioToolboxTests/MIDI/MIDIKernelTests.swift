// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A program for Core MIDI on a real ALSA kernel, tested with ALSA's tools.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct MIDIKernelTests {
  private static let probe = ToolRun.program("CoreMIDIProbe")

  /// A song with two notes on two channels and a SysEx message, at 0, 250, 500 and 750 ms.
  private static let song = Data(
    [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
      + [0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 33]
      + [0, 0x90, 60, 100, 0x81, 0x70, 0x80, 60, 0, 0x81, 0x70, 0x91, 61, 90]
      + [0x81, 0x70, 0x81, 61, 0, 0, 0xF0, 4, 1, 2, 3, 0xF7, 0, 0xFF, 0x2F, 0])

  private static let script = """
    cd "$VM_OUT"
    export PROBE=\(probe) CAPTURE=\(ALSAMachine.capture)
    finish() { kill "$@"; wait "$@"; } 2>/dev/null
    witness() { aseqdump > "$1" & witness=$!; await grep -q Source "$1"; }
    number() { aconnect "$1" | sed -n "s/^client \\([0-9]*\\): '$2'.*/\\1/p"; }
    port() { aconnect "$1" | sed -n "/'$2'/,/^client/ s/^ *\\([0-9]*\\) '$3.*/\\1/p"; }

    $PROBE list > list.txt; $PROBE list > again.txt

    witness sent.txt
    $PROBE send aseqdump > send.txt 2>&1; sleep 0.2; finish $witness
    $CAPTURE 100 4 all > stamps.txt & capture=$!
    $PROBE send capture > /dev/null; wait $capture

    $PROBE receive "Midi Through Port-0" > received.txt 2>&1 & probe=$!
    await grep -q ready received.txt
    aplaymidi -p 14:0 "$INPUTS/song.mid"
    aplaymidi -p "$(number -o receiver):$(port -o receiver receiving)" "$INPUTS/song.mid"
    sleep 0.2; finish $probe

    $PROBE emit & probe=$!
    has() { aconnect -i | grep -q "$1"; }
    await has emitted
    aseqdump -p "$(number -i emitter):$(port -i emitter emitted)" > emitted.txt & witness=$!
    await grep -q "Note on" emitted.txt; finish $witness $probe

    witness thru.txt
    $PROBE thru aseqdump > ready.txt 2>&1 & probe=$!
    await grep -q ready ready.txt
    aplaymidi -p 14:0 "$INPUTS/song.mid"; sleep 0.3; finish $probe $witness

    $PROBE watch > watch.txt 2>&1 & probe=$!
    await grep -q ready watch.txt
    changes() { [ "$(grep -c "$1.*aseqdump" watch.txt)" -ge "$2" ]; }
    for turn in 1 2; do
      aseqdump > /dev/null & witness=$!
      await changes added $turn; finish $witness; await changes removed $turn
    done
    finish $probe

    witness played.txt
    $PROBE play aseqdump > play.txt 2>&1; sleep 0.2; finish $witness

    $CAPTURE 1000 3 all > clock.txt & capture=$!
    $PROBE clock capture > lead.txt 2>&1; wait $capture
    aconnect -l > after.txt
    """

  private static let machine = Result {
    try ALSAMachine(running: script, inputs: ["song.mid": song], brought: [probe])
  }

  private func lines(_ name: String) throws -> [String] {
    let machine = try Self.machine.get()
    let content = try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
    return String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The events that `aseqdump` has printed, without port numbers and announcements.
  private func seen(_ name: String) throws -> [String] {
    try lines(name).dropFirst(2).filter { !$0.contains("subscribed") }.map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
  }

  /// The events that the capturing program has printed: nanoseconds, type, channel and data.
  private func stamps(_ name: String) throws -> [[Int]] {
    try lines(name).map { $0.split(separator: " ").compactMap { Int($0) } }
  }

  @Test func `cards are devices with entities, and every process has the same numbers`() throws {
    let lines = try lines("list.txt")
    #expect(lines.contains("device | Midi Through | 0 | Midi Through Port-0 1/1"))
    #expect(lines.count { $0.hasPrefix("device | Virtual Raw MIDI") } == 4)
    let endpoints = lines.filter { !$0.hasPrefix("device") }
    #expect(endpoints.count == 10)
    #expect(endpoints.allSatisfy { $0.contains("of a device") && $0.hasSuffix("found") })
    #expect(endpoints.contains { $0.contains("| Virtual Raw MIDI 0-0 VirMIDI 0-0 |") })
    #expect(try self.lines("again.txt") == lines)
  }

  @Test func `events arrive unchanged, split SysEx in one piece, cancelled events not at all`()
    throws
  {
    let seen = try seen("sent.txt")
    #expect(
      seen.filter { !$0.hasPrefix("System exclusive") } == [
        "Note on 0, note 40, velocity 1", "Note off 0, note 40, velocity 2",
        "Note on 1, note 50, velocity 100", "Control change 1, controller 7, value 99",
        "Note off 1, note 50, velocity 64", "Pitch bend 2, value -1518",
        "Program change 3, program 17", "Song position pointer value 257", "Clock",
        "Note on 4, note 70, velocity 100", "Note off 4, note 70, velocity 3",
        "Note on 4, note 72, velocity 100", "Note off 4, note 72, velocity 3",
      ])
    let prefix = "System exclusive "
    let sysEx = seen.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    #expect(sysEx.first == "F0 01 02 03 04 05 F7")
    let long = [0xF0] + (0..<998).map { $0 % 128 } + [0xF7]
    let bytes = sysEx.dropFirst().flatMap { $0.split(separator: " ") }.compactMap {
      Int($0, radix: 16)
    }
    #expect(bytes == long)
    #expect(try lines("send.txt") == ["sysex | true | 0 | true"])
  }

  @Test func `events with a later time arrive when they are due`() throws {
    let stamps = try stamps("stamps.txt")
    let start = try #require(stamps.first { $0[1] == 6 && $0[3] == 50 }?[0])
    let due = [(10, 0), (7, 100), (13, 200), (11, 200), (20, 200), (36, 200)]
    for (type, milliseconds) in due {
      let stamp = try #require(stamps.first { $0[1] == type && $0[0] >= start }?[0], "\(type)")
      #expect(abs(stamp - start - milliseconds * 1_000_000) < 1_000_000, "\(type)")
    }
  }

  @Test func `events of other programs are received with their times`() throws {
    let lines = try lines("received.txt")
    #expect(lines.first == "ready" && lines.count == 11)
    let bytes = ["90 3c 64", "80 3c 0", "91 3d 5a", "81 3d 0", "f0 1 2 3 f7"]
    let times = [0, 250, 500, 750, 750]
    for (place, first) in [("source 7", 1), ("own", 6)] {
      let fields = lines[first..<first + 5].map { $0.components(separatedBy: " | ") }
      #expect(fields.map { $0[0] } == Array(repeating: place, count: 5))
      #expect(fields.map { $0[1] } == bytes)
      let start = try #require(Int(fields[0][2]))
      for (field, time) in zip(fields, times) {
        #expect(abs(try #require(Int(field[2])) - start - time) <= 5)
        #expect(field[3] == "past")
      }
    }
  }

  @Test func `other programs connect to a source and receive its events`() throws {
    let seen = try seen("emitted.txt")
    #expect(try #require(seen.first).hasPrefix("Note on 5, note "))
  }

  @Test func `a thru connection maps channels between two other programs`() throws {
    #expect(
      try seen("thru.txt") == [
        "Note on 4, note 60, velocity 100", "Note off 4, note 60, velocity 0",
        "System exclusive F0 01 02 03 F7",
      ])
  }

  @Test func `a port that disappears and returns is reported with the same numbers`() throws {
    let lines = try lines("watch.txt")
    #expect(lines.first == "ready 5")
    let told = lines.dropFirst().map { $0.components(separatedBy: " | ") }
    #expect(told.map { $0[0] } == ["added", "removed", "added", "removed"])
    #expect(told.allSatisfy { $0[1...2] == ["destination", "aseqdump"] })
    #expect(Set(told.map { $0[3] + $0[4] }).count == 1)
    #expect(told.map { $0[5] } == ["0", "1", "0", "1"])
  }

  @Test func `a player that is stopped in the middle of a song releases all notes`() throws {
    let seen = try seen("played.txt")
    let struck = seen.filter { $0.hasPrefix("Note on") }.compactMap { $0.split(separator: " ")[4] }
    let released = seen.filter { $0.hasPrefix("Note off") }.compactMap {
      $0.split(separator: " ")[4]
    }
    #expect(struck == ["60,", "61,", "62,"])
    #expect(released.sorted() == struck)
    #expect(try lines("play.txt") == ["stopped | true"])
  }

  @Test func `a clock sends Start, 48 clocks per second and quarter frames, then Stop`() throws {
    let stamps = try stamps("clock.txt")
    let types = stamps.map { $0[1] }
    #expect(types.filter { $0 == 30 }.count == 1 && types.last == 32)
    let start = try #require(stamps.first { $0[1] == 30 }?[0])
    let clocks = stamps.filter { $0[1] == 36 }.map { $0[0] }
    #expect(clocks.count >= 40 && clocks[0] - start >= 1_000_000)
    for (index, time) in clocks.enumerated() {
      #expect(abs(time - clocks[0] - index * 62_500_000 / 3) < 1_000_000)
    }
    let frames = stamps.filter { $0[1] == 22 }
    for (index, frame) in frames.enumerated() {
      #expect(abs(frame[0] - frames[0][0] - index * 10_000_000) < 1_000_000)
      #expect(frame[4] >> 4 == index % 8)
    }
    // Hours and frame rate: 25 frames per second.
    #expect(frames.count > 80 && frames[7][4] == 0x72)
    #expect(try lines("after.txt").allSatisfy { !$0.contains("type=user") })
  }
}

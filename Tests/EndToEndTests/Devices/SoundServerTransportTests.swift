// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A song in the transport of servers of its own, seen and led by JACK's tools.
///
/// PipeWire's transport (0.3.65) leaves out moves that follow one another soon, and has ticks of its
/// own: it is not asked here.
@Suite(.serialized, .enabled(if: TestSoundServer.isInstalled, "no sound servers (make setup-test)"))
struct SoundServerTransportTests {
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init() throws { scratch = try ScratchFolder() }

  /// Where a song is at a frame, as JACK counts: 1920 ticks a quarter note.
  private struct Place: Equatable {
    var bar: Int
    var beat: Int
    var tick: Int

    /// By the numbers of `song` alone.
    init(frame: Int) {
      switch frame {
      case ..<384_000: self.init(frame * 2 / 25, bar: 1, ofTicks: 7_680, beatsOfTicks: 1_920)
      case ..<614_400:
        self.init((frame - 384_000) / 10, bar: 5, ofTicks: 5_760, beatsOfTicks: 1_920)
      default: self.init((frame - 614_400) / 15, bar: 9, ofTicks: 5_760, beatsOfTicks: 960)
      }
    }

    private init(_ ticks: Int, bar: Int, ofTicks length: Int, beatsOfTicks beat: Int) {
      self.bar = bar + ticks / length
      self.beat = 1 + ticks % length / beat
      tick = ticks % beat
    }

    /// As `jack_showtime` writes it.
    init?(_ line: Substring) {
      guard let parts = line.firstMatch(of: #/BBT: *(\d+)\|(\d+)\|(\d+)/#), let bar = Int(parts.1),
        let beat = Int(parts.2), let tick = Int(parts.3)
      else { return nil }
      (self.bar, self.beat, self.tick) = (bar, beat, tick)
    }
  }

  /// Four bars of 4/4, 3/4 and 6/8, half a second a quarter note, 0.4 and 0.6; a note on each.
  private func song() throws -> String {
    let parts: [(meter: [UInt8], tempo: Int, quarters: Int)] = [
      ([4, 2, 24, 8], 500_000, 16), ([3, 2, 24, 8], 400_000, 12), ([6, 3, 36, 8], 600_000, 12),
    ]
    var events: [(delta: Int, bytes: [UInt8])] = []
    for part in parts {
      events.append((0, [0xFF, 0x58, 4] + part.meter))
      events.append((0, [0xFF, 0x51, 3] + [16, 8, 0].map { UInt8(part.tempo >> $0 & 0xFF) }))
      for _ in 0..<part.quarters {
        let key = UInt8(40 + events.count { $0.bytes[0] == 0x90 })
        events += [(0, [0x90, key, 100]), (480, [0x80, key, 64])]
      }
    }
    return try scratch.write("song.mid", SongBytes.file(events))
  }

  /// Starts the song in the transport, with what shows and what hears it.
  private func beginning(_ song: String) -> String {
    """
    cd '\(scratch.path("."))'
    stdbuf -oL jack_midi_dump -a > dump &
    until jack_lsp 2>/dev/null | grep -q midi-monitor:input; do sleep 0.1; done
    "$DB" play '\(song)' --sync jack --jack-timebase --audio jack:none -p jack:midi-monitor --synth \
      --soundfont '\(font)' --ipc ./player -q 2> said & play=$!
    until jack_lsp 2>/dev/null | grep -q out_2; do sleep 0.1; done
    nice stdbuf -oL jack_showtime \
      | awk '{ key = $3 $NF } key != last { print; fflush(); last = key }' > times &
    shows() { until tail -n 3 times | grep "$1"; do sleep 0.1; done; }

    """
  }

  @Test func `the bars that all see are the song's, to the tick`() async throws {
    let server = try await TestSoundServer(.jack, period: 256, isPatient: true)
    var random = SplitMix(seed: 20)
    let frames =
      [0, 1, 383_999, 384_000, 614_399, 614_400]
      + (0..<14).map { _ in Int.random(in: 0..<850_000, using: &random) }
    let run = try server.run(
      beginning(try song()) + """
        for frame in \(frames.map(String.init).joined(separator: " ")); do
          echo "locate $frame" | jack_transport > /dev/null
          shows "frame = $frame .*BBT"
        done
        kill $play; wait $play; cat times said
        """, limit: 300)
    let lines = run.text.split(separator: "\n")
    for frame in frames {
      let line = lines.last { $0.hasPrefix("frame = \(frame) ") && $0.contains("BBT") }
      #expect(line.flatMap(Place.init) == Place(frame: frame), "\(run.text)\(run.errors)")
    }
  }

  @Test func `the transport moves the song, and the song's leader the transport`() async throws {
    let server = try await TestSoundServer(.jack, period: 256, isPatient: true)
    let run = try server.run(
      beginning(try song()) + """
        heard() { grep -c ': 90 .. 64' dump; }
        echo locate 192000 | jack_transport > /dev/null
        echo play | jack_transport > /dev/null
        until [ $(heard) -ge 4 ]; do sleep 0.1; done
        echo stop | jack_transport > /dev/null; sleep 1
        count=$(heard); sleep 2; echo "more $(($(heard) - count))"
        "$DB" ctl --socket ./player seek 1 absolute > /dev/null
        shows "frame = 48000 .*Stopped"
        "$DB" ctl --socket ./player play > /dev/null
        shows Rolling
        kill $play; wait $play; cat dump said
        """, limit: 300)
    let notes = run.text.matches(of: #/(\d+): +90 (\w\w) 64/#).compactMap { match in
      Int(match.1).map { (frame: $0, key: Int(match.2, radix: 16)) }
    }
    // Quarter 8 is at 192,000 frames.
    #expect(notes.prefix(4).map(\.key) == [48, 49, 50, 51], "\(run.text)\(run.errors)")
    // To the frame, the note on which the transport starts too.
    let gaps = zip(notes.prefix(4), notes.prefix(4).dropFirst()).map { $1.frame - $0.frame }
    #expect(gaps == [24_000, 24_000, 24_000], "\(gaps)")
    #expect(run.text.contains("more 0\n"), "\(run.text)")
    #expect(run.text.contains("frame = 48000") && run.text.contains("Rolling"))
  }
}

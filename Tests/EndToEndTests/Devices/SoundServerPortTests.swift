// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The command's MIDI ports on servers of its own, heard by JACK's tools.
@Suite(.serialized, .enabled(if: TestSoundServer.isInstalled, "no sound servers (make setup-test)"))
struct SoundServerPortTests {
  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  /// Servers and the frames of their turns.
  ///
  /// With short turns PipeWire (0.3.65) is exact on a machine that is not busy only, for anybody: on one
  /// with ten times the work it has processors for, of 1,608 notes that `jack_midiseq` sends every 600
  /// frames `jack_midi_dump` hears nine in 64 and eight in 128 a whole number of turns from there; with
  /// 1,024, none.
  private static let turns: [(TestSoundServer.Kind, Int)] =
    [
      (.jack, 64), (.jack, 128), (.jack, 1_000), (.jack, 1_024), (.pipewire, 1_000),
      (.pipewire, 1_024),
    ] + (isLong ? shortTurns : [])
  private static let shortTurns: [(TestSoundServer.Kind, Int)] = [
    (.pipewire, 64), (.pipewire, 128),
  ]
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init() throws { scratch = try ScratchFolder() }

  /// A song of notes at times that are no whole frames, and the frame of each at 48 kHz: worked out
  /// from the file's numbers alone.
  private func song(_ count: Int, seed: Int) throws -> (path: String, notes: [Heard]) {
    var random = SplitMix(seed: UInt64(seed))
    var events: [(delta: Int, bytes: [UInt8])] = []
    var notes: [Heard] = []
    var tempo = 500_000
    // Millionths of a second, times 480.
    var time = 0
    for index in 0..<count {
      var delta = index == 0 ? 960 : 1 + Int(random.next() % 6)
      if index % 37 == 0 {
        time += delta * tempo
        tempo = 300_001 + Int(random.next() % 400_000)
        events.append((delta, [0xFF, 0x51, 3] + [16, 8, 0].map { UInt8(tempo >> $0 & 0xFF) }))
        delta = 1
      }
      time += delta * tempo
      let note = Heard(
        frame: time * 48_000 / 480_000_000, key: UInt8(index % 128),
        velocity: UInt8(1 + index % 127))
      notes.append(note)
      events.append((delta, [0x90, note.key, note.velocity]))
      events.append((1, [0x80, note.key, 0]))
      time += tempo
    }
    return (try scratch.write("song.mid", SongBytes.file(events)), notes)
  }

  /// A note as `jack_midi_dump` writes it.
  private struct Heard: Equatable {
    var frame: Int
    var key: UInt8
    var velocity: UInt8

    func moved(by frames: Int) -> Heard {
      Heard(frame: frame + frames, key: key, velocity: velocity)
    }
  }

  private func heard(_ text: String) -> [Heard] {
    text.split(separator: "\n").compactMap { line in
      guard let parts = line.firstMatch(of: #/^ *(\d+): +90 (\w\w) (\w\w)/#),
        let frame = Int(parts.1), let key = UInt8(parts.2, radix: 16),
        let velocity = UInt8(parts.3, radix: 16), velocity > 0
      else { return nil }
      return Heard(frame: frame, key: key, velocity: velocity)
    }
  }

  /// Of several tries on PipeWire one must bring each note where it belongs.
  ///
  /// It goes on without a client that a busy machine kept from its turn, and does not always say so. A
  /// machine that is kept from its work for some milliseconds now and then, as a virtual one is, does not
  /// get through 10,000 notes with short turns: they are cut into songs.
  @Test(arguments: turns)
  func `each note arrives at exactly its frame`(
    kind: TestSoundServer.Kind, period: Int
  ) async throws {
    let server = try await TestSoundServer(kind, period: period, isPatient: true)
    let isCut = kind == .pipewire && period < 1_000
    let songs = Self.isLong && isCut ? 50 : 1
    var tries = 0
    for index in 0..<songs {
      let seed = period + 10_000 * index
      tries += try expectExactness(
        of: try song(isCut ? 200 : Self.isLong ? 10_000 : 400, seed: seed), on: server,
        tries: kind == .pipewire ? 12 : 1, named: "song \(seed) at \(period)")
    }
    print("\(kind), \(period) frames: \(songs) songs in \(tries) tries")
  }

  /// Plays a song until each of its notes is heard at its frame; returns how often that took.
  private func expectExactness(
    of song: (path: String, notes: [Heard]), on server: TestSoundServer, tries: Int,
    named name: String
  ) throws -> Int {
    var misses: [String] = []
    while misses.count < tries {
      let (heard, said) = try heard(song.path, on: server)
      let start = try #require(heard.first).frame - song.notes[0].frame
      let due = song.notes.map { $0.moved(by: start) }
      if heard == due { return misses.count + 1 }
      let miss = zip(heard, due).first { $0 != $1 }.map { "\($0) for \($1)" } ?? "none is wrong"
      misses.append("\(heard.count) of \(due.count), \(miss): \(said)")
    }
    Issue.record("\(name): \(misses)")
    return misses.count
  }

  /// What `jack_midi_dump` hears of a song, and what the command says.
  private func heard(
    _ song: String, on server: TestSoundServer
  ) throws -> (notes: [Heard], said: String) {
    let run = try server.run(
      """
      stdbuf -oL jack_midi_dump -a > '\(scratch.path("dump"))' & dump=$!
      until jack_lsp 2>/dev/null | grep -q midi-monitor:input; do sleep 0.1; done
      "$DB" play '\(song)' -p jack:midi-monitor --synth --audio jack:none --polyphony 16 \
        --soundfont '\(font)'
      sleep 0.5; kill -INT $dump; wait $dump
      """, limit: 300)
    let dump = String(decoding: try FileContent.data(scratch.path("dump")), as: UTF8.self)
    return (heard(dump), run.errors)
  }

  @Test(arguments: TestSoundServer.Kind.allCases)
  func `every command speaks to JACK's ports`(kind: TestSoundServer.Kind) async throws {
    let server = try await TestSoundServer(kind, period: 256)
    let run = try server.run(
      """
      cd '\(scratch.path("."))'
      stdbuf -oL jack_midi_dump -a > dump & jack_midiseq seq 24000 0 60 6000 12000 67 6000 > /dev/null &
      until jack_lsp 2>/dev/null | grep -q seq:out; do sleep 0.1; done
      until jack_lsp 2>/dev/null | grep -q midi-monitor:input; do sleep 0.1; done
      "$DB" ports
      "$DB" send -p jack:midi-monitor ch 1 on 61 99 wait 20ms off 61 0
      "$DB" monitor -p jack:seq --count 4
      "$DB" record -p seq -o take.mid --length 2s --quiet
      "$DB" thru --from jack:seq --to jack:midi-monitor --transpose 12 & thru=$!
      until grep -q ': 90 48' dump; do sleep 0.1; done; kill $thru; wait $thru
      "$DB" synth --name jack:organ --audio jack:none --soundfont '\(font)' -q & synth=$!
      until jack_lsp 2>/dev/null | grep -q downbeat:organ; do sleep 0.1; done
      jack_lsp; kill $synth; wait $synth
      cat dump; "$DB" events take.mid
      """)
    let text = run.text + run.errors
    #expect(run.text.contains(#/jack: +midi-monitor +input/#), "\(text)")
    #expect(heard(run.text).contains { $0.key == 61 && $0.velocity == 99 }, "\(text)")
    #expect(heard(run.text).contains { $0.key == 72 }, "\(text)")
    #expect(run.text.contains("noteOn"), "\(text)")
    #expect(run.text.contains("downbeat:organ") && run.text.contains("downbeat:out_1"), "\(text)")
  }

  @Test(arguments: TestSoundServer.Kind.allCases)
  func `JACK's tools read our clock`(kind: TestSoundServer.Kind) async throws {
    let server = try await TestSoundServer(kind, period: 256, isPatient: true)
    let song = try scratch.write("clock.mid", SongBytes.notes(30, every: 480))
    let run = try server.run(
      """
      cd '\(scratch.path("."))'
      stdbuf -oL jack_mclk_dump -n > clocks & dump=$!
      until jack_lsp 2>/dev/null | grep -q mclk_in; do sleep 0.1; done
      "$DB" play '\(song)' --audio jack:none --clock-out jack:jack_mclk_dump --soundfont '\(font)' -q
      kill -INT $dump; wait $dump; tail -n 3 clocks
      """)
    let tempi = run.text.matches(of: #/cur: *([0-9.]+)\[BPM\]/#).compactMap { Double($0.1) }
    let last = try #require(tempi.last, "\(run.text)\(run.errors)")
    #expect(abs(last - 120) <= 0.001, "\(run.text)")
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The command on servers of its own: JACK's, and PipeWire's by JACK's interface.
@Suite(.serialized, .enabled(if: TestSoundServer.isInstalled, "no sound servers (make setup-test)"))
struct SoundServerTests {
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  init() throws { scratch = try ScratchFolder() }

  /// Twenty seconds of silence, in which whoever listens gets ready, then notes, then a minute in which
  /// whoever listens leaves first: a song ends with its last note.
  private func song() throws -> String {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0, 0])]
    for index in 0..<40 {
      events.append((index == 0 ? 19_200 : 60, [0x90, UInt8(40 + index), 100]))
      events.append((180, [0x80, UInt8(40 + index), 64]))
    }
    events += [(57_600, [0x90, 60, 1]), (1, [0x80, 60, 64])]
    return try scratch.write("song.mid", SongBytes.file(events))
  }

  /// The words of a WAVE file's samples, side by side.
  private func samples(_ path: String) throws -> [UInt32] {
    let bytes = [UInt8](try FileContent.data(path))
    let mark = Array("data".utf8)
    let start = try #require(
      (12..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(mark) })
    return stride(from: start + 8, to: bytes.count - 3, by: 4).map { place in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
    }
  }

  /// From the first frame that is not silent on: minus zero is silence, too.
  private func sound(_ samples: [UInt32]) -> ArraySlice<UInt32> {
    let first = samples.firstIndex { $0 & 0x7FFF_FFFF != 0 } ?? samples.count
    return samples[(first / 2 * 2)...]
  }

  /// Without reverberation and chorus, whose modulation runs from the output's beginning on and not
  /// from the song's.
  ///
  /// Both servers render faster than real time. PipeWire (0.3.65) goes on even then without a client
  /// that a busy machine kept from its turn, the one that records among them: of several tries one must be
  /// equal.
  @Test(arguments: TestSoundServer.Kind.allCases, [44_100, 48_000])
  func `what a server hears is what is rendered, bit for bit`(
    kind: TestSoundServer.Kind, rate: Int
  ) async throws {
    let server = try await TestSoundServer(kind, rate: rate, period: 1_000)
    let song = try song()
    let sound = "--absolute-gain 1 --no-reverb --no-chorus --soundfont '\(font)' -q"
    let rendered = scratch.path("rendered.wav")
    let rendering = try server.run(
      "\"$DB\" render '\(song)' -o '\(rendered)' --rate \(rate) --bits float \(sound)")
    // `jack_rec` writes integers of 32 bits, which hold a float whole.
    let whole = self.sound(
      try samples(rendered).map { bits in
        let value = (Double(Float(bitPattern: bits)) * 0x1p31).rounded(.toNearestOrEven)
        return UInt32(bitPattern: Int32(clamping: Int64(value)))
      })
    var said = rendering.errors
    for _ in 0..<(kind == .pipewire ? 6 : 1) {
      let (caught, run) = try hear("play '\(song)' --audio jack:none \(sound)", on: server)
      said += run.text + run.errors
      let common = min(caught.count, whole.count)
      let isLong = common > 4 * rate
      if isLong, caught.prefix(common).elementsEqual(whole.prefix(common)) { return }
      said += "\(common) samples\n"
    }
    Issue.record("\(said)")
  }

  /// What `jack_rec` hears of a command, in a server that renders as fast as it can: JACK all at
  /// once, PipeWire who belongs to the group that does so, and whom they hear.
  private func hear(
    _ words: String, on server: TestSoundServer
  ) throws -> (samples: ArraySlice<UInt32>, run: ToolRun) {
    let heard = scratch.path("heard.wav")
    let run = try server.run(
      """
      "$DB" \(words) & play=$!
      until jack_lsp 2>/dev/null | grep -q out_2; do sleep 0.1; done
      PIPEWIRE_PROPS='{ node.group = pipewire.freewheel }' \
        jack_rec -f '\(heard)' -d 35 -b 32 -B 8000000 downbeat:out_1 downbeat:out_2 > '\(heard).log' 2>&1 & rec=$!
      until [ "$(jack_lsp -c | grep -c '^ .*jackrec')" = 2 ] || ! kill -0 $rec; do sleep 0.1; done
      jack_freewheel y; wait $rec; jack_freewheel n; kill $play; wait $play; cat '\(heard).log'
      """, limit: 240)
    return (sound(try samples(heard)), run)
  }

  @Test func `a desktop is told what kind of sound it is, and ports keep their names`() async throws
  {
    let server = try await TestSoundServer(.pipewire)
    let run = try server.run(
      """
      said() { timeout 5 pw-dump | grep -oE '"(media.role|application.icon-name|application.name)": "(Music|Notification|downbeat|Mine)"'; }
      "$DB" play '\(song())' --audio jack:none --soundfont '\(font)' -q & play=$!
      until said | grep -q media.role; do sleep 0.1; done
      said; jack_lsp; kill $play; wait $play
      "$DB" sound alert --audio jack:none & alert=$!
      for i in {1..50}; do said | grep media.role && break; sleep 0.05; done
      kill $alert; wait $alert
      # What the user says goes before.
      PIPEWIRE_PROPS='{ application.name = Mine }' "$DB" play '\(song())' --audio jack:none \
        --soundfont '\(font)' -q & play=$!
      until said | grep Mine; do sleep 0.1; done
      kill $play; wait $play
      """, limit: 60)
    let said = run.text.split(separator: "\n").filter { $0.hasPrefix("\"") }
    #expect(said.contains("\"media.role\": \"Music\""), "\(run.text)\(run.errors)")
    #expect(said.contains("\"application.icon-name\": \"downbeat\""), "\(run.text)")
    #expect(run.text.contains("\ndownbeat:out_1\n"), "\(run.text)")
    #expect(said.contains("\"media.role\": \"Notification\""), "\(run.text)\(run.errors)")
    #expect(said.last == "\"application.name\": \"Mine\"", "\(run.text)\(run.errors)")
  }

  @Test(arguments: TestSoundServer.Kind.allCases)
  func `a server that is killed costs a sentence, and its return resumes`(
    kind: TestSoundServer.Kind
  ) async throws {
    let server = try await TestSoundServer(kind)
    let song = try song()
    var environment = server.environment.compactMapValues(\.self)
    environment["XDG_STATE_HOME"] = scratch.path("state")
    let said = scratch.path("said")
    let tool = try RunningTool(
      [
        "play", song, "--audio", "jack:none", "--soundfont", font, "-q", "--on-device-loss", "wait",
      ], environment: environment, folder: scratch.url, errors: said)
    func isThere() throws -> Bool { try server.run("jack_lsp").text.contains("downbeat:out_1") }
    #expect(try await wait(until: isThere))
    server.end(by: SIGKILL)
    func told() throws -> String { String(decoding: try FileContent.data(said), as: UTF8.self) }
    #expect(try await wait(until: { try !told().isEmpty }))
    try await server.start()
    #expect(try await wait(until: isThere))
    let text = try told()
    #expect(text.contains("gone"), "\(text)")
    _ = try tool.end(by: SIGTERM)
  }

  @Test func `a server that is gone leaves the song to the card that is there`() async throws {
    let server = try await TestSoundServer(.jack)
    var environment = server.environment.compactMapValues(\.self)
    environment["XDG_STATE_HOME"] = scratch.path("state")
    environment["ALSA_CONFIG_PATH"] = try scratch.write(
      "asound.conf", Array("pcm.!default { type null }\n".utf8))
    let said = scratch.path("said")
    let tool = try RunningTool(
      ["play", try song(), "--audio", "jack:none", "--soundfont", font, "-q"],
      environment: environment, folder: scratch.url, errors: said)
    func isThere() throws -> Bool { try server.run("jack_lsp").text.contains("downbeat:out_1") }
    #expect(try await wait(until: isThere))
    server.end(by: SIGKILL)
    func told() throws -> String { String(decoding: try FileContent.data(said), as: UTF8.self) }
    #expect(try await wait(until: { try told().contains("now playing on default") }))
    let text = try told()
    #expect(text.contains("gone; waiting for its return or another device"), "\(text)")
    #expect(try tool.end(by: SIGTERM).signal == SIGTERM)
  }

  /// A bass and a melody, ten seconds long.
  private func duo() throws -> String {
    let notes: [(delta: Int, bytes: [UInt8])] = (0..<10).flatMap { _ in
      [(480, [0x90, 60, 100]), (480, [0x80, 60, 64])]
    }
    return try scratch.write(
      "duo.mid", SongBytes.file(tracks: [("Melody", notes), ("Bass", notes), ("", notes)]))
  }

  @Test func `tracks go to ports of their names, at the channels that were asked for`() async throws
  {
    let server = try await TestSoundServer(.jack, channels: 8)
    let run = try server.run(
      """
      "$DB" play '\(try duo())' --audio jack --soundfont \(font) -q -v --map 3,4 --route 2=7,8 \
        --route 3=1,2 & play=$!
      until jack_lsp -c 2>/dev/null | grep -A1 '^downbeat:track_3_2' | grep -q system; do sleep 0.1; done
      for port in out_3 out_4 Bass_7 Bass_8 track_3_1 track_3_2; do
        echo "$port" $(jack_lsp -c | sed -n "/^downbeat:$port$/{n;p}")
      done
      jack_lsp | grep -c '^downbeat:'
      kill $play
      """)
    #expect(
      run.text == """
        out_3 system:playback_3
        out_4 system:playback_4
        Bass_7 system:playback_7
        Bass_8 system:playback_8
        track_3_1 system:playback_1
        track_3_2 system:playback_2
        6

        """, "\(run.text)\(run.errors)")
    #expect(
      run.errors.contains(
        "playing on jack, on channels 3,4, Bass on 7,8, track_3 on 1,2: as requested"),
      "\(run.errors)"
    )
    let beyond = try server.run("\"$DB\" play '\(try duo())' --audio jack --map 8,9")
    #expect(beyond.status == 64)
    #expect(
      beyond.errors == "downbeat: jack: channel 9 does not exist (choose 1 to 8)\n",
      "\(beyond.errors)")
  }

  @Test func `devices list the server, and auto takes the one with a card`() async throws {
    let server = try await TestSoundServer(.jack, period: 256)
    let run = try server.run("\"$DB\" devices; \"$DB\" play Songs/groove.mid -v --to 2.1 -q")
    #expect(run.text.contains("jack    (the default)\n"), "\(run.text)")
    #expect(run.text.contains("periods of 256 frames"), "\(run.text)")
    #expect(
      run.errors.contains(
        "playing on jack: JACK is running; periods of 256 frames (5.3 ms), set by the server"),
      "\(run.errors)")
    let bare = try await TestSoundServer(.pipewire)
    let card = try scratch.write(
      "asound.conf",
      Array(
        "pcm.!default { type null hint { show on description \"A card\" } }\n".utf8))
    let other = try bare.run(
      """
      export ALSA_CONFIG_PATH='\(card)'
      "$DB" devices; "$DB" play Songs/groove.mid -v -q --to 2.1
      """)
    #expect(other.text.contains("default    (the default)\n"), "\(other.text)")
    #expect(other.errors.contains("PipeWire is running without a sound card"), "\(other.errors)")
    let silent = try bare.run("\"$DB\" play Songs/groove.mid -q")
    #expect(silent.status == 69)
    #expect(silent.errors.contains("PipeWire is running without a sound card, and ALSA found none"))
  }

  @Test(arguments: [
    ("play $song", 1_024), ("play $song --latency low", 128), ("play $song --latency safe", 2_048),
    ("play $song --period 256", 256), ("synth --name jack:organ $font", 128),
    ("sound alert --period 64", 64), ("ltc send --fps 25 --from 01:00:00:00 --latency low", 128),
  ])
  func `PipeWire is asked for turns as they are wished`(words: String, turn: Int) async throws {
    let server = try await TestSoundServer(.pipewire)
    let run = try server.run(
      """
      for setting in force-quantum:0 min-quantum:16; do
        pw-metadata -n settings 0 clock.${setting%:*} ${setting#*:} > /dev/null
      done
      font="--soundfont Soundfonts/Downbeat.sf2"
      song="Songs/groove.mid $font"
      timeout -s INT 2 "$DB" \(words) --audio jack:none -v
      """)
    #expect(run.errors.contains("periods of \(turn) frames"), "\(run.errors)")
  }

  @Test func `a server that takes another rate is waited for, and that is told`() async throws {
    let server = try await TestSoundServer(.pipewire)
    let run = try server.run(
      """
      rate() { pw-metadata -n settings 0 clock.force-rate $1; sleep 1; }
      "$DB" play Songs/groove.mid --to 4s --audio jack:none --soundfont '\(font)' & play=$!
      until jack_lsp 2>/dev/null | grep -q downbeat:out_2; do sleep 0.1; done
      rate 44100; rate 48000; wait $play
      """, limit: 60)
    #expect(run.status == 0, "\(run.errors)")
    for sentence in [
      "PipeWire is running at 44100 Hz, not at 48000 as before; waiting for its return or another device",
      "the sound device is back", "stopped at 0:04",
    ] {
      #expect(run.errors.contains(sentence), "\(run.errors)")
    }
  }

  @Test func `another rate is refused, and nobody to speak to is told`() async throws {
    let server = try await TestSoundServer(.jack, rate: 44_100)
    let run = try server.run("\"$DB\" play Songs/groove.mid --audio jack --rate 48000")
    #expect(run.status == 69 && run.errors.contains("44100"), "\(run.errors)")
    let none = try server.run("\"$DB\" play Songs/groove.mid --audio jack:missing")
    #expect(none.status == 69 && none.errors.contains("system"), "\(none.errors)")
    server.end(by: SIGTERM)
    let gone = try server.run("\"$DB\" play Songs/groove.mid --audio jack")
    #expect(
      gone.status == 69 && gone.errors.contains("neither JACK nor PipeWire"), "\(gone.errors)")
  }
}

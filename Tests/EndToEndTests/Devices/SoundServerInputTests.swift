// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// What is mixed in, and servers that are waited for, on servers of their own.
@Suite(.serialized, .enabled(if: TestSoundServer.isInstalled, "no sound servers (make setup-test)"))
struct SoundServerInputTests {
  private let scratch: ScratchFolder
  private let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path

  /// Has JACK's metronome play, and waits for it.
  private static let metronome =
    "jack_metro -b 240 -n beep > /dev/null 2>&1 & until jack_lsp 2>/dev/null | grep -q beep:; do sleep 0.1; done"

  init() throws { scratch = try ScratchFolder() }

  @Test func `what a client of JACK plays is mixed with the song, by its gain`() async throws {
    let server = try await TestSoundServer(.jack, period: 256)
    let song = try scratch.write("song.mid", SongBytes.notes(60, every: 480))
    let run = try server.run(
      """
      cd '\(scratch.path("."))'; \(Self.metronome)
      "$DB" play '\(song)' --audio jack:none --soundfont '\(font)' -q --absolute-gain 0 \
        --input jack:beep,gain=-6dB &
      until jack_lsp 2>/dev/null | grep -q downbeat:out_2; do sleep 0.1; done; sleep 1
      jack_rec -f in.wav -d 2 -b 32 beep:240_bpm downbeat:out_1 > /dev/null 2>&1
      """, limit: 60)
    let bytes = [UInt8](try FileContent.data(scratch.path("in.wav")))
    let start = try #require(
      (12..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(Array("data".utf8)) })
    let samples = stride(from: start + 8, to: bytes.count - 3, by: 4).map { place in
      abs(
        Double(
          Int32(
            bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * $1) })))
    }
    let played = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }.max() ?? 0
    let heard = stride(from: 1, to: samples.count, by: 2).map { samples[$0] }.max() ?? 0
    #expect(played > 0, "\(run.text)\(run.errors)")
    #expect(abs(heard / played - 0.501) < 0.01, "\(heard / played) \(run.errors)")
  }

  @Test func `what is mixed in is recorded with the song by whoever records the player`()
    async throws
  {
    let server = try await TestSoundServer(.jack, period: 256)
    let song = try scratch.write("song.mid", SongBytes.notes(60, every: 480))
    let run = try server.run(
      """
      cd '\(scratch.path("."))'; \(Self.metronome)
      "$DB" play '\(song)' --audio jack:none --soundfont '\(font)' -q --absolute-gain 0 \
        --input jack:beep & play=$!
      until jack_lsp 2>/dev/null | grep -q downbeat:out_2; do sleep 0.1; done; sleep 1
      "$DB" sound record --audio jack:downbeat -o take.wav --length 2s -q
      kill $play; wait $play
      """, limit: 60)
    let bytes = [UInt8](try FileContent.data(scratch.path("take.wav")))
    #expect(bytes.count > 4 * 2 * 48_000, "\(run.errors)")
    #expect(bytes.dropFirst(44).contains { $0 > 1 && $0 < 255 }, "\(run.errors)")
  }

  @Test func `the ports of clients are listed as inputs, with channels and rate`() async throws {
    let server = try await TestSoundServer(.jack, period: 256)
    let run = try server.run(
      """
      \(Self.metronome)
      "$DB" devices --json > '\(scratch.path("inputs"))'; "$DB" devices --long; "$DB" doctor
      "$DB" ---completion sound record -- --audio 4 0 downbeat sound record --audio ''
      "$DB" sound record --audio jack:bep -o '\(scratch.path("none.wav"))'
      """, limit: 60)
    let document = try JSONSerialization.jsonObject(with: FileContent.data(scratch.path("inputs")))
    let inputs = try #require((document as? [String: Any])?["inputs"] as? [[String: Any]])
    let beep = try #require(inputs.first { $0["name"] as? String == "jack:beep" }, "\(inputs)")
    #expect(beep["channels"] as? [Int] == [1, 1] && beep["rates"] as? [Int] == [48_000, 48_000])
    #expect((beep["description"] as? String)?.contains("240_bpm") == true)
    #expect(run.text.contains("\ninputs:\n"), "\(run.text)")
    #expect(run.text.contains("jack:beep (1 channel, 48000 Hz)"), "\(run.text)")
    #expect(run.text.contains("\njack:beep\n"), "\(run.text)")
    #expect(run.errors.contains("beep"), "\(run.errors)")
  }

  @Test func `a device of ALSA's that tees writes the file that the examples name`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(60, every: 480))
    let run = try ToolRun(
      [
        "play", song, "--input", "null", "--audio", "tee:null,take.wav,wav", "--soundfont", font,
        "--to", "1s", "-q",
      ], folder: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    let bytes = [UInt8](try FileContent.data(scratch.path("take.wav")))
    #expect(bytes.starts(with: Array("RIFF".utf8)) && bytes.count > 4 * 48_000)
    #expect(bytes.dropFirst(44).contains { $0 > 1 && $0 < 255 })
  }

  /// A tool beside a server that ends once it has a port, and is there again; what the tool said.
  private func losing(
    _ words: [String], sentences: Int
  ) async throws -> (told: String, status: Int32?) {
    let server = try await TestSoundServer(.jack, period: 256)
    let said = scratch.path("said")
    var environment = server.environment.compactMapValues(\.self)
    environment["XDG_STATE_HOME"] = scratch.path("state")
    let tool = try RunningTool(words, environment: environment, folder: scratch.url, errors: said)
    func told() throws -> String { String(decoding: try FileContent.data(said), as: UTF8.self) }
    #expect(try await wait(until: { try server.run("jack_lsp").text.contains("downbeat:in_2") }))
    try await Task.sleep(for: .milliseconds(500))
    server.end(by: SIGTERM)
    #expect(try await wait(until: { try told().contains("the sound device is gone") }))
    if sentences == 2 {
      try await server.start()
      #expect(try await wait(until: { try told().contains("the sound device is back") }))
      tool.send(SIGTERM)
    }
    let status = try tool.end()
    let text = try told()
    #expect(text.split(separator: "the sound device is").count - 1 == sentences, "\(text)")
    return (text, status)
  }

  @Test func `who records from a server that is gone is told, and told of its return`() async throws
  {
    let run = try await losing(
      [
        "sound", "record", "--audio", "jack:none", "-o", "take.wav", "--on-device-loss", "wait",
        "-q",
      ], sentences: 2)
    let place = try #require(run.told.firstMatch(of: #/is gone at (.*) s; waiting/#)?.1)
    #expect(run.told.contains("is back; recording continues at \(place) s"), "\(run.told)")
  }

  @Test func `a recording whose server is not waited for ends with it`() async throws {
    let run = try await losing(
      ["sound", "record", "--audio", "jack:none", "-o", "take.wav", "-q"], sentences: 1)
    #expect(run.status == 74)
    #expect(
      run.told.contains(#/gone \(take.wav contains the \d+ frames recorded before\)/#),
      "\(run.told)")
  }

  @Test func `who mixes in a server that is gone is told, and told of its return`() async throws {
    let song = try scratch.write("song.mid", SongBytes.notes(60, every: 480))
    let run = try await losing(
      [
        "play", song, "--audio", "null", "--input", "jack:none", "--soundfont", font, "-q",
      ], sentences: 2)
    #expect(
      run.told == """
        downbeat: --input jack:none: the sound device is gone; waiting for its return
        downbeat: --input jack:none: the sound device is back

        """)
  }

  @Test func `a server that is named is waited for, with one sentence`() async throws {
    let server = try await TestSoundServer(.jack, period: 256)
    server.end(by: SIGTERM)
    let song = try scratch.write("song.mid", SongBytes.notes(60, every: 480))
    let said = scratch.path("said")
    var environment = server.environment.compactMapValues(\.self)
    environment["XDG_STATE_HOME"] = scratch.path("state")
    let tool = try RunningTool(
      ["play", song, "--audio", "jack:none", "--wait", "--soundfont", font, "-q"],
      environment: environment, folder: scratch.url, errors: said)
    func told() throws -> String { String(decoding: try FileContent.data(said), as: UTF8.self) }
    #expect(try await wait(until: { try !told().isEmpty }))
    try await server.start()
    #expect(
      try await wait(until: { try server.run("jack_lsp").text.contains("downbeat:out_2") }))
    #expect(try told() == "downbeat: jack:none: no sound server is running; waiting for one\n")
    _ = try tool.end(by: SIGTERM)
  }

  @Test(arguments: [
    ("hw:1,channels=3", "channels must be 1 or 2"), ("auto", "not an ALSA device, jack or"),
    ("hw:1,gain=99", "at most 40dB"), ("hw:1,gain=30", "at most 24dB"),
  ])
  func `an input that cannot be is refused in words`(text: String, words: String) throws {
    let run = try ToolRun(["play", "Songs/groove.mid", "--input", text])
    #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
  }
}

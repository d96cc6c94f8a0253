// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The examples of Documentation/CoreAudio.md: encode, play, record and stream, in real time on
/// ALSA's device `null`.
@Suite struct SoundProgramTests {
  private static let rate = 44_100

  /// A WAVE file with a tone in stereo, 16 bits.
  private static func tone(seconds: Double) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let frames = Int(seconds * Double(rate))
    var data = Data("RIFF".utf8) + bytes(UInt32(36 + 4 * frames)) + Data("WAVEfmt ".utf8)
    data += bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(2)) + bytes(UInt32(rate))
    data += bytes(UInt32(4 * rate)) + bytes(UInt16(4)) + bytes(UInt16(16))
    data += Data("data".utf8) + bytes(UInt32(4 * frames))
    for frame in 0..<frames {
      let value = Int16(8000 * sin(2 * Double.pi * 440 * Double(frame) / Double(rate)))
      data += bytes(value) + bytes(value)
    }
    return data
  }

  private static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

  @Test func `A file becomes AAC of the same length, which a queue plays by its packets`() throws {
    let scratch = try ScratchFolder()
    let (wave, encoded) = (scratch.path("tone.wav"), scratch.path("tone.m4a"))
    try Self.tone(seconds: 1).write(to: URL(fileURLWithPath: wave))
    #expect(
      try MacProgram("EncodeWithProgress").lines([wave, encoded]) == [
        "frames in a packet 1024", "progress 25 %", "progress 50 %", "progress 75 %",
        "progress 100 %", "length 0",
      ])
    let player = try MacProgram("QueuePackets")
    let lines = try player.lines([encoded, "null"])
    try #require(lines.count == 2)
    // Priming and the last frames are packets too.
    let packets = try #require(Int(lines[1].split(separator: " ")[1]))
    #expect(lines[0] == "stopped true" && lines[1].hasSuffix("true bytes true"))
    #expect((44...47).contains(packets))
    #expect(
      try player.lines([wave, "null"]) == ["stopped true", "packets 44100 true bytes true"])
  }

  @Test func `Half a second is recorded into a file`() throws {
    let scratch = try ScratchFolder()
    let file = scratch.path("take.wav")
    #expect(
      try MacProgram("RecordFile").lines([file, "null"]) == [
        "format 44100.0 2", "stopped true", "recorded true true",
      ])
    let wave = try #require(WaveAudio(Data(contentsOf: URL(fileURLWithPath: file))))
    #expect(wave.rate == 44_100 && wave.channels.count == 2 && wave.channels[0].count >= 22_050)
    // ALSA's device `null` records silence.
    #expect(wave.peak == 0)
  }

  /// The lines that a program prints which gets the address of an MP3 file of two seconds, and the
  /// bytes of the file.
  private static func served(_ name: String) throws -> (lines: [String], byteCount: Int) {
    let scratch = try ScratchFolder()
    let (wave, sound) = (scratch.path("tone.wav"), scratch.path("tone.mp3"))
    try Self.tone(seconds: 2).write(to: URL(fileURLWithPath: wave))
    let options = ["-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", sound]
    let encoding = try ToolRun(
      ["-v", "error", "-i", wave] + options, command: "/usr/bin/ffmpeg")
    try #require(encoding.status == 0, "\(encoding.errors)")
    // Server and program run in a private network.
    let server = """
      import functools, http.server, subprocess, sys, threading
      handler = functools.partial(
          http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
      threading.Thread(target=server.serve_forever, daemon=True).start()
      address = "http://127.0.0.1:%d/tone.mp3" % server.server_port
      sys.exit(subprocess.run([sys.argv[2], address, "null"]).returncode)
      """
    // Its folder exists until the test ends.
    let program = try MacProgram(name)
    defer { withExtendedLifetime(program) {} }
    let words =
      NetworkNamespace.words
      + ["/usr/bin/python3", "-c", server, scratch.url.path, program.path]
    let lines = MacProgram.lines(of: try ToolRun(Array(words.dropFirst()), command: words[0]))
    return (lines, try Data(contentsOf: URL(fileURLWithPath: sound)).count)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `An address is played while it is received`() throws {
    let (lines, bytes) = try Self.served("StreamAddress")
    try #require(lines.count == 3)
    #expect(lines[0] == "stopped true" && lines[1] == "rate 44100.0 channels 2")
    let counts = lines[2].split(separator: " ")
    // A packet of MP3 has 1152 frames; ID3 at the end, if there is any, is not sound.
    let packets = try #require(Int(counts[1]))
    #expect((76...79).contains(packets))
    #expect(try #require(Int(counts[3])) > bytes - 1000)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `A player of an address reaches its end`() throws {
    #expect(
      try Self.served("PlayAddress").lines == [
        "ended true paused true", "ready true error true", "observed true in order true",
      ])
  }
}

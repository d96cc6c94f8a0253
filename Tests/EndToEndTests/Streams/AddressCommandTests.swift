// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// Web addresses in place of files, and pipes that fill, as a shell uses them.
@Suite(
  .enabled(
    if: ["ffmpeg", "python3"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }, "no ffmpeg or python3 (make setup-test)"))
struct AddressCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func tone(_ name: String, seconds: Int, _ words: String...) throws {
    let run = try ToolRun(
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "sine=frequency=441:sample_rate=44100:duration=\(seconds)", "-af", "volume=8",
      ] + words + [folder.path(name)], command: "/usr/bin/ffmpeg")
    try #require(run.status == 0, "\(run.errors)")
  }

  private func mp3(_ name: String, seconds: Int) throws {
    try tone(name, seconds: seconds, "-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", "0")
  }

  private func run(_ words: [String]) throws -> ToolRun {
    try ToolRun(words, environment: ["no_proxy": "*"], limit: 120)
  }

  private func play(_ words: String...) throws -> ToolRun {
    let device = ["--audio", "file:FILE=\(folder.path("played")),FORMAT=raw"]
    return try run(["sound", "play"] + words + device + ["--sample-rate", "44100"])
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
  }

  /// The bytes of a WAV file behind the header of its samples.
  private func data(_ name: String) throws -> Data {
    let all = try bytes(name)
    let mark = try #require(all.range(of: Data("data".utf8)))
    return all[(mark.upperBound + 4)...]
  }

  /// The samples of the left channel that are not silent.
  private func samples() throws -> [Float] {
    let bytes = try bytes("played")
    let samples = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    return stride(from: 0, to: samples.count, by: 2).lazy.map { samples[$0] }.filter { $0 != 0 }
  }

  @Test func `a part of an address plays, and the whole is saved`() throws {
    try mp3("a.mp3", seconds: 20)
    let server = try StreamServer(folder)
    let address = "http://127.0.0.1:\(server.port)/a.mp3"
    let saved = folder.path("b.mp3")
    let run = try play(address, "--from", "5s", "--to", "7s", "--save", saved)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try abs(samples().count - 2 * 44_100) < 3000)
    #expect(try bytes("b.mp3") == bytes("a.mp3"))
    #expect(run.errors.contains("b.mp3: saved, \(try bytes("a.mp3").count) bytes"))
    let again = try play(address, "--to", "1s", "--save", saved)
    #expect(again.status == 73 && again.errors.contains("already exists"), "\(again.errors)")
    #expect(try play(address, "--to", "1s", "--save", saved, "--overwrite").status == 0)
    #expect(try play(folder.path("a.mp3"), "--save", saved).status == 64)
    let late = try play(address, "--from", "30s")
    #expect(late.status == 64 && late.errors.contains("at or after the end") || late.status == 0)
  }

  @Test func `a station is saved up to the end of the part`() throws {
    try mp3("a.mp3", seconds: 6)
    let server = try StreamServer(folder)
    let run = try play(
      "http://127.0.0.1:\(server.port)/live-a.mp3", "--to", "3s", "--save", folder.path("b.mp3"))
    #expect(run.status == 0, "\(run.errors)")
    let (saved, sent) = (try bytes("b.mp3"), try bytes("a.mp3"))
    #expect(saved.count >= 3 * 8000 && (sent + sent + sent).starts(with: saved.prefix(sent.count)))
  }

  @Test func `info reads addresses, of a station also its name`() throws {
    try mp3("a.mp3", seconds: 6)
    try tone("c.mka", seconds: 1, "-c:a", "flac")
    let server = try StreamServer(folder)
    let host = "http://127.0.0.1:\(server.port)"
    let station = try run(["sound", "info", "\(host)/live-a.mp3"])
    #expect(station.status == 0, "\(station.errors)")
    #expect(station.text.hasPrefix("\(host)/live-a.mp3: MP3, live\n"))
    for line in [
      "  rate         44100 Hz", "  channels     1, mono", "  length       endless",
      "  title        Loopback FM", "  genre        Test",
    ] { #expect(station.text.contains(line + "\n"), "\(station.text)") }
    let file = try run(["sound", "info", "\(host)/a.mp3", "\(host)/c.mka", "--json"])
    #expect(file.status == 0, "\(file.errors)")
    #expect(file.text.split(separator: "\n").count == 2 && file.text.contains(#""rate":44100"#))
    if SchemaJudge.isAvailable {
      #expect(try SchemaJudge.faults(of: file.output, in: "sound-info") == "")
    }
    let gone = try run(["sound", "info", "\(host)/none.mp3"])
    #expect(gone.status == 66 && gone.errors.contains("answered 404"), "\(gone.errors)")
  }

  @Test func `info on a local playlist fetches nothing`() throws {
    try mp3("a.mp3", seconds: 1)
    let server = try StreamServer(folder)
    let list = try folder.write(
      "l.m3u", Array("http://127.0.0.1:\(server.port)/a.mp3\na.mp3\n".utf8))
    let run = try run(["sound", "info", list])
    #expect(run.text.contains("a.mp3: ") && run.status != 0, "\(run.text) \(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("requests.log")))
  }

  @Test func `convert reads addresses, and a part of a station`() throws {
    try tone("a.flac", seconds: 3, "-c:a", "flac")
    try mp3("b.mp3", seconds: 6)
    let server = try StreamServer(folder)
    let host = "http://127.0.0.1:\(server.port)"
    let (own, remote) = (folder.path("own.wav"), folder.path("remote.wav"))
    let done = try run(["sound", "convert", "\(host)/a.flac", "-o", remote])
    #expect(done.status == 0, "\(done.errors)")
    #expect(try run(["sound", "convert", folder.path("a.flac"), "-o", own]).status == 0)
    #expect(try bytes("own.wav") == bytes("remote.wav"))
    // Samples of 24 bits are rounded to 16 in both.
    let part = ["--from", "44100smp", "--to", "2s", "--overwrite"]
    for (source, target) in [("\(host)/a.flac", remote), (folder.path("a.flac"), own)] {
      let run = try run(["sound", "convert", source, "-o", target] + part)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try bytes("own.wav") == bytes("remote.wav"))
    let endless = try run(["sound", "convert", "\(host)/live-b.mp3", "-o", folder.path("c.wav")])
    #expect(endless.status == 65 && endless.errors.contains("--to 30s"), "\(endless.errors)")
    let station = try run([
      "sound", "convert", "\(host)/live-b.mp3", "-o", folder.path("c.wav"), "--to", "10s",
    ])
    #expect(station.status == 0, "\(station.errors)")
    #expect(try bytes("c.wav").count >= 10 * 88_200)
  }

  @Test func `a part of a lossless station has the integers that were sent`() throws {
    try tone("a.flac", seconds: 3, "-c:a", "flac", "-sample_fmt", "s16")
    let server = try StreamServer(folder)
    #expect(
      try run(["sound", "convert", folder.path("a.flac"), "-o", folder.path("a.wav")]).status == 0)
    let part = try run([
      "sound", "convert", "http://127.0.0.1:\(server.port)/live-a.flac", "-o",
      folder.path("b.wav"), "--from", "44100smp", "--to", "2s",
    ])
    #expect(part.status == 0, "\(part.errors)")
    let (whole, found) = (try data("a.wav").dropFirst(88_200), try data("b.wav"))
    #expect(found.count == 88_200 && found.elementsEqual(whole.prefix(88_200)))
  }

  @Test func `servers learn the name and the version of the program and nothing else`() throws {
    try mp3("a.mp3", seconds: 1)
    let server = try StreamServer(folder)
    let address = "http://user:word@127.0.0.1:\(server.port)/a.mp3"
    #expect(try play(address).status == 0)
    #expect(try run(["sound", "info", address]).status == 0)
    #expect(try run(["sound", "convert", address, "-o", folder.path("b.wav")]).status == 0)
    let version = try run(["--version"]).text.split(separator: "\n")[0].split(separator: " ").last
    let lines = String(decoding: try bytes("requests.log"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count >= 3)
    for line in lines { #expect(line == "/a.mp3 downbeat/\(version ?? "")") }
  }

  @Test func `a pipe plays while it is filled`() throws {
    try mp3("a.mp3", seconds: 6)
    let fifo = folder.path("fifo")
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    let tool = try RunningTool(
      [
        "sound", "play", fifo, "--sample-rate", "44100", "--audio",
        "file:FILE=\(folder.path("played")),FORMAT=raw",
      ], environment: [:], folder: folder.url, errors: folder.path("errors"))
    // With both ends, so that opening it does not wait for the reader.
    let input = FileHandle(fileDescriptor: unsafe open(fifo, O_RDWR), closeOnDealloc: true)
    let sound = try bytes("a.mp3")
    try input.write(contentsOf: sound.prefix(24_000))
    // The rest is written once a second of the beginning is audible.
    for _ in 0..<2000 {
      let isThere = FileManager.default.fileExists(atPath: folder.path("played"))
      if try isThere && samples().count > 44_100 { break }
      usleep(20_000)
    }
    #expect(try samples().count > 44_100)
    try input.write(contentsOf: sound.dropFirst(24_000))
    try input.close()
    #expect(try tool.end() == 0)
    #expect(try abs(samples().count - 6 * 44_100) < 5000)
  }
}

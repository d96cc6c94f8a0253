// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// `sound play` with stations of Icecast's server that go off the air for some seconds.
@Suite(
  .enabled(
    if: ["ffmpeg", "python3", "curl"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }, "no ffmpeg, python3 or curl (make setup-test)"),
  .enabled(if: Icecast.program != nil, "no icecast2 (make setup-test)"))
struct StationCommandTests {
  private let folder: ScratchFolder
  private let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil

  init() throws { folder = try ScratchFolder() }

  /// Samples of a file of floats, two channels: those of the left one that are not silent.
  private func samples(_ name: String) throws -> [Float] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    let samples = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    return stride(from: 0, to: samples.count, by: 2).lazy.map { samples[$0] }.filter { $0 != 0 }
  }

  private func playedSamples() throws -> [Float] {
    FileManager.default.fileExists(atPath: folder.path("played")) ? try samples("played") : []
  }

  /// Waits until some more samples are played, for a minute more than that takes.
  private func wait(for count: Int, more seconds: Double) throws {
    usleep(UInt32(seconds * 1e6))
    for _ in 0..<120 {
      if try playedSamples().count >= count { return }
      usleep(500_000)
    }
    Issue.record("\(try playedSamples().count) of \(count) samples are played")
  }

  /// The samples of a part, by another reader than the player's: FFmpeg's program, or libopus and
  /// the frames that this package counts as sound.
  private func expected(_ part: [UInt8], _ format: Icecast.Format) throws -> [Float] {
    let suffix = [.mp3: "mp3", .aac: "aac"][format] ?? "ogg"
    let path = try folder.write("whole.\(suffix)", part)
    if format == .vorbis || format == .flac {
      let words = ["-v", "quiet", "-y", "-i", path, "-f", "f32le", "-ac", "2"]
      _ = try ToolRun(words + [folder.path("raw")], command: "/usr/bin/ffmpeg")
      return try samples("raw")
    }
    let wave = folder.path("whole.wav")
    // A station does not send its last page of Ogg.
    let run = try ToolRun([
      "sound", "convert", path, "-o", wave, "--bits", "float", "--channels", "2", "--overwrite",
    ])
    #expect([0, 3].contains(run.status), "\(run.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: wave))
    let mark = try #require(bytes.range(of: Data("data".utf8)))
    _ = try folder.write("raw", Array(bytes[(mark.upperBound + 4)...]))
    return try samples("raw")
  }

  /// Three seconds on either side of a cut of one; a minute and five seconds if `DOWNBEAT_LONG` is
  /// set.
  @Test(arguments: Icecast.Format.allCases)
  func `all sound before and after a cut is played, and all bytes are saved`(
    format: Icecast.Format
  ) throws {
    let icecast = try Icecast()
    try icecast.feed(format, title: "Before")
    let relay = try StationRelay(folder, to: icecast.port)
    let tool = try RunningTool(
      [
        "sound", "play", "http://127.0.0.1:\(relay.port)/live", "--save", folder.path("saved"),
        "--audio", "file:FILE=\(folder.path("played")),FORMAT=raw", "--sample-rate",
        "\(format.hertz)",
      ], environment: ["no_proxy": "*"], folder: folder.url, errors: folder.path("errors"))
    let seconds = isLong ? 60.0 : 3
    try wait(for: Int(seconds * 0.9) * format.hertz, more: seconds)
    icecast.stopFeeding()
    sleep(isLong ? 5 : 1)
    let before = try playedSamples().count
    try icecast.feed(format, title: "After")
    try wait(for: before + Int(seconds * 0.9) * format.hertz, more: seconds)
    icecast.stopFeeding()
    // Until all that was received is played.
    var counts = [before, try playedSamples().count]
    while counts.count < 60, counts.suffix(3).contains(where: { $0 != counts.last }) {
      sleep(1)
      counts.append(try playedSamples().count)
    }
    #expect(try tool.end(by: SIGTERM).signal == SIGTERM)
    let parts = try relay.parts()
    #expect(parts.count == 2)
    let saved = try Data(contentsOf: URL(fileURLWithPath: folder.path("saved")))
    let isSaved = saved.elementsEqual(parts.joined())
    #expect(isSaved)
    let sound = try parts.flatMap { try expected($0, format) }
    let played = try playedSamples()
    // The decoder and the player hold the last packets, whose end a signal does not wait for.
    #expect(played.count <= sound.count && sound.count - played.count < 4096, "\(sound.count)")
    let isSame = played.elementsEqual(sound.prefix(played.count))
    #expect(isSame)
  }
}

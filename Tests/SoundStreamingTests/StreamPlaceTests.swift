// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import MusicalTime
import SoundStreaming
import Synchronization
import TestSupport
import Testing

/// A player of streams that seeks, pauses and reports its position.
@Suite(
  .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"))
struct StreamPlaceTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The left channel of a file, from a reader.
  private func read(_ bytes: [UInt8], _ name: String) throws -> [Float] {
    let path = try folder.write(name, bytes)
    let client = ClientFormat(rate: .hertz44100, channelCount: 2, quality: .high)
    let samples = try SoundFileReader(path: path, client: client).read(frameCount: 10_000_000)
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  /// The sound after a frame, without the silence at its start and end.
  private func heard(_ rig: StreamRig, from frame: Int) -> [Float] {
    let rest = rig.samples.dropFirst(frame)
    let (first, last) = (rest.firstIndex { $0 != 0 }, rest.lastIndex { $0 != 0 })
    guard let first, let last else { return [] }
    return Array(rest[first...last])
  }

  @Test(arguments: [true, false])
  func `a seek in a stream uses range requests if the server supports them`(
    givesParts: Bool
  ) async throws {
    let bytes = try StreamBytes.mp3(seconds: 20)
    let ranges = Mutex<[String]>([])
    let server = TestHTTPServer { request, connection in
      ranges.withLock { $0.append(request.fields["range"] ?? "") }
      connection.sendFile(bytes, request, givesParts: givesParts, type: "audio/mpeg")
    }
    let rig = try StreamRig([.address("\(server.address)/a.mp3")])
    try await rig.playToEnd(upTo: 44_100)
    let before = rig.player.place
    #expect(before.item == 0 && abs(before.seconds - 1) < 0.01, "\(before)")
    #expect(before.isSeekable && abs((before.duration ?? 0) - 20) < 0.2, "\(before)")
    try rig.player.go(to: 0, seconds: 15)
    #expect(rig.player.place.seconds == 15)
    let start = rig.samples.count
    try await rig.playToEnd()
    // A packet lasts 26 ms; the fade-out of the previous sound is first.
    #expect(abs(Double(heard(rig, from: start + 512).count) / 44_100 - 5) < 0.2)
    let offsets = ranges.withLock { $0 }.compactMap { Int($0.dropFirst(6).dropLast()) }
    #expect(offsets.contains { $0 > 110_000 && $0 < 120_000 } == givesParts, "\(offsets)")
    #expect(rig.told.words.last == "ended 0" && !rig.told.words.contains("left 0"))
    #expect(abs(rig.player.place.seconds - 20) < 0.2)
  }

  @Test func `a downloaded file is downloaded once, and its positions are exact`() async throws {
    let bytes = try StreamBytes.tone("mka", seconds: 4, "-c:a", "flac")
    let count = Atomic(0)
    let server = TestHTTPServer { request, connection in
      count.add(1, ordering: .relaxed)
      connection.sendFile(bytes, request, type: "audio/x-matroska")
    }
    let rig = try StreamRig([.address("\(server.address)/a.mka")])
    try await rig.playToEnd(upTo: 22_050)
    try rig.player.go(to: 0, seconds: 3)
    let start = rig.samples.count
    try await rig.playToEnd()
    let expected = Array(try read(bytes, "a.mka").dropFirst(3 * 44_100))
    let all = rig.samples.dropFirst(start)
    let isThere = all.indices.contains { index in
      all[index...].prefix(expected.count - 100).elementsEqual(
        expected.prefix(expected.count - 100))
    }
    #expect(isThere)
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test(arguments: ["m4a", "fragments.m4a", "flac", "wav", "mp3"])
  func `a part starts and ends at its frames`(
    suffix: String
  ) async throws {
    let words: [String: [String]] = [
      "m4a": ["-c:a", "alac"], "flac": ["-c:a", "flac"], "wav": ["-c:a", "pcm_s16le"],
      "fragments.m4a": ["-c:a", "alac", "-movflags", "+frag_keyframe+empty_moov"],
      "mp3": ["-c:a", "libmp3lame", "-b:a", "64k"],
    ]
    let bytes = try StreamBytes.tone(suffix, seconds: 8, words[suffix] ?? [])
    let server = TestHTTPServer { $1.sendFile(bytes, $0, type: "application/octet-stream") }
    var settings = StreamRig.patient
    (settings.start, settings.end) = (.frames(200_001), .frames(300_003))
    let rig = try StreamRig([.address("\(server.address)/a.\(suffix)")], settings: settings)
    try await rig.playToEnd()
    let expected = Array(try read(bytes, "a.\(suffix)")[200_001..<300_003])
    let isRight = rig.samples.count < expected.count + 128 && rig.samples.starts(with: expected)
    // A position in MP3 is an estimate.
    let isNear = abs(rig.samples.count - expected.count) < 128
    #expect(suffix == "mp3" ? isNear : isRight, "\(rig.samples.count) \(rig.words)")
  }

  @Test func `items are skipped in both directions, and each is reported as left or ended`()
    async throws
  {
    let paths = try (0..<3).map {
      try folder.write("\($0).mp3", StreamBytes.mp3(seconds: 2))
    }
    let rig = try StreamRig(paths.map { .file(path: $0) })
    try await rig.playToEnd(upTo: 22_050)
    try rig.player.go(to: 2)
    #expect(rig.player.place.item == 2 && rig.player.place.seconds == 0)
    try await rig.playToEnd(upTo: 44_100)
    try rig.player.go(to: 1, seconds: 1.5)
    try await rig.playToEnd()
    let words = rig.told.words.filter { $0.hasPrefix("left") || $0.hasPrefix("ended") }
    #expect(words == ["left 0", "left 2", "ended 1", "ended 2"])
    #expect(rig.player.place.item == 2)
  }

  @Test func `a pause keeps the position, and sound received meanwhile is not lost`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 6)
    let server = TestHTTPServer { $1.sendFile(bytes, $0, type: "audio/mpeg") }
    let rig = try StreamRig([.address("\(server.address)/a.mp3")])
    try rig.player.setPaused(true)
    let silent = Task { try await rig.playToEnd(upTo: 44_100) }
    try await silent.value
    #expect(rig.samples.allSatisfy { $0 == 0 } && rig.player.place.seconds == 0)
    try rig.player.setPaused(false)
    let start = rig.samples.count
    try await rig.playToEnd()
    let expected = try read(bytes, "a.mp3")
    #expect(Array(rig.samples.dropFirst(start).prefix(expected.count)) == expected)
  }

  @Test func `a seek in a station joins it again`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 20)
    let count = Atomic(0)
    let server = TestHTTPServer { _, connection in
      count.add(1, ordering: .relaxed)
      connection.head("200 OK", "icy-name: x", "Content-Type: audio/mpeg")
      connection.sendEndlessly(bytes) { _ in
      } blocked: {
      }
    }
    let rig = try StreamRig([.address("\(server.address)/live")])
    try await rig.playToEnd(upTo: 44_100)
    #expect(!rig.player.place.isSeekable && rig.player.place.duration == nil)
    try rig.player.go(to: 0, seconds: 10)
    try await rig.playToEnd(upTo: 88_200)
    #expect(rig.player.place.seconds < 2)
    #expect(count.load(ordering: .relaxed) == 2)
    rig.player.stop()
  }
}

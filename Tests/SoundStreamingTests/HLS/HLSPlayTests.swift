// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import Foundation
import MusicalTime
import Synchronization
import TestSupport
import Testing

@testable import SoundStreaming

/// HLS streams from a server with the behaviour of each test.
@Suite(
  .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"))
struct HLSPlayTests {
  /// The left channel of the decoded bytes of a stream.
  static func decoded(_ bytes: [UInt8]) throws -> [Float] {
    var stream = SoundStream()
    stream.append(bytes)
    stream.finish()
    let properties = try #require(stream.properties)
    let client = ClientFormat(rate: .hertz44100, channelCount: 2, quality: .high)
    let decoder = try StreamDecoder(properties, client: client)
    var samples: [Float] = []
    for packet in stream.takePackets() {
      for sound in try decoder.decode(packet) { samples += sound.samples }
    }
    for sound in decoder.finish() { samples += sound.samples }
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  static func isSame(_ played: [Float], _ expected: [Float]) -> Bool {
    played.count >= expected.count && played.count < expected.count + 2 * AudioFormat.quantum
      && played.starts(with: expected) && expected.contains { abs($0) > 0.1 }
  }

  @Test(arguments: HLSBytes.Form.allCases)
  func `a complete stream plays to its last sample`(form: HLSBytes.Form) async throws {
    let bytes = try HLSBytes(form, seconds: 7)
    let server = bytes.server()
    let rig = try StreamRig([.address("\(server.address)/list.m3u8")])
    try await rig.playToEnd()
    #expect(Self.isSame(rig.samples, try Self.decoded(bytes.joined)), "\(rig.words)")
    #expect(rig.words.last == "ended 0" && !rig.words.contains { $0.hasPrefix("failed") })
    #expect(abs((rig.player.place.duration ?? 0) - 7) < 0.2 && rig.player.place.isSeekable)
  }

  @Test func `timed tags are titles at the position of their segment`() async throws {
    let bytes = try HLSBytes(.packed, seconds: 7)
    let server = bytes.server()
    let rig = try StreamRig([.address("\(server.address)/list.m3u8")])
    try await rig.playToEnd()
    let titles = rig.places.filter { $0.word.hasPrefix("title") }
    #expect(titles.map(\.word) == ["title 0 Part 0", "title 0 Part 1"])
    // 172 packets of 1024 frames.
    #expect(titles.last.map { abs($0.frame - 172 * 1024) < 8192 } ?? false, "\(titles)")
  }

  @Test func `a position in a complete stream is downloaded from its segment on`() async throws {
    let bytes = try HLSBytes(.transport, seconds: 12)
    let server = bytes.server()
    var settings = StreamRig.patient
    (settings.start, settings.end) = (.seconds(9), .seconds(11))
    let rig = try StreamRig([.address("\(server.address)/list.m3u8")], settings: settings)
    try await rig.playToEnd()
    #expect(abs(rig.samples.filter { $0 != 0 }.count - 2 * 44_100) < 1000)
    #expect(!server.requests.contains { $0.target == "/list1.ts" })
    #expect(abs(rig.player.place.seconds - 11) < 0.1)
  }

  @Test func `the version with the best sound plays`() async throws {
    let bytes = try HLSBytes(.transport, seconds: 4)
    let master = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.4d,mp4a.40.2",RESOLUTION=1280x720
      video.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=999000,CODECS="mp4a.40.2"
      gone.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS="mp4a.40.2"
      list.m3u8
      """
    let server = bytes.server { request, connection in
      guard request.target == "/master" else { return false }
      connection.sendFile(Array(master.utf8), request, type: "application/x-mpegurl")
      return true
    }
    let rig = try StreamRig([.address("\(server.address)/master")])
    try await rig.playToEnd()
    #expect(Self.isSame(rig.samples, try Self.decoded(bytes.joined)), "\(rig.words)")
    #expect(rig.words.first?.hasPrefix("failed 0 \(server.address)/gone.m3u8: ") ?? false)
    #expect(!server.requests.contains { $0.target == "/video.m3u8" })
  }

  @Test func `names are relative to the address after a redirect`() async throws {
    let bytes = try HLSBytes(.packed, seconds: 4)
    let server = bytes.server { request, connection in
      switch request.target {
      case "/station":
        _ = connection.head("302 Found", "Location: /a/b/list.m3u8", "Content-Length: 0")
      case "/a/b/list.m3u8":
        connection.sendFile(
          bytes.files["list.m3u8"] ?? [], request, type: "application/x-mpegurl")
      case let name where name.hasPrefix("/a/b/"):
        connection.sendFile(bytes.files[String(name.dropFirst(5))] ?? [], request)
      default: _ = connection.head("404 Not Found", "Content-Length: 0")
      }
      return true
    }
    let rig = try StreamRig([.address("\(server.address)/station")])
    try await rig.playToEnd()
    #expect(Self.isSame(rig.samples, try Self.decoded(bytes.joined)), "\(rig.words)")
  }

  @Test func `a live playlist is loaded again, and the stream ends with its last segment`()
    async throws
  {
    let bytes = try HLSBytes(.packed, seconds: 12)
    let loads = Atomic(0)
    let server = bytes.server { request, connection in
      guard request.target == "/live.m3u8" else { return false }
      // The first load detects that it is a playlist.
      let first = max(0, min(3, loads.add(1, ordering: .relaxed).oldValue - 1))
      let end = first == 3 ? "#EXT-X-ENDLIST\n" : ""
      let text =
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        + (first..<first + 3).map { "#EXTINF:1,\n\($0).aac\n" }.joined() + end
      connection.sendFile(Array(text.utf8), request, type: "application/x-mpegurl")
      return true
    }
    let rig = try StreamRig([.address("\(server.address)/live.m3u8")])
    try await rig.playToEnd()
    let expected = (0..<6).flatMap { bytes.files["\($0).aac"] ?? [] }
    #expect(Self.isSame(rig.samples, try Self.decoded(expected)), "\(rig.words)")
    #expect(loads.load(ordering: .relaxed) >= 4)
  }

  @Test func `an interruption loses nothing, and a missing segment only itself`() async throws {
    let bytes = try HLSBytes(.packed, seconds: 8)
    let cuts = Atomic(0)
    let server = bytes.server { request, connection in
      if request.target == "/2.aac" {
        _ = connection.head("404 Not Found", "Content-Length: 0")
        return true
      }
      guard request.target == "/1.aac", cuts.add(1, ordering: .relaxed).oldValue < 1 else {
        return false
      }
      connection.sendFile(bytes.files["1.aac"] ?? [], request, limit: 5000)
      return true
    }
    let rig = try StreamRig([.address("\(server.address)/list.m3u8")])
    try await rig.playToEnd()
    let before = try Self.decoded((0...1).flatMap { bytes.files["\($0).aac"] ?? [] })
    let after = try Self.decoded((3...4).flatMap { bytes.files["\($0).aac"] ?? [] })
    #expect(rig.samples.starts(with: before))
    #expect(Array(rig.samples.dropFirst(before.count).prefix(after.count)) == after)
    #expect(rig.words.contains("resumed 0 true") && rig.words.contains("resumed 0 false"))
  }

  @Test func `discontinuities, parts of one file and gaps play at their positions`() async throws {
    let bytes = try HLSBytes(.packed, seconds: 8)
    let (one, other) = (bytes.files["0.aac"] ?? [], bytes.files["1.aac"] ?? [])
    let list = """
      #EXTM3U
      #EXT-X-TARGETDURATION:2
      #EXT-X-BYTERANGE:\(one.count)@100
      #EXTINF:1.997,
      all
      #EXT-X-GAP
      #EXTINF:1,
      none
      #EXT-X-DISCONTINUITY
      #EXT-X-BYTERANGE:\(other.count)
      #EXTINF:1.997,
      all
      #EXT-X-ENDLIST
      """
    let all = Array(repeating: UInt8(7), count: 100) + one + other + [1, 2, 3]
    let server = bytes.server { request, connection in
      guard ["/parts", "/all"].contains(request.target) else { return false }
      let isList = request.target == "/parts"
      connection.sendFile(
        isList ? Array(list.utf8) : all, request,
        type: isList ? "application/x-mpegurl" : "audio/aac")
      return true
    }
    let rig = try StreamRig([.address("\(server.address)/parts")])
    try await rig.playToEnd()
    let silence = Array(repeating: Float(0), count: 44_100)
    let expected = try Self.decoded(one) + silence + Self.decoded(other)
    #expect(Self.isSame(rig.samples, expected), "\(rig.words)")
  }

  @Test func `encrypted streams and circular lists are refused with a message`()
    async throws
  {
    let server = TestHTTPServer { request, connection in
      let start = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
      let text =
        switch request.target {
        case "/key": "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n"
        case "/self": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/self\n"
        case "/file": "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile:///etc/passwd\n"
        default: start + String(repeating: "#EXTINF:2,\nx\n", count: 100_001)
        }
      connection.sendFile(Array(text.utf8), request, type: "application/x-mpegurl")
    }
    let items = ["key", "self", "file", "long"].map {
      StreamPlayer.Item.address("\(server.address)/\($0)")
    }
    let rig = try StreamRig(items)
    try await rig.playToEnd()
    let failed = rig.words.filter { $0.hasPrefix("failed") }.map {
      $0.replacing("\(server.address)/", with: "")
    }
    #expect(
      failed == [
        "failed 0 key: HLS playlist: encrypted (SAMPLE-AES), cannot be played",
        "failed 1 self: HLS playlist: a list of segments is expected, and this names playlists",
        "failed 2 file: HLS playlist: line 4: names something other than a web address",
        "failed 3 long: HLS playlist: line 200004: more than 100000 entries",
      ])
  }

  @Test func `several consecutive missing segments end the stream`() async throws {
    let server = TestHTTPServer { request, connection in
      guard request.target == "/list" else {
        _ = connection.head("404 Not Found", "Content-Length: 0")
        return
      }
      let text =
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + String(repeating: "#EXTINF:2,\nx\n", count: 50)
        + "#EXT-X-ENDLIST\n"
      connection.sendFile(Array(text.utf8), request, type: "application/x-mpegurl")
    }
    let rig = try StreamRig([.address("\(server.address)/list")])
    try await rig.playToEnd()
    #expect(rig.words.contains { $0.hasPrefix("failed 0") && $0.contains("404") })
    #expect(server.requests.filter { $0.target == "/x" }.count == 3)
  }
}

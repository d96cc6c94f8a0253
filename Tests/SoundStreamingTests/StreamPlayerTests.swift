// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import Foundation
import MusicalTime
import SoundStreaming
import Synchronization
import TestSupport
import Testing

/// Streams that are played from a server with the behaviour of each test.
@Suite(
  .enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"),
  .enabled(if: StreamBytes.isInstalled, "no ffmpeg (make setup-test)"))
struct StreamPlayerTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The left channel of a file, from a reader.
  private func read(_ bytes: [UInt8], _ name: String) throws -> [Float] {
    let path = try folder.write(name, bytes)
    let client = ClientFormat(rate: .hertz44100, channelCount: 2, quality: .high)
    let reader = try SoundFileReader(path: path, client: client)
    let samples = reader.read(frameCount: 10_000_000)
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  private func isSame(_ heard: [Float], _ expected: [Float]) -> Bool {
    heard.count >= expected.count && heard.count < expected.count + 2 * AudioFormat.quantum
      && heard.starts(with: expected)
  }

  @Test(arguments: [true, false])
  func `a stream plays to its last sample, with and without range requests`(
    givesParts: Bool
  ) async throws {
    let bytes = try StreamBytes.mp3(seconds: 6)
    let server = TestHTTPServer {
      $1.sendFile(bytes, $0, givesParts: givesParts, type: "audio/mpeg")
    }
    let rig = try StreamRig([.address("\(server.address)/a.mp3")])
    try await rig.playToEnd()
    #expect(isSame(rig.samples, try read(bytes, "a.mp3")))
    #expect(
      rig.told.words == [
        "opened 0 ", "playing 0 MP3, 44100 Hz, 1 channel", "ended 0",
      ])
    #expect(rig.player.unit.dryCount <= 1)
  }

  @Test func `a file that is interrupted twice plays without a gap`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 6)
    let server = TestHTTPServer {
      $1.sendFile(bytes, $0, type: "audio/mpeg", limit: $0.number < 2 ? 15_001 : .max)
    }
    let rig = try StreamRig([.address("\(server.address)/a.mp3")])
    try await rig.playToEnd()
    #expect(isSame(rig.samples, try read(bytes, "a.mp3")))
    let words = rig.told.words.filter { $0.contains("inter") || $0.contains("resumed") }
    #expect(words == ["interrupted 0", "resumed 0 true", "interrupted 0", "resumed 0 true"])
  }

  @Test func `addresses and files follow one another without a gap`() async throws {
    let (one, other) = (try StreamBytes.mp3(seconds: 2), try StreamBytes.mp3(seconds: 3))
    let path = try folder.write("b.mp3", other)
    let server = TestHTTPServer { $1.sendFile(one, $0, type: "audio/mpeg") }
    let rig = try StreamRig([.address("\(server.address)/a.mp3"), .file(path: path)])
    try await rig.playToEnd()
    #expect(isSame(rig.samples, try read(one, "a.mp3") + read(other, "c.mp3")))
    #expect(rig.told.words.suffix(2) == ["playing 1 MP3, 44100 Hz, 1 channel", "ended 1"])
  }

  @Test(arguments: ["m4a", "first.m4a", "fragments.m4a", "flac", "wav", "aiff", "ogg", "opus"])
  func `files of every container play while they arrive`(suffix: String) async throws {
    let words: [String: [String]] = [
      "m4a": ["aac"], "first.m4a": ["aac", "-movflags", "+faststart"],
      "fragments.m4a": ["aac", "-movflags", "+empty_moov", "-frag_duration", "500000"],
      "flac": ["flac"], "wav": ["pcm_s16le"], "aiff": ["pcm_s24be"], "ogg": ["libvorbis"],
      "opus": ["libopus"],
    ]
    let bytes = try StreamBytes.tone(suffix, seconds: 3, ["-c:a"] + (words[suffix] ?? []))
    let server = TestHTTPServer { $1.sendFile(bytes, $0, type: "application/octet-stream") }
    let rig = try StreamRig([.address("\(server.address)/a.\(suffix)")])
    try await rig.playToEnd()
    let expected = try read(bytes, "a.\(suffix)")
    // Two libraries decode Vorbis and Opus, and round differently.
    let isNear = zip(rig.samples, expected).allSatisfy { abs($0 - $1) < 1e-3 }
    let isLong = rig.samples.count >= expected.count && rig.samples.count < expected.count + 128
    #expect(["ogg", "opus"].contains(suffix) ? isNear && isLong : isSame(rig.samples, expected))
    #expect(!rig.words.contains { $0.hasPrefix("fetching") || $0.hasPrefix("failed") })
    #expect(rig.words.last == "ended 0")
  }

  @Test(arguments: [true, false])
  func `a short M4A whose index is at its end plays`(givesParts: Bool) async throws {
    let bytes = try StreamBytes.tone("m4a", seconds: 1, "-c:a", "aac")
    #expect(bytes.count < 16_000)
    let server = TestHTTPServer { $1.sendFile(bytes, $0, givesParts: givesParts) }
    let rig = try StreamRig([.address("\(server.address)/a.m4a")])
    try await rig.playToEnd()
    #expect(isSame(rig.samples, try read(bytes, "a.m4a")))
  }

  @Test(arguments: [("mka", true), ("m4a", false)])
  func `another format, and an index that cannot be fetched first, is downloaded`(
    suffix: String, givesParts: Bool
  ) async throws {
    let codec = suffix == "mka" ? "flac" : "aac"
    let bytes = try StreamBytes.tone(suffix, seconds: 3, "-c:a", codec)
    let server = TestHTTPServer {
      $1.sendFile(bytes, $0, givesParts: givesParts, type: "application/octet-stream")
    }
    let rig = try StreamRig([.address("\(server.address)/a.\(suffix)")])
    try await rig.playToEnd()
    #expect(isSame(rig.samples, try read(bytes, "a.\(suffix)")))
    #expect(rig.words.contains("fetching 0 \(bytes.count)"))
    #expect(rig.words.last == "ended 0")
  }

  @Test func `a title is reported when its position is audible`() async throws {
    let bytes = try StreamBytes.mp3(seconds: 12)
    let interval = 16_000
    let server = TestHTTPServer { request, connection in
      connection.send(
        "ICY 200 OK\r\nicy-name: Test FM\r\nicy-br: 64\r\nicy-metaint: \(interval)\r\n\r\n")
      for (index, start) in stride(from: 0, to: bytes.count, by: interval).enumerated() {
        connection.send(bytes[start..<min(bytes.count, start + interval)])
        let title = Array("StreamTitle='Song \(index / 2)';".utf8)
        let blocks = (title.count + 15) / 16
        connection.send(
          [UInt8(blocks)] + title + Array(repeating: 0, count: blocks * 16 - title.count))
      }
      connection.waitForEnd()
    }
    let rig = try StreamRig([.address("\(server.address)/live")])
    try await rig.playToEnd(upTo: 11 * 44_100)
    rig.player.stop()
    let titles = rig.places.filter { $0.word.hasPrefix("title") }
    #expect(titles.map(\.word) == ["title 0 Song 0", "title 0 Song 1", "title 0 Song 2"])
    // 16,000 bytes are two seconds.
    for (index, title) in titles.enumerated() {
      let place = Double(title.frame) / 44_100
      #expect(abs(place - Double(2 + 4 * index)) < 0.15, "\(title)")
    }
    #expect(rig.told.words.first == "opened 0 Test FM")
  }

  @Test(arguments: ["m3u", "pls"])
  func `a list of addresses is followed, and the first working mirror plays`(
    form: String
  ) async throws {
    let bytes = try StreamBytes.mp3(seconds: 2)
    let server = TestHTTPServer { request, connection in
      let host = request.fields["host"] ?? ""
      switch request.target {
      case "/list":
        let (one, other) = ("http://\(host)/gone.mp3", "http://\(host)/a.mp3")
        let isM3U = form == "m3u"
        connection.sendFile(
          Array(
            (isM3U
              ? "#EXTM3U\n#EXTINF:-1,One\n\(one)\n\(other)\n"
              : "[playlist]\nNumberOfEntries=2\nFile1=\(one)\nFile2=\(other)\n").utf8), request,
          type: isM3U ? "audio/x-mpegurl" : "audio/x-scpls")
      case "/a.mp3": connection.sendFile(bytes, request, type: "audio/mpeg")
      default: connection.head("404 Not Found", "Content-Length: 0")
      }
    }
    let rig = try StreamRig([.address("\(server.address)/list")])
    try await rig.playToEnd()
    #expect(isSame(rig.samples, try read(bytes, "a.mp3")))
    let gone = "failed 0 \(server.address)/gone.mp3: the server answered 404, not found"
    #expect(rig.told.words.first == gone && rig.told.words.last == "ended 0")
  }

  @Test func `a list that contains itself many times is tried up to a limit`() async throws {
    let counter = Mutex(0)
    let server = TestHTTPServer { request, connection in
      counter.withLock { $0 += 1 }
      let line = "http://\(request.fields["host"] ?? "")/list\n"
      connection.sendFile(
        Array(String(repeating: line, count: 50).utf8), request, type: "audio/x-mpegurl")
    }
    let rig = try StreamRig([.address("\(server.address)/list")])
    try await rig.playToEnd()
    let reason = "not sound, but a playlist (use the address of the stream itself)"
    #expect(rig.told.words.contains("failed 0 \(server.address)/list: \(reason)"))
    // 16 lists of 50 addresses, and each list is requested twice. A limit of the depth alone would
    // allow millions.
    #expect(counter.withLock { $0 } <= 16 * 50 + 2 * 17)
  }

  @Test func `each item that fails is reported with the reason, and the next one plays`()
    async throws
  {
    let bytes = try StreamBytes.mp3(seconds: 1)
    let server = TestHTTPServer { request, connection in
      switch request.target {
      case "/page":
        connection.sendFile(Array("<html>hello</html>".utf8), request, type: "text/plain")
      case "/ring": connection.head("302 Found", "Location: /ring", "Content-Length: 0")
      case "/hls":
        connection.sendFile(
          Array("#EXTM3U\n#EXT-X-VERSION:3\na.ts\n".utf8), request, type: "audio/mpegurl")
      case "/noise": connection.sendFile(Array(repeating: 0x55, count: 100_000), request)
      case "/ogg":
        connection.head("200 OK", "icy-name: x")
        connection.send("OggS" + String(repeating: "x", count: 100_000))
        connection.waitForEnd()
      case "/large":
        connection.head(
          "200 OK", "Content-Length: 10737418240", "ETag: \"1\"")
        connection.send("RIFF" + String(repeating: "x", count: 100))
        connection.waitForEnd()
      default: connection.sendFile(bytes, request, type: "audio/mpeg")
      }
    }
    let words = ["page", "ring", "hls", "noise", "ogg", "large", "a"]
    let items = words.map { StreamPlayer.Item.address("\(server.address)/\($0)") }
    let rig = try StreamRig(items + [.file(path: "/nowhere.wav")])
    try await rig.playToEnd()
    #expect(isSame(rig.samples, try read(bytes, "a.mp3")))
    let failed = rig.told.words.filter { $0.hasPrefix("failed") }.map {
      $0.replacing("\(server.address)/", with: "")
    }
    let hint = "(streams can be MP3, AAC, Ogg, FLAC, MP4 or HLS)"
    #expect(
      failed.dropFirst(4).first == "failed 4 ogg: endless, and not in a known sound format \(hint)")
    try #require(failed.count == 7, "\(failed)")
    #expect(failed[0].hasPrefix("failed 0 page: not sound, but a web page"))
    #expect(failed[1].hasPrefix("failed 1 ring: more than 10 redirects"))
    #expect(failed[2] == "failed 2 hls: HLS playlist: it does not contain segments")
    #expect(failed[3].hasPrefix("failed 3 noise: "))
    #expect(
      failed[5]
        == "failed 5 large: its 10737418240 bytes exceed the limit for downloading whole files \(hint)"
    )
    #expect(failed[6].hasPrefix("failed 7 /nowhere.wav: "))
    #expect(rig.told.words.last == "ended 7")
  }

  @Test func `a wrong address is refused before anything is sent, without its password`() throws {
    let error = #expect(throws: HTTPError.self) {
      try StreamRig([.file(path: "a"), .address("ftp://user:secret@host/a")])
    }
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func `the server waits if nothing is played, so that memory is limited`()
    async throws
  {
    let bytes = try StreamBytes.mp3(seconds: 20)
    let blocked = Atomic(false)
    let server = TestHTTPServer { _, connection in
      connection.head("200 OK", "icy-name: x", "Content-Type: audio/mpeg")
      connection.sendEndlessly(bytes) { _ in
      } blocked: {
        blocked.store(true, ordering: .releasing)
      }
    }
    var settings = StreamRig.patient
    settings.http.roomByteCount = 64 << 10
    let rig = try StreamRig([.address("\(server.address)/live")], settings: settings)
    rig.player.start()
    for _ in 0..<3000 where !blocked.load(ordering: .acquiring) {
      try await Task.sleep(for: .milliseconds(10))
    }
    let hasWaited = blocked.load(ordering: .acquiring)
    #expect(hasWaited)
    // At most four seconds; the rest is in the sockets.
    #expect(rig.player.unit.prime() <= 4 * 44_100 + 4096)
    rig.player.stop()
  }
}

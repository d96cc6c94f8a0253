// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Glibc
import SoundStreaming
import Synchronization
import TestSupport
import Testing

/// Streams from a server with the behaviour of each test.
///
/// Except in tests of timeouts, all timeouts are long enough for a slow machine.
@Suite(.enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"))
struct HTTPSourceTests {
  /// The events of a stream until its end.
  struct Heard {
    var events: [HTTPSource.Event] = []
    var error: HTTPError?

    var bytes: [UInt8] {
      events.reduce(into: []) { if case .bytes(let bytes, _) = $1 { $0 += bytes } }
    }
    var titles: [String] {
      events.compactMap { if case .title(let title) = $0 { title.title } else { nil } }
    }
    var resumptions: [Bool] {
      events.compactMap { if case .resumed(let isContinuous) = $0 { isContinuous } else { nil } }
    }
    var interruptions: [HTTPError] {
      events.compactMap { if case .interrupted(let error, _) = $0 { error } else { nil } }
    }
    var reply: HTTPReply? {
      events.lazy.compactMap { if case .opened(let reply) = $0 { reply } else { nil } }.first
    }
    /// True if each piece of bytes starts at the end of the previous one.
    var isSeamless: Bool {
      var next: Int64 = 0
      for case .bytes(let bytes, let offset) in events {
        guard offset == next else { return false }
        next += Int64(bytes.count)
      }
      return true
    }
    /// The packets that a parser finds.
    var packets: [SoundStream.Packet] {
      var stream = SoundStream()
      for event in events { stream.append(event) }
      stream.finish()
      return stream.takePackets()
    }
  }

  static var patient: HTTPSettings {
    var settings = HTTPSettings()
    settings.connectTimeout = .seconds(300)
    settings.stallTimeout = .seconds(300)
    settings.firstPause = .milliseconds(1)
    settings.longestPause = .milliseconds(2)
    settings.usesProxy = false
    return settings
  }

  static func source(
    _ server: TestHTTPServer, _ path: String = "/a.aac", settings: HTTPSettings = patient
  ) throws -> HTTPSource {
    try HTTPSource(server.address + path, settings: settings)
  }

  static func hear(_ source: HTTPSource) async -> Heard {
    var heard = Heard()
    do {
      for try await event in source { heard.events.append(event) }
    } catch {
      heard.error = error
    }
    return heard
  }

  static func hear(
    _ server: TestHTTPServer, settings: HTTPSettings = patient
  ) async throws -> Heard {
    await hear(try source(server, settings: settings))
  }

  static func packets(_ file: [UInt8]) -> [SoundStream.Packet] {
    var stream = SoundStream()
    stream.append(file)
    stream.finish()
    return stream.takePackets()
  }

  static let file = AACBytes.file(400)

  @Test(arguments: [true, false])
  func `a file is received completely, and its packets are those of its bytes`(givesParts: Bool)
    async throws
  {
    let server = TestHTTPServer { $1.sendFile(Self.file, $0, givesParts: givesParts) }
    let heard = try await Self.hear(server)
    #expect(heard.error == nil && heard.bytes == Self.file && heard.isSeamless)
    #expect(heard.reply?.byteCount == Int64(Self.file.count))
    #expect(heard.reply?.givesParts == givesParts && heard.reply?.isStation == false)
    #expect(heard.reply?.contentType == "audio/aac")
    let packets = heard.packets
    #expect(packets.count == 400 && packets == Self.packets(Self.file))
    #expect(packets.map(\.byteCount) == AACBytes.packets(400).map(\.count))
    #expect(heard.interruptions == [] && server.requests.count == 1)
  }

  @Test func `a file whose connection is lost twice continues with its next byte`() async throws {
    let server = TestHTTPServer {
      $1.sendFile(Self.file, $0, limit: $0.number < 2 ? 40_001 : .max)
    }
    let heard = try await Self.hear(server)
    #expect(heard.error == nil && heard.bytes == Self.file && heard.isSeamless)
    #expect(heard.resumptions == [true, true] && heard.interruptions.count == 2)
    #expect(server.requests.map(\.start) == [0, 40_001, 80_002])
    #expect(server.requests[1].fields["if-range"] == "\"1\"")
    #expect(heard.packets == Self.packets(Self.file))
  }

  @Test func `without range requests, received bytes are skipped when they arrive again`()
    async throws
  {
    let server = TestHTTPServer {
      $1.sendFile(Self.file, $0, givesParts: false, limit: $0.number < 1 ? 40_001 : .max)
    }
    let source = try Self.source(server)
    let heard = await Self.hear(source)
    #expect(heard.error == nil && heard.bytes == Self.file && heard.isSeamless)
    #expect(heard.resumptions == [true])
    #expect(throws: HTTPError.givesNoParts(server.address + "/a.aac")) { try source.seek(to: 5) }
  }

  @Test func `a file that has changed is not continued`() async throws {
    let server = TestHTTPServer {
      $1.sendFile(Self.file, $0, tag: "\"\($0.number)\"", limit: 40_000)
    }
    let heard = try await Self.hear(server)
    #expect(heard.error == .changed(server.address + "/a.aac"))
    #expect(heard.bytes == Array(Self.file.prefix(40_000)))
  }

  @Test func `a server that sends too few bytes is tried again, and then reported`() async throws {
    let server = TestHTTPServer { request, connection in
      connection.head(
        "206 Partial Content", "Content-Length: 900",
        "Content-Range: bytes \(request.start ?? 0)-999/1000")
      if request.number == 0 { connection.send([UInt8](repeating: 1, count: 100)) }
    }
    var settings = Self.patient
    settings.attemptLimit = 3
    let heard = try await Self.hear(server, settings: settings)
    let address = server.address + "/a.aac"
    #expect(heard.error == .endsEarly(address, received: 100, promised: 1_000))
    #expect(heard.bytes.count == 100 && heard.interruptions.count == 3)
    #expect(server.requests.count == 4)
    #expect("\(try #require(heard.error))" == "\(address): incomplete, received 100 of 1000 bytes")
  }

  @Test func `a station's titles are at their positions, and an interruption is a reported gap`()
    async throws
  {
    let packets = AACBytes.packets(60)
    let server = TestHTTPServer { request, connection in
      guard request.number < 2 else { return _ = connection.head("410 Gone") }
      connection.send(
        "ICY 200 OK\r\nicy-name:Radio\r\nicy-br:96\r\nicy-metaint:1000\r\n"
          + "Content-Type: audio/aacp\r\n\r\n")
      let sound = packets[(request.number == 0 ? 0..<30 : 30..<60)].flatMap { $0 }
      var place = 0
      while sound.count - place >= 1_000 {
        let title = place == 0 ? "StreamTitle='\(request.number)';" : ""
        connection.send(sound[place..<place + 1_000] + TitleParserTests.block(title))
        place += 1_000
      }
      connection.send(sound[place...])
    }
    let heard = try await Self.hear(server)
    #expect(heard.reply?.isStation == true && heard.reply?.name == "Radio")
    #expect(heard.reply?.nominalBitrate == 96_000 && heard.reply?.byteCount == nil)
    #expect(server.requests.map { $0.fields["icy-metadata"] } == ["1", "1", "1"])
    #expect(heard.bytes == packets.flatMap { $0 } && heard.isSeamless)
    #expect(heard.titles == ["0", "1"] && heard.resumptions == [false])
    #expect(heard.error == .refused(server.address + "/a.aac", status: 410))
    // The last packet of each part is not followed by another.
    let found = heard.packets
    #expect(found.filter(\.isDiscontinuous).count == 1)
    #expect(found.count >= 58)
    // A title precedes the first byte to which it applies.
    var count = 0
    for event in heard.events {
      if case .bytes(let bytes, _) = event { count += bytes.count }
      if case .title(let title) = event, title.title == "0" { #expect(count == 1_000) }
    }
  }

  @Test func `a stream of unknown length ends when the connection is closed`() async throws {
    let server = TestHTTPServer { _, connection in
      connection.head("200 OK", "Content-Type: audio/aac", "Transfer-Encoding: chunked")
      for start in stride(from: 0, to: 50_000, by: 10_000) {
        connection.send("2710\r\n")
        connection.send(Self.file[start..<start + 10_000])
        connection.send("\r\n")
      }
      connection.send("0\r\n\r\n")
    }
    let heard = try await Self.hear(server)
    #expect(heard.error == nil && heard.bytes == Array(Self.file[..<50_000]))
    #expect(heard.reply?.byteCount == nil)
  }

  @Test func `a server that stalls is tried again, and then reported`()
    async throws
  {
    let server = TestHTTPServer { request, connection in
      connection.sendFile(Self.file, request, limit: request.number == 0 ? 30_000 : 0)
      connection.waitForEnd()
    }
    var settings = Self.patient
    settings.stallTimeout = .milliseconds(50)
    settings.attemptLimit = 1
    let heard = try await Self.hear(server, settings: settings)
    let address = server.address + "/a.aac"
    #expect(heard.error == .stalled(address, after: .milliseconds(50)))
    #expect(heard.bytes.count <= 30_000 && heard.isSeamless)
    #expect(
      "\(HTTPError.stalled(address, after: .seconds(5)))".hasSuffix(
        "no data received for 5 s (try again later)"))
  }

  /// The actions of a server.
  private final class Deeds: Sendable {
    let sent = Atomic(0)
    let isBlocked = Atomic(false)
    let hasEnded = Atomic(false)
    let mayReply = Atomic(false)
  }

  @Test func `an endless stream waits for its reader, and ends when it is cancelled`() async throws
  {
    let deeds = Deeds()
    let server = TestHTTPServer { _, connection in
      // Ten billion bytes are stated, and sent while the client receives them.
      connection.head("200 OK", "Content-Type: audio/aac", "Content-Length: 10000000000")
      connection.sendEndlessly(
        Self.file, sent: { deeds.sent.add($0, ordering: .relaxed) },
        blocked: { deeds.isBlocked.store(true, ordering: .relaxed) })
      deeds.hasEnded.store(true, ordering: .relaxed)
    }
    let source = try Self.source(server)
    #expect(await wait { deeds.isBlocked.load(ordering: .relaxed) })
    // The capacity of both sockets, and the room.
    let sent = deeds.sent.load(ordering: .relaxed)
    #expect(sent < 16 << 20)
    var taken = 0
    while taken < sent + 1_000_000, case let event? = try await source.next() {
      guard case .bytes(let bytes, let offset) = event else { continue }
      #expect(offset == Int64(taken) && bytes.count <= 16 << 10)
      taken += bytes.count
    }
    #expect(taken > sent && !deeds.hasEnded.load(ordering: .relaxed))
    source.cancel()
    #expect(try await source.next() == nil)
    #expect(await wait { deeds.hasEnded.load(ordering: .relaxed) })
  }

  @Test func `a cancelled task cancels the transfer, with and without data`() async throws {
    let deeds = Deeds()
    let server = TestHTTPServer { request, connection in
      connection.sendFile(Self.file, request, limit: 1_000)
      connection.waitForEnd()
      deeds.hasEnded.store(true, ordering: .relaxed)
    }
    let source = try Self.source(server)
    let task = Task { await Self.hear(source) }
    #expect(await wait { source.reply != nil })
    task.cancel()
    let heard = await task.value
    #expect(heard.error == nil)
    #expect(await wait { deeds.hasEnded.load(ordering: .relaxed) })
  }

  @Test func `a released source ends its transfer`() async throws {
    let deeds = Deeds()
    let server = TestHTTPServer { request, connection in
      connection.sendFile(Self.file, request, limit: 1_000)
      connection.waitForEnd()
      deeds.hasEnded.store(true, ordering: .relaxed)
    }
    do {
      let source = try Self.source(server)
      #expect(try await source.next() != nil)
    }
    #expect(await wait { deeds.hasEnded.load(ordering: .relaxed) })
  }

  @Test func `a seek requests a range, in the middle and after the end`() async throws {
    let deeds = Deeds()
    let server = TestHTTPServer { request, connection in
      while !deeds.mayReply.load(ordering: .relaxed) { usleep(1_000) }
      connection.sendFile(Self.file, request)
    }
    var settings = Self.patient
    settings.roomByteCount = 16 << 10
    let source = try Self.source(server, settings: settings)
    #expect(throws: HTTPError.givesNoParts(source.address)) { try source.seek(to: 5) }
    deeds.mayReply.store(true, ordering: .relaxed)
    while case let event? = try await source.next() {
      if case .bytes = event { break }
    }
    var stream = SoundStream()
    stream.append(Self.file.prefix(100_000))
    let place = try #require(stream.seek(toPacket: 150))
    #expect(!place.isEstimated)
    for start in [Int(place.offset), 0, Self.file.count - 1_000, 60_000] {
      try source.seek(to: Int64(start))
      let heard = await Self.hear(source)
      #expect(heard.error == nil && heard.bytes == Array(Self.file[start...]))
      guard case .bytes(_, let offset)? = heard.events.first else {
        Issue.record("\(start): nothing arrives")
        continue
      }
      #expect(offset == Int64(start))
    }
    try source.seek(to: Int64(Self.file.count))
    #expect(await Self.hear(source).events == [])
    #expect(throws: HTTPError.givesNoParts(source.address)) {
      try source.seek(to: Int64(Self.file.count) + 1)
    }
  }
}

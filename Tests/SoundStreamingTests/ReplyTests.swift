// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundStreaming

/// The parts of an address and of a reply, and the meaning of a reply, without a connection.
@Suite struct ReplyTests {
  private static func head(_ lines: String...) -> ReplyHead {
    var head = ReplyHead()
    for line in lines { head.take(line: line + "\r\n") }
    return head
  }

  private static func part(_ start: Int, of total: Int, _ more: String...) -> ReplyHead {
    var result = head(
      "HTTP/1.1 206 Partial Content", "Content-Range: bytes \(start)-\(total - 1)/\(total)",
      "Content-Length: \(total - start)")
    for line in more { result.take(line: line) }
    return result
  }

  @Test func `user and password are kept separate, and are not shown`() throws {
    let address = try #require(HTTPAddress("HTTP://us%65r:p%40s:s@host:8000/a/b?key=1#part"))
    #expect(address.target == "http://host:8000/a/b?key=1")
    #expect(address.shown == "http://host:8000/a/b?…")
    #expect(address.user == "user" && address.password == "p@s:s")
    let odd = try #require(HTTPAddress("https://a:b@c@host"))
    #expect(odd.shown == "https://host" && odd.user == "a" && odd.password == "b@c")
    let plain = try #require(HTTPAddress("http://host/song@home.mp3"))
    #expect(plain.user == nil && plain.password == nil)
    #expect(plain.target == "http://host/song@home.mp3")
    #expect(HTTPAddress("http://[::1]:80/x")?.target == "http://[::1]:80/x")
  }

  @Test(arguments: [
    "", "song.mp3", "file:///etc/passwd", "ftp://u:secret@host/x", "http://", "http:///x",
    "http://u:secret@", "http://host/a b", "http://u:secret@host/\r\nX: 1", "http://:80/",
  ])
  func `an invalid address is refused, without its password`(text: String) {
    #expect(HTTPAddress(text) == nil)
    #expect(!"\(HTTPError.badAddress(HTTPAddress.shown(text)))".contains("secret"))
  }

  @Test func `fields are those of the last header, and invalid ones are ignored`() {
    let head = Self.head(
      "HTTP/1.1 302 Found", "Location: /b", "icy-name: old", "", "HTTP/1.1 206 Partial Content",
      "CONTENT-TYPE: Audio/MPEG; charset=x", "content-range:bytes 5-9/10", "icy-metaint: 8192")
    #expect(head.status == 206 && head.contentType == "audio/mpeg" && head["location"] == nil)
    #expect(head.part?.start == 5 && head.part?.total == 10 && head.titleInterval == 8_192)
    #expect(Self.head("ICY 200 OK", "icy-br:128").status == 200)
    #expect(Self.head("ICY 200 OK", "icy-br:128").isStation)
    for range in [
      "bytes 5-9/9", "bytes 9-5/10", "bytes */10", "bytes 5-9", "5-9/10", "bytes -5-9/10",
      "bytes 5-99999999999999999999/*",
    ] {
      #expect(Self.head("HTTP/1.1 206 X", "Content-Range: \(range)").part == nil, "\(range)")
    }
    #expect(Self.head("HTTP/1.1 206 X", "Content-Range: bytes 5-9/*").part?.start == 5)
    for count in ["9223372036854775807", "1125899906842625", "1e9", "0x10", "+-1"] {
      #expect(Self.head("HTTP/1.1 200 OK", "Content-Length: \(count)").bodyByteCount == nil)
      let part = Self.head("HTTP/1.1 206 X", "Content-Range: bytes 0-9/\(count)")
      #expect(HTTPReply(part, at: 0).byteCount == nil, "\(count)")
    }
    for interval in ["0", "-1", "x", "99999999999"] {
      #expect(Self.head("ICY 200 OK", "icy-metaint: \(interval)").titleInterval == nil)
    }
    #expect(Self.head("HTTP/1.1 200 OK", "Content-Length: -5").bodyByteCount == nil)
    #expect(Self.head("HTTP/1.1 200 OK", "ETag: W/\"1\"").version == nil)
  }

  @Test func `a file continues with its next byte, by a range or by skipping`() {
    var plan = ResumePlan(shown: "x")
    #expect(plan.fields == ["Range: bytes=0-"])
    #expect(
      plan.judge(Self.part(0, of: 100, "ETag: \"a\"")) == .take(skipping: 0, isContinuous: true))
    plan.advance(by: 60)
    #expect(plan.failureAtEnd == .endsEarly("x", received: 60, promised: 100))
    #expect(plan.fields == ["Range: bytes=60-", "If-Range: \"a\""])
    var other = plan
    #expect(
      plan.judge(Self.part(60, of: 100, "ETag: \"a\"")) == .take(skipping: 0, isContinuous: true))
    #expect(
      other.judge(Self.head("HTTP/1.1 200 OK", "Content-Length: 100", "ETag: \"a\""))
        == .take(skipping: 60, isContinuous: true))
    plan.advance(by: 40)
    #expect(plan.failureAtEnd == nil)
    #expect(plan.judge(Self.head("HTTP/1.1 416 X")) == .end)
  }

  @Test func `a changed file, and a wrong range, are refused`() {
    var plan = ResumePlan(shown: "x")
    _ = plan.judge(Self.part(0, of: 100, "ETag: \"a\""))
    plan.advance(by: 60)
    for head in [
      Self.part(60, of: 100, "ETag: \"b\""), Self.part(60, of: 101, "ETag: \"a\""),
      Self.head("HTTP/1.1 200 OK", "Content-Length: 100", "ETag: \"b\""),
      Self.head("HTTP/1.1 200 OK", "Content-Length: 99", "ETag: \"a\""),
    ] {
      var copy = plan
      #expect(copy.judge(head) == .fail(.changed("x")))
    }
    var back = plan
    back.move(to: 0)
    #expect(back.judge(Self.part(0, of: 100, "ETag: \"b\"")) == .fail(.changed("x")))
    #expect(plan.judge(Self.part(0, of: 100)) == .fail(.givesNoParts("x")))
    #expect(plan.judge(Self.head("HTTP/1.1 416 X")) == .fail(.refused("x", status: 416)))
  }

  @Test func `a broadcast continues after a gap, without a range request`() {
    var plan = ResumePlan(shown: "x")
    let head = Self.head("ICY 200 OK", "icy-name: Radio", "icy-br: 128,128")
    #expect(plan.judge(head) == .take(skipping: 0, isContinuous: true))
    #expect(plan.reply?.name == "Radio" && plan.reply?.nominalBitrate == 128_000)
    #expect(plan.reply?.byteCount == nil && plan.reply?.givesParts == false)
    plan.advance(by: 60)
    #expect(plan.fields == [])
    #expect(plan.failureAtEnd == .unreachable("x", reason: "the connection was closed"))
    #expect(plan.judge(head) == .take(skipping: 0, isContinuous: false))
    var file = ResumePlan(shown: "x")
    _ = file.judge(Self.head("HTTP/1.1 200 OK"))
    file.advance(by: 60)
    #expect(file.failureAtEnd == nil)
  }

  @Test func `error statuses are refused, and some are temporary`() {
    for (status, passes) in [(401, false), (404, false), (429, true), (503, true), (204, false)] {
      var plan = ResumePlan(shown: "x")
      let judgement = plan.judge(Self.head("HTTP/1.1 \(status) X"))
      #expect(judgement == .fail(.refused("x", status: status)))
      #expect(HTTPError.refused("x", status: status).isPassing == passes)
    }
  }

  @Test func `pages, lists and texts are detected by their type and first bytes`() {
    for type in ["text/html", "image/png", "audio/x-scpls", "application/json"] {
      #expect(ContentSniff.foreignKind(type: type) != nil, "\(type)")
    }
    for type in ["audio/mpeg", "application/octet-stream", "text/plain", "application/ogg", nil] {
      #expect(ContentSniff.foreignKind(type: type) == nil)
    }
    for text in [
      "<!DOCTYPE html><p>", " \r\n<HTML lang=en>", "\u{FEFF}<html>", "#EXTM3U\nhttp://x",
      "[playlist]\nFile1=", "<?xml version", "{\"error\": 1}",
    ] {
      #expect(ContentSniff.foreignKind(beginning: Array(text.utf8)) != nil, "\(text)")
    }
    for bytes in [Array("ID3".utf8), [0xFF, 0xFB, 0x90], Array("RIFF".utf8), Array("<".utf8), []] {
      #expect(ContentSniff.foreignKind(beginning: bytes) == nil)
    }
    #expect(ContentSniff.isOpen(beginning: Array(" <!d".utf8)))
    #expect(!ContentSniff.isOpen(beginning: [0xFF]))
    #expect(!ContentSniff.isOpen(beginning: [UInt8](repeating: 0x20, count: 64)))
  }

  @Test func `adjacent byte ranges are merged`() {
    var ranges = ByteRanges()
    ranges.insert(10..<20)
    ranges.insert(30..<40)
    #expect(ranges.ranges == [10..<20, 30..<40] && !ranges.contains(10..<40))
    ranges.insert(0..<5)
    ranges.insert(20..<30)
    #expect(ranges.ranges == [0..<5, 10..<40] && ranges.contains(12..<40))
    ranges.insert(3..<50)
    ranges.insert(7..<7)
    #expect(ranges.ranges == [0..<50] && ranges.contains(0..<50) && !ranges.contains(0..<51))
  }

  @Test func `pauses between attempts increase up to their limit`() {
    let settings = HTTPSettings()
    let pauses = (0..<100).map { settings.pause(beforeAttempt: $0) }
    #expect(
      pauses.prefix(6) == [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15),
      ])
    #expect(pauses.dropFirst(5).allSatisfy { $0 == .seconds(15) })
  }
}

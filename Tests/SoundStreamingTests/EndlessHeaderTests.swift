// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import SoundStreaming

/// Endless headers, tags and boxes, from a server that sends at full speed.
@Suite(.enabled(if: CurlPresence.isInstalled, "no libcurl (make setup-test)"))
struct EndlessHeaderTests {
  /// A stream without sound.
  struct Stream: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let start: [UInt8]
    /// The bytes after the start, in blocks numbered from 0.
    let next: @Sendable (Int) -> [UInt8]

    init(_ name: String, _ start: [UInt8], _ next: @escaping @Sendable (Int) -> [UInt8]) {
      (testDescription, self.start, self.next) = (name, start, next)
    }

    init(_ name: String, _ start: [UInt8], again: [UInt8]) {
      let block = Array(repeatElement(again, count: max(1, 65_536 / again.count)).joined())
      self.init(name, start) { _ in block }
    }
  }

  private static let zeros = [UInt8](repeating: 0, count: 4096)
  private static let type = Array("....ftypM4A ....M4A mp42".utf8)
  private static let fileType: [UInt8] = [0, 0, 0, 24] + type[4..<12] + [0, 0, 0, 0] + type[16...]
  /// The first block of metadata of a FLAC stream: 44,100 Hz, 2 channels, 16 bits.
  private static let flac: [UInt8] =
    Array("fLaC".utf8) + [0, 0, 0, 34, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0]
    + [UInt8](repeating: 0, count: 20)

  private static func chunk(_ name: String, _ size: [UInt8], _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + size + content
  }

  private static func page(_ number: Int) -> [UInt8] {
    let segments = [UInt8](repeating: 255, count: 255)
    let head = number == 0 ? Array("OpusTags".utf8) : []
    let body = head + [UInt8](repeating: 0, count: 255 * 255 - head.count)
    return OggPages.Page(
      flags: number == 0 ? 0 : 1, granule: -1, number: UInt32(number + 1), lacing: segments,
      body: body
    ).bytes
  }

  static let streams: [Stream] = [
    Stream("one ID3 tag", Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], again: zeros),
    Stream("many ID3 tags", [], again: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]),
    Stream("FLAC padding", flac, again: [1, 0, 16, 0] + zeros),
    Stream("a FLAC picture", flac, again: [6, 0, 16, 0] + zeros),
    Stream(
      "a comment in Ogg", OggPages.Page(flags: 2, granule: 0, number: 0, packets: [head]).bytes,
      page),
    Stream(
      "Ogg headers", [],
      again: OggPages.Page(flags: 2, granule: 0, number: 0, packets: [head]).bytes),
    Stream("an MP4 index", fileType + [0x7F, 0, 0, 0] + Array("moov".utf8), again: zeros),
    Stream("MP4 boxes", fileType, again: [0, 0, 16, 8] + Array("free".utf8) + zeros),
    Stream(
      "WAV chunks", chunk("RIFF", [255, 255, 255, 255], Array("WAVE".utf8)),
      again: chunk("junk", [0, 16, 0, 0], zeros)),
    Stream(
      "AIFF chunks", chunk("FORM", [127, 255, 255, 255], Array("AIFF".utf8)),
      again: chunk("ANNO", [0, 0, 16, 0], zeros)),
    Stream(
      "CAF chunks", Array("caff".utf8) + [0, 1, 0, 0],
      again: chunk("free", [0, 0, 0, 0, 0, 0, 16, 0], zeros)),
    Stream(
      "transport packets", [],
      again: [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 255, count: 184)),
    Stream("AAC headers", [], again: [0xFF, 0xF1, 0x50, 0x80, 0, 0xFF, 0xFC]),
    Stream("APE tags", [], again: Array("APETAGEX".utf8) + [UInt8](repeating: 0, count: 24)),
  ]

  private static let head = OggPages.opusHead(preSkip: 312)

  /// A station, and a file that states 10 billion bytes.
  @Test(arguments: streams, [true, false])
  func `endless headers are refused`(stream: Stream, isLive: Bool) async throws {
    let sent = Atomic(0)
    let server = TestHTTPServer { _, connection in
      connection.head(
        "200 OK", "Content-Type: application/octet-stream",
        isLive ? "icy-name: x" : "Content-Length: 10000000000")
      guard connection.send(stream.start) else { return }
      var number = 0
      while case let bytes = stream.next(number), connection.send(bytes) {
        sent.add(bytes.count, ordering: .relaxed)
        number += 1
      }
    }
    var settings = StreamRig.patient
    (settings.soundlessLimit, settings.fetchLimit) = (1 << 20, 2 << 20)
    let rig = try StreamRig([.address("\(server.address)/x")], settings: settings)
    try await rig.playToEnd()
    let failures = rig.words.filter { $0.hasPrefix("failed 0") }
    let reasons = ["no sound in", "unknown sound format", "endless", "exceed the limit"]
    #expect(failures.count == 1, "\(rig.words)")
    #expect(reasons.contains { failures.first?.contains($0) ?? false }, "\(rig.words)")
    #expect(!rig.words.contains { $0.hasPrefix("playing") })
    // The sockets hold several megabytes.
    #expect(sent.load(ordering: .relaxed) < 24 << 20)
  }
}

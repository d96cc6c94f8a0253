// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import TestSupport
import Testing

/// The estimated length of a stream, and the accuracy of a seek, for a minute of MP3 with changing
/// bitrates.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct SoundStreamLengthTests {
  /// A sound and a quality of LAME, with 0 as the best.
  struct Case: CustomTestStringConvertible {
    let name: String
    let sound: String
    let quality: Int
    var testDescription: String { "\(name) at -V\(quality)" }
  }

  static let cases: [Case] = [
    ("chord", "0.2*(sin(2*PI*220*t)+sin(2*PI*277*t)+sin(2*PI*1760*t))*(0.8+0.2*sin(9*t))"),
    ("voice", "0.5*sin(2*PI*180*t)*sin(2*PI*2.1*t)^2+0.1*random(0)*max(0,sin(2*PI*4.2*t))"),
    ("notes", "0.4*exp(-6*mod(t,0.25))*sin(2*PI*(220+55*floor(mod(t*4,8)))*t)+0.01*random(0)"),
    ("noise", "0.2*random(0)"),
  ].flatMap { name, sound in
    [0, 4, 6].map { Case(name: name, sound: sound, quality: $0) }
  }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func encode(_ one: Case, header: Bool) throws -> [UInt8] {
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "aevalsrc='\(one.sound)':s=44100:d=60", "-c:a", "libmp3lame",
      "-q:a", "\(one.quality)", "-write_xing", header ? "1" : "0", "-id3v2_version", "0",
      "-fflags", "+bitexact", folder.path("a.mp3"),
    ])
    return try folder.bytes("a.mp3")
  }

  /// The positions of the packets in FFmpeg.
  private func truth() throws -> [Int64] {
    try FFmpegWitness.packets(folder.path("a.mp3")).map(\.offset)
  }

  /// The number of packets between a position and the requested one.
  private func distance(_ place: SoundStream.Place, _ packet: Int, _ truth: [Int64]) -> Int {
    abs((truth.lastIndex { $0 <= place.offset } ?? 0) - packet)
  }

  /// The number of packets in a second, rounded down.
  private static let second = 44_100 / 1152

  @Test(arguments: cases)
  func `without a header the length has an error of at most a tenth after 30 packets`(
    one: Case
  ) throws {
    let bytes = try encode(one, header: false)
    let truth = try truth()
    var stream = SoundStream(byteCount: Int64(bytes.count))
    // A packet is recognised by the header of the next one.
    stream.append(bytes[..<(Int(truth[30]) + 4)])
    #expect(stream.takePackets().count == 30)
    let early = try #require(stream.frameCount)
    #expect(early.isEstimated)
    let error = Double(early.value) / Double(truth.count * 1152) - 1
    #expect(abs(error) < 0.1, "\(error)")
    for packet in [10, 400, 1100] {
      let place = try #require(stream.seek(toPacket: packet))
      #expect(place.isEstimated == (packet > 30))
      #expect(distance(place, packet, truth) <= (packet > 30 ? Self.second : 0))
    }
    stream.append(bytes[(Int(truth[30]) + 4)...])
    stream.finish()
    #expect(stream.packetCount?.value == truth.count)
    let end = try #require(stream.frameCount)
    #expect(end.value == Int64(truth.count * 1152) && !end.isEstimated)
    let place = try #require(stream.seek(toPacket: 1100))
    #expect(place.offset == truth[1100] && !place.isEstimated)
  }

  @Test(arguments: cases.filter { $0.quality == 4 })
  func `with an encoder's table of contents a seek is within a second, and estimated`(
    one: Case
  ) throws {
    let bytes = try encode(one, header: true)
    let truth = try truth()
    var stream = SoundStream(byteCount: Int64(bytes.count))
    stream.append(bytes[..<8000])
    #expect(stream.frameCount?.value == 2_646_000)
    #expect(stream.frameCount?.isEstimated == false)
    for packet in [200, 1100, 2200] {
      let place = try #require(stream.seek(toPacket: packet))
      #expect(place.isEstimated)
      #expect(distance(place, packet, truth) <= Self.second)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Glibc
import MusicalTime
import TestSupport
import Testing

/// Files of FFmpeg that arrive in pieces, compared with a reader of whole files.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct StreamedFileTests {
  /// A suffix and arguments for an encoder.
  static let exact: [(String, [String])] = [
    ("flac", ["-c:a", "flac"]), ("flac", ["-c:a", "flac", "-sample_fmt", "s32"]),
    ("flac", ["-c:a", "flac", "-ac", "1", "-ar", "96000"]),
    ("flac", ["-c:a", "flac", "-frame_size", "16"]),
    ("flac", ["-c:a", "flac", "-ac", "6", "-compression_level", "0"]),
    ("ogg", ["-c:a", "flac"]), ("ogg", ["-c:a", "flac", "-ar", "8000"]),
    ("wav", ["-c:a", "pcm_s16le"]), ("wav", ["-c:a", "pcm_u8"]), ("wav", ["-c:a", "pcm_s24le"]),
    ("wav", ["-c:a", "pcm_s32le"]), ("wav", ["-c:a", "pcm_f32le"]), ("wav", ["-c:a", "pcm_f64le"]),
    ("wav", ["-c:a", "pcm_alaw"]), ("wav", ["-c:a", "pcm_mulaw"]),
    ("wav", ["-c:a", "pcm_s24le", "-ac", "6"]), ("wav", ["-rf64", "always"]),
    ("aiff", ["-c:a", "pcm_s16be"]), ("aiff", ["-c:a", "pcm_s8"]), ("aiff", ["-c:a", "pcm_s24be"]),
    ("aiff", ["-c:a", "pcm_s32be"]), ("aiff", ["-c:a", "pcm_f32be"]),
    ("aiff", ["-c:a", "pcm_f64be"]), ("aiff", ["-c:a", "pcm_alaw"]),
    ("aiff", ["-c:a", "pcm_mulaw"]), ("aiff", ["-c:a", "pcm_s16le"]),
    ("au", ["-c:a", "pcm_s16be"]), ("au", ["-c:a", "pcm_s8"]), ("au", ["-c:a", "pcm_s24be"]),
    ("au", ["-c:a", "pcm_f32be"]), ("au", ["-c:a", "pcm_f64be"]), ("au", ["-c:a", "pcm_alaw"]),
    ("au", ["-c:a", "pcm_mulaw"]), ("caf", ["-c:a", "pcm_s16le"]), ("caf", ["-c:a", "pcm_s16be"]),
    ("caf", ["-c:a", "pcm_s24le"]), ("caf", ["-c:a", "pcm_s32be"]), ("caf", ["-c:a", "pcm_f32le"]),
    ("caf", ["-c:a", "pcm_f64be"]), ("caf", ["-c:a", "pcm_alaw"]), ("caf", ["-c:a", "pcm_mulaw"]),
    ("w64", ["-c:a", "pcm_s16le"]), ("w64", ["-c:a", "pcm_f32le"]),
  ]

  /// Codecs whose decoders differ in the last bits, and the allowed difference.
  static let rounded: [(String, [String], Float)] = [
    ("ogg", ["-c:a", "libvorbis"], 1e-5), ("ogg", ["-c:a", "libvorbis", "-q:a", "9"], 1e-5),
    ("ogg", ["-c:a", "libvorbis", "-ac", "1", "-ar", "22050"], 1e-5),
    ("opus", ["-c:a", "libopus", "-b:a", "128k"], 1e-3),
    ("opus", ["-c:a", "libopus", "-b:a", "64k", "-frame_duration", "60"], 1e-3),
    ("opus", ["-c:a", "libopus", "-b:a", "96k", "-frame_duration", "2.5"], 1e-3),
    ("opus", ["-c:a", "libopus", "-b:a", "16k", "-ac", "1", "-application", "voip"], 1e-3),
  ]

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Two sweeps, and their path; 50,000 frames at 44.1 kHz, or 110,000.
  private func encode(
    _ suffix: String, _ arguments: [String], isLong: Bool = false
  ) throws -> String {
    let path = folder.path("a.\(suffix)")
    let source =
      "aevalsrc='0.4*sin(2*PI*(300+200*t)*t)+0.02*random(0)|0.5*sin(2*PI*(500-100*t)*t)*sin(3*t)'"
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "\(source):s=44100:d=\(isLong ? 2.494331 : 1.133787)"] + arguments
        + ["-fflags", "+bitexact", path])
    return path
  }

  private func pages(_ name: String) throws -> [OggPages.Page] {
    let bytes = try folder.bytes(name)
    return try #require(OggPages.pages(bytes))
  }

  @Test(arguments: exact)
  func `samples are those of the file, bit for bit`(suffix: String, arguments: [String]) throws {
    let path = try encode(suffix, arguments)
    let bytes = try folder.bytes("a.\(suffix)")
    let expected = try StreamRun.read(path)
    #expect(expected.count > 10_000 && expected.peak > 0.1)
    for pieces in [100, bytes.count] {
      let run = try StreamRun.all(bytes, pieces: pieces, byteCount: bytes.count)
      #expect(run.samples.count == expected.count)
      #expect(run.samples.elementsEqual(expected))
      #expect(run.stream.strayByteCount == 0 && run.failureCount == 0)
      let channels = try run.channelCount()
      #expect(run.stream.frameCount?.value == Int64(expected.count / channels))
      #expect(run.stream.frameCount?.isEstimated == false)
    }
  }

  @Test(arguments: [
    ("wav", "pcm_u8", 8), ("aiff", "pcm_s16be", 16), ("caf", "pcm_s24le", 24),
    ("au", "pcm_s32be", 32), ("wav", "pcm_mulaw", 16), ("flac", "flac", 24), ("m4a", "alac", 24),
    ("wav", "pcm_f32le", nil), ("ogg", "libvorbis", nil),
  ])
  func `integers of a lossless stream are exact`(
    suffix: String, codec: String, bits: Int?
  ) throws {
    let format = codec == "flac" ? ["-sample_fmt", "s32"] : []
    let index = suffix == "m4a" ? ["-movflags", "+faststart"] : []
    let path = try encode(suffix, ["-c:a", codec] + format + index)
    var stream = SoundStream()
    stream.append(try folder.bytes("a.\(suffix)"))
    stream.finish()
    let properties = try #require(stream.properties)
    #expect(properties.integerBits == bits)
    guard bits != nil else { return }
    let decoder = try StreamDecoder(properties)
    var samples = try stream.takePackets()
      .flatMap { try decoder.decode($0, as: Int32.self) }.flatMap(\.samples)
    samples += decoder.finish(as: Int32.self).flatMap(\.samples)
    let expected = try SoundFileReader(path: path).read(Int32.self, frameCount: 100_000)
    #expect(samples.count > 50_000 && samples.elementsEqual(expected))
  }

  @Test(arguments: ["wav", "aiff", "au", "caf", "w64", "flac", "ogg"])
  func `a pipe decodes to the samples of the file`(suffix: String) throws {
    let codecs = ["flac": "flac", "ogg": "flac", "wav": "pcm_s16le", "w64": "pcm_s16le"]
    let codec = codecs[suffix] ?? "pcm_s16be"
    let path = try encode(suffix, ["-c:a", codec])
    let bytes = try FFmpegWitness.output([
      "-i", path, "-c:a", codec, "-f", suffix, "-fflags", "+bitexact", "pipe:1",
    ])
    let run = try StreamRun.all(bytes, pieces: 3000)
    let expected = try StreamRun.read(path)
    #expect(run.samples.elementsEqual(expected))
    #expect(run.stream.strayByteCount == 0)
  }

  @Test(arguments: rounded)
  func `frames are those of the file, and samples equal except for rounding`(
    suffix: String, arguments: [String], rounding: Float
  ) throws {
    let path = try encode(suffix, arguments)
    let bytes = try folder.bytes("a.\(suffix)")
    let expected = try StreamRun.read(path)
    #expect(expected.count > 20_000 && expected.peak > 0.1)
    var all: [[Float]] = []
    for pieces in [100, bytes.count] {
      let run = try StreamRun.all(bytes, pieces: pieces, byteCount: bytes.count)
      all.append(run.samples)
      #expect(run.samples.count == expected.count)
      #expect(run.stream.strayByteCount == 0 && run.failureCount == 0)
      let channels = try run.channelCount()
      #expect(run.stream.frameCount?.value == Int64(expected.count / channels))
    }
    #expect(all.allSatisfy { $0 == all[0] })
    let largest = StreamRun.difference(expected, all[0])
    #expect(largest <= rounding, "\(largest)")
  }

  @Test(arguments: ["libvorbis", "libopus", "flac"])
  func `a station that is lost and joined again gives all received sound`(codec: String) throws {
    _ = try encode("ogg", ["-c:a", codec, "-page_duration", "100000"], isLong: true)
    let pages = try pages("a.ogg")
    let start = try #require(pages.firstIndex { $0.granule > 0 })
    let headers = pages[..<start].flatMap(\.bytes)
    let sound = pages[start...].map(\.bytes)
    let whole = try StreamRun.all(pages.flatMap(\.bytes))
    var run = StreamRun()
    try run.append(headers + sound[3..<9].flatMap { $0 })
    run.stream.noteDiscontinuity()
    try run.append(headers + sound[14...].flatMap { $0 })
    try run.finish()
    // The positions of the pages give the length of the sound.
    let (first, second) = (pages[start + 2].granule, pages[start + 8].granule)
    let rest = (pages.last?.granule ?? 0) - pages[start + 13].granule
    let channels = try run.channelCount()
    let frames = Int64(run.samples.count / channels)
    // Vorbis has its first frames after its second packet, and Opus after the pre-skip.
    let lost = second - first + rest - frames
    let most: Int64 = codec == "flac" ? 0 : 2 * 4096
    #expect((0...most).contains(lost), "\(lost) frames")
    #expect(run.failureCount == 0)
    // The end is that of the whole.
    let tail = Array(run.samples.suffix(20_000))
    let largest = StreamRun.difference(tail, Array(whole.samples.suffix(20_000)))
    #expect(largest < 1e-4, "\(largest)")
  }

  @Test(arguments: ["libvorbis", "libopus"])
  func `missing pages lose only their sound`(codec: String) throws {
    _ = try encode("ogg", ["-c:a", codec, "-page_duration", "100000"], isLong: true)
    var pages = try pages("a.ogg")
    let whole = try StreamRun.all(pages.flatMap(\.bytes))
    pages.remove(at: 10)
    let run = try StreamRun.all(pages.flatMap(\.bytes))
    let channels = try run.channelCount()
    let gap = try #require(run.packets.firstIndex { $0.isDiscontinuous })
    #expect(run.packets.filter(\.isDiscontinuous).count == 1)
    // The packets after the gap have the indices that they have in the whole.
    let last = try #require(run.packets.last), end = try #require(whole.packets.last)
    #expect(last.firstFrame == end.firstFrame && !last.isEstimated)
    #expect(run.packets[..<gap].map(\.firstFrame) == whole.packets[..<gap].map(\.firstFrame))
    #expect(run.samples.count < whole.samples.count)
    let tail = Array(run.samples.suffix(20_000 * channels))
    let expected = Array(whole.samples.suffix(20_000 * channels))
    #expect(StreamRun.difference(tail, expected) < 1e-4)
  }

  @Test(arguments: [-6.0, 3.5])
  func `the gain in the header of Opus is applied`(decibels: Double) throws {
    _ = try encode("opus", ["-c:a", "libopus"])
    var pages = try pages("a.opus")
    let plain = try StreamRun.all(pages.flatMap(\.bytes))
    let gain = UInt16(bitPattern: Int16(decibels * 256))
    pages[0].body.replaceSubrange(16..<18, with: [UInt8(gain & 255), UInt8(gain >> 8)])
    let run = try StreamRun.all(pages.flatMap(\.bytes))
    try #require(run.samples.count == plain.samples.count)
    let ratio = Double(run.samples.peak / plain.samples.peak)
    #expect(abs(20 * log10(ratio) - decibels) < 0.01)
  }

  @Test func `chained streams of other formats follow one another`() throws {
    var bytes: [UInt8] = [], frames = 0
    for arguments in [
      ["-c:a", "libvorbis", "-metadata", "title=One"], ["-c:a", "libopus", "-ac", "1"],
      ["-c:a", "flac", "-ar", "22050", "-metadata", "title=Three"],
    ] {
      let path = try encode("ogg", arguments)
      bytes += try folder.bytes("a.ogg")
      frames += try SoundFileReader(path: path).frameCount
    }
    let run = try StreamRun.all(bytes, pieces: 700)
    #expect(run.rates == [44_100, 48_000, 22_050])
    #expect(run.stream.frameCount?.value == Int64(frames) && run.failureCount == 0)
    #expect(run.packets.compactMap(\.newProperties).map(\.layers[0].codec) == [.opus, .flac])
    #expect(run.packets.compactMap { $0.newTags?[.title] } == ["One", "Three"])
  }

  @Test(arguments: ["flac", "ogg"])
  func `after a move the sound is that of the whole file at the same frame`(suffix: String) throws {
    let codec = suffix == "ogg" ? "libvorbis" : "flac"
    let path = try encode(suffix, ["-c:a", codec], isLong: true)
    let bytes = try folder.bytes("a.\(suffix)")
    let whole = try StreamRun.read(path)
    for frame in [0, 5000, 50_000, 90_000] {
      var run = StreamRun(byteCount: bytes.count, decodes: false)
      try run.append(bytes[..<20_000])
      let place = try #require(run.stream.seek(toFrame: Int64(frame)))
      _ = run.stream.takePackets()
      var moved = StreamRun(run, client: ClientFormat())
      try moved.append(bytes[Int(place.offset)...], at: place.offset)
      try moved.finish()
      let first = try #require(moved.packets.first { $0.frameCount > 0 })
      // A page of Ogg lasts a second; a position in FLAC is estimated from the mean size of frames.
      let distance = Int64(frame) - first.firstFrame
      let range: Range<Int64> = suffix == "ogg" ? -1100..<60_000 : -30_000..<30_000
      #expect(!first.isEstimated && range.contains(distance), "\(distance) from \(frame)")
      let start = Int(first.firstFrame) * 2
      let rest = Array(whole[start...])
      let largest = StreamRun.difference(rest, moved.samples)
      #expect(moved.samples.count == whole.count - start)
      #expect(largest <= (suffix == "flac" ? 0 : 1e-4), "\(largest) at \(frame)")
    }
  }
}

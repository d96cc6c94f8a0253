// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// Every supported format in mono, stereo and 5.1, from 8 to 96 kHz, as FFmpeg writes and decodes
/// it: a part of the matrix, and all of it in `make test-long`.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct SoundMatrixTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The required accuracy relative to FFmpeg's samples.
  enum Nearness {
    /// Bit for bit, and equal to the source.
    case lossless
    /// The same decoder, to a 16-bit step.
    case sameDecoder
    /// Another decoder, with a difference as a fraction of full scale.
    case other(Double)
  }

  struct Kind: Sendable {
    let suffix: String
    let arguments: [String]
    let codec: String
    let nearness: Nearness
    var channels = [1, 2, 6]
    var rates = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000]
    /// True if the file states which frames are not sound.
    var isGapless = true

    /// All combinations, or one of them that depends on the index of the format.
    func combinations(_ number: Int) -> [(channelCount: Int, hertz: Int)] {
      let all = channels.flatMap { count in rates.map { (channelCount: count, hertz: $0) } }
      return LongTests.areWanted ? all : [all[number * 11 % all.count]]
    }
  }

  struct NumberedKind: CustomTestStringConvertible, Sendable {
    let number: Int
    let kind: Kind

    var testDescription: String { "\(kind.suffix) \(kind.codec)" }
  }

  private static let low = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000]

  static let kinds: [Kind] = [
    Kind(suffix: "wav", arguments: ["-c:a", "pcm_s16le"], codec: "pcm_s16le", nearness: .lossless),
    Kind(suffix: "wav", arguments: ["-c:a", "pcm_s24le"], codec: "pcm_s24le", nearness: .lossless),
    Kind(
      suffix: "aiff", arguments: ["-c:a", "pcm_s16be"], codec: "pcm_s16be", nearness: .lossless),
    Kind(suffix: "caf", arguments: ["-c:a", "pcm_s16be"], codec: "pcm_s16be", nearness: .lossless),
    Kind(suffix: "au", arguments: ["-c:a", "pcm_s16be"], codec: "pcm_s16be", nearness: .lossless),
    // FFmpeg reads the padding of the chunk to eight bytes as sound, and plays it.
    Kind(
      suffix: "w64", arguments: ["-c:a", "pcm_s16le"], codec: "pcm_s16le", nearness: .lossless,
      isGapless: false),
    Kind(suffix: "flac", arguments: ["-c:a", "flac"], codec: "flac", nearness: .lossless),
    Kind(suffix: "m4a", arguments: ["-c:a", "alac"], codec: "alac", nearness: .lossless),
    Kind(suffix: "wv", arguments: ["-c:a", "wavpack"], codec: "wavpack", nearness: .lossless),
    Kind(suffix: "tta", arguments: ["-c:a", "tta"], codec: "tta", nearness: .lossless),
    Kind(suffix: "mka", arguments: ["-c:a", "flac"], codec: "flac", nearness: .lossless),
    Kind(suffix: "mov", arguments: ["-c:a", "pcm_s16le"], codec: "pcm_s16le", nearness: .lossless),
    Kind(suffix: "m4a", arguments: aac, codec: "aac", nearness: .sameDecoder),
    Kind(suffix: "mp4", arguments: aac, codec: "aac", nearness: .sameDecoder),
    Kind(suffix: "aac", arguments: aac, codec: "aac", nearness: .sameDecoder, isGapless: false),
    Kind(suffix: "ts", arguments: aac, codec: "aac", nearness: .sameDecoder, isGapless: false),
    // Matroska states the priming but not the remainder of the last packet.
    Kind(suffix: "mka", arguments: aac, codec: "aac", nearness: .sameDecoder, isGapless: false),
    Kind(
      suffix: "ac3", arguments: ["-c:a", "ac3"], codec: "ac3", nearness: .sameDecoder,
      rates: [32_000, 44_100, 48_000], isGapless: false),
    Kind(
      suffix: "eac3", arguments: ["-c:a", "eac3"], codec: "eac3", nearness: .sameDecoder,
      rates: [32_000, 44_100, 48_000], isGapless: false),
    Kind(
      suffix: "wma", arguments: ["-c:a", "wmav2"], codec: "wmav2", nearness: .sameDecoder,
      channels: [1, 2], rates: low, isGapless: false),
    Kind(
      suffix: "mp3", arguments: ["-c:a", "libmp3lame", "-b:a", "64k"], codec: "mp3",
      nearness: .other(1e-4), channels: [1, 2], rates: low),
    Kind(
      suffix: "ogg", arguments: ["-c:a", "libvorbis"], codec: "vorbis", nearness: .other(1e-3),
      channels: [1, 2], rates: low),
    Kind(
      suffix: "mka", arguments: ["-c:a", "libopus"], codec: "opus", nearness: .sameDecoder,
      rates: [48_000]),
  ]

  private static let aac = ["-c:a", "aac", "-aac_pns", "0"]

  @Test(
    arguments: Array(kinds.enumerated()).map { NumberedKind(number: $0.offset, kind: $0.element) })
  func `length, layout, codec and samples are FFmpeg's`(numbered: NumberedKind) throws {
    let kind = numbered.kind
    for (channelCount, hertz) in kind.combinations(numbered.number) {
      let source = try wave(channelCount, hertz)
      let path = folder.path("a.\(kind.suffix)")
      try FFmpegWitness.run(["-i", source] + kind.arguments + [path])
      let what = Comment("\(channelCount) channels at \(hertz) Hz")
      let reader = try SoundFileReader(path: path)
      #expect(Int(reader.rate.hertz) == hertz, what)
      #expect(reader.channelCount == channelCount, what)
      let layout = try Self.probed("channel_layout", path)
      if !layout.isEmpty, layout != "unknown" {
        #expect(reader.layout.name == layout.split(separator: "(").first.map(String.init), what)
      }
      #expect(try Self.probed("codec_name", path) == kind.codec, what)
      let theirs = try FFmpegWitness.samples(path)
      let ours = reader.read(frameCount: 1 << 20)
      let frameCount = ours.count / channelCount
      #expect(reader.frameCount == frameCount || reader.isFrameCountEstimated, what)
      // FFmpeg plays a part of the last packet's remainder, even if the file marks it.
      let isSame = kind.isGapless ? theirs.count >= ours.count : theirs.count == ours.count
      #expect(isSame, "\(ours.count) \(theirs.count) \(what)")
      if kind.isGapless { #expect(frameCount == Self.frameCount, what) }
      #expect(try isNear(ours, theirs, source, kind.nearness), what)
      if let layer = reader.formats.first, kind.codec == "aac" {
        #expect(layer.codec == .aac || layer.codec.rawValue == "aac", "\(layer) \(what)")
        #expect(layer.hertz == hertz && layer.channelCount == channelCount, "\(layer) \(what)")
      }
    }
  }

  /// ffprobe's description of the stream; for a stream in a program it prints everything twice.
  private static func probed(_ entry: String, _ path: String) throws -> String {
    try FFmpegWitness.text("stream=\(entry)", of: path).split(separator: "\n").first
      .map(String.init) ?? ""
  }

  private func isNear(
    _ ours: [Float], _ theirs: [Float], _ source: String, _ nearness: Nearness
  ) throws -> Bool {
    let difference = zip(ours, theirs).map { Double(abs($0 - $1)) }.max() ?? 1
    switch nearness {
    case .lossless:
      let own = try SoundFileReader(path: source).read(frameCount: 1 << 20)
      return difference == 0 && ours.starts(with: own)
    case .sameDecoder: return difference <= 1 / 32_768.0
    case .other(let bound): return difference <= bound
    }
  }

  private static let frameCount = 12_345

  /// Tones and noise with a different pitch in each channel, in 16 bits.
  private func wave(_ channelCount: Int, _ hertz: Int) throws -> String {
    var random = SplitMix(seed: UInt64(hertz + channelCount))
    let samples = (0..<Self.frameCount * channelCount).map { index in
      let (frame, channel) = (index / channelCount, index % channelCount)
      // Low enough for the low-frequency channel.
      let period = Double(hertz) / Double(60 + 10 * channel)
      let tone =
        0.3 * (2 * abs(2 * (Double(frame) / period).truncatingRemainder(dividingBy: 1) - 1) - 1)
      return Float(tone + 0.02 * Double.random(in: -1...1, using: &random))
    }
    var options = SoundFileWriter.Options()
    options.layout = .usual(channelCount: channelCount)
    let path = folder.path("source.wav")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav, .integer16), channelCount: channelCount,
      rate: #require(SampleRate(hertz: hertz)), options: options)
    try writer.write(samples.span)
    try writer.finish()
    return path
  }
}

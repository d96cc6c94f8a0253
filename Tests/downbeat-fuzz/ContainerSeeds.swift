// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Makes Ogg, FLAC and PCM with a few numbers that are wrong.
struct ContainerSeeds {
  private let family: ContainerTarget.Family
  /// Files of FFmpeg, if it is installed.
  private let files: [[UInt8]]

  /// Arguments for an encoder, by the family.
  private static let encoders: [ContainerTarget.Family: [(String, [String])]] = [
    .ogg: [
      ("ogg", ["-c:a", "libvorbis"]), ("ogg", ["-c:a", "libopus", "-b:a", "32k"]),
      ("ogg", ["-c:a", "flac", "-ar", "8000"]),
      ("ogg", ["-c:a", "libvorbis", "-page_duration", "20000"]),
    ],
    .flac: [("flac", ["-c:a", "flac", "-ar", "8000"]), ("flac", ["-c:a", "flac", "-ac", "2"])],
    .pcm: [("wav", ["-c:a", "pcm_s24le"]), ("caf", ["-c:a", "pcm_f32be"]), ("aiff", [])],
  ]

  init(in folder: URL, _ family: ContainerTarget.Family) throws {
    self.family = family
    guard FileManager.default.fileExists(atPath: "/usr/bin/ffmpeg") else {
      files = []
      return
    }
    let tone = ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=0.3"]
    files = try (Self.encoders[family] ?? []).compactMap { suffix, arguments in
      let url = folder.appendingPathComponent("container.\(suffix)")
      let run = try ToolRun(tone + arguments + [url.path], command: "/usr/bin/ffmpeg")
      guard run.status == 0 else { return nil }
      return [UInt8](try Data(contentsOf: url))
    }
  }

  /// Some bytes.
  func make(_ random: inout SplitMix) -> [UInt8] {
    switch family {
    case .ogg: ogg(&random)
    case .flac: flac(&random)
    case .pcm: pcm(&random)
    }
  }

  /// Numbers at which sums and products overflow, and small ones.
  private static let limits: [UInt64] = [
    0, 1, 2, 311, 1 << 16 - 1, 1 << 24 - 1, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32,
    1 << 36 - 1, 1 << 56, 1 << 62, 1 << 63 - 1, 1 << 63, .max,
  ]

  private func number(_ random: inout SplitMix) -> UInt64 {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: Self.limits.randomElement(using: &random) ?? 0
    case 1: UInt64.random(in: 0...5000, using: &random)
    default:
      UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
    }
  }

  private func chance(_ count: Int, _ random: inout SplitMix) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }
}

extension ContainerSeeds {
  /// Pages of a file of FFmpeg or made by hand, some of them changed, with right checksums.
  private func ogg(_ random: inout SplitMix) -> [UInt8] {
    var pages: [OggPages.Page] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      if let file = files.randomElement(using: &random), !chance(4, &random) {
        pages += OggPages.pages(file) ?? []
      } else {
        pages += opus(&random)
      }
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      guard let index = pages.indices.randomElement(using: &random) else { break }
      change(&pages, index, &random)
    }
    return pages.flatMap(\.bytes)
  }

  private func opus(_ random: inout SplitMix) -> [OggPages.Page] {
    let serial = UInt32.random(in: 1...2, using: &random)
    let head = OggPages.opusHead(
      channels: UInt8.random(in: 0...3, using: &random),
      preSkip: Int.random(in: 0...65_535, using: &random))
    var tags = OggPages.comments((0..<3).map { "TITLE=\($0)" })
    if chance(3, &random) { Mutation.lie(&tags, near: 60, &random) }
    var pages = [
      OggPages.Page(flags: 2, granule: 0, serial: serial, number: 0, packets: [head]),
      OggPages.Page(
        granule: 0, serial: serial, number: 1, packets: [Array("OpusTags".utf8) + tags]),
    ]
    for index in 0..<Int.random(in: 0...6, using: &random) {
      let packets = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
      pages.append(
        OggPages.Page(
          granule: Int64(960 * (index + 1)), serial: serial, number: UInt32(index + 2),
          packets: packets))
    }
    return pages
  }

  private func change(_ pages: inout [OggPages.Page], _ index: Int, _ random: inout SplitMix) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: pages[index].granule = Int64(bitPattern: number(&random))
    case 1: pages[index].flags = UInt8.random(in: 0...7, using: &random)
    case 2: pages[index].number = UInt32(truncatingIfNeeded: number(&random))
    case 3: pages[index].serial = UInt32.random(in: 0...3, using: &random)
    case 4: pages.remove(at: index)
    case 5: pages.append(contentsOf: pages[index...])
    case 6: pages.swapAt(index, pages.count / 2)
    case 7:
      // Segments that end elsewhere, and packets that never end.
      let count = min(255, pages[index].body.count / 255)
      if count > 0 {
        pages[index].lacing = Array(repeating: 255, count: count)
        pages[index].body = Array(pages[index].body.prefix(255 * count))
      }
    default:
      if var body = Optional(pages[index].body), !body.isEmpty {
        body[Int.random(in: 0..<min(60, body.count), using: &random)] ^=
          1
          << UInt8.random(
            in: 0...7, using: &random)
        pages[index].body = body
      }
    }
  }

  /// Frames with any numbers and sizes, or a file of FFmpeg.
  private func flac(_ random: inout SplitMix) -> [UInt8] {
    if let file = files.randomElement(using: &random), chance(3, &random) { return file }
    var maker = FLACMaker()
    maker.isVariable = Bool.random(using: &random)
    maker.statedCount = chance(3, &random) ? number(&random) & 0xF_FFFF_FFFF : 0
    let sizes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      Int.random(in: 1...300, using: &random)
    }
    maker.blocks = chance(4, &random) ? (0, 65_535) : (16, 300)
    if chance(4, &random) { maker.blocks = (300, 300) }
    var bytes = maker.head(blocks(&random))
    var count: UInt64 = 0
    for (index, size) in sizes.enumerated() {
      let samples = (0..<size).map { _ in
        chance(3, &random) ? Int16(bitPattern: 0xFFF8) : Int16(truncatingIfNeeded: random.next())
      }
      let usual = maker.isVariable ? count : UInt64(index)
      bytes += maker.frame(samples, number: chance(9, &random) ? number(&random) >> 28 : usual)
      count += UInt64(size)
      if chance(12, &random) { bytes += maker.head(blocks(&random)) }
      if chance(12, &random) { bytes += Array("TAG".utf8) }
    }
    return bytes
  }

  private func blocks(_ random: inout SplitMix) -> [(kind: UInt8, content: [UInt8])] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in
      var content = OggPages.comments(["TITLE=\(number(&random))", "COVERART=0"])
      if chance(2, &random) { Mutation.lie(&content, near: 60, &random) }
      var points: [UInt8] = []
      for _ in 0..<3 {
        points += FLACMaker.big(number(&random), 8) + FLACMaker.big(number(&random), 8) + [0, 9]
      }
      let kind = UInt8.random(in: 0...6, using: &random)
      return (kind, kind == 3 ? points : content)
    }
  }

  /// A head with any sizes, and some samples.
  private func pcm(_ random: inout SplitMix) -> [UInt8] {
    if let file = files.randomElement(using: &random), chance(4, &random) { return file }
    let size = Int(truncatingIfNeeded: number(&random))
    let other = Int(truncatingIfNeeded: number(&random))
    var format = PCMBytes.Format()
    if chance(2, &random) {
      format.tag = [1, 3, 6, 7, 0xFFFE, 2].randomElement(using: &random) ?? 1
      format.channels = Int(truncatingIfNeeded: number(&random)) & 0xFFFF
      format.frameBytes = Int(truncatingIfNeeded: number(&random)) & 0xFFFF
      format.bits = [8, 12, 16, 24, 32, 64, 0, 65_535].randomElement(using: &random) ?? 16
      format.hertz = Int(truncatingIfNeeded: number(&random)) & 0xFFFF_FFFF
    }
    let samples = (0..<Int.random(in: 0...9000, using: &random)).map {
      UInt8(truncatingIfNeeded: $0)
    }
    let before = PCMBytes.chunk("LIST", Array("INFOINAM".utf8) + PCMBytes.little(other, 4) + [65])
    let head =
      switch Int.random(in: 0..<7, using: &random) {
      case 0: PCMBytes.wave(riff: other, data: size, format: format)
      case 1: PCMBytes.wave(riff: other, data: size, before: before, format: format)
      case 2:
        PCMBytes.wave(
          riff: 0xFFFF_FFFF, data: 0xFFFF_FFFF, id: "RF64",
          before: PCMBytes.ds64(riff: other, data: size), format: format)
      case 3:
        PCMBytes.aiff(
          form: other, count: other, size: size,
          kind: ["sowt", "fl32", "ulaw", "ima4"].randomElement(using: &random))
      case 4: PCMBytes.au(size: size, kind: other & 31, channels: other & 0x7FF)
      case 5:
        PCMBytes.caf(
          size: size, flags: other & 3, frameBytes: other & 0xFFF, channels: other & 7,
          bits: other & 63)
      default: PCMBytes.wave64(size: size, format: format)
      }
    return head + samples + (chance(4, &random) ? head + samples : [])
  }
}

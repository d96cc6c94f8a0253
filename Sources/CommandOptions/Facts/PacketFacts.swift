// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import JSONText
internal import MusicalTime
internal import PlayerControl

/// The report of `sound info` on the packets of a file: their number, sizes and durations, and the
/// frames that are not part of the sound.
struct PacketFacts {
  private let table: PacketTable
  private let isGapless: Bool

  /// Creates the report; nil for a file without packets that can be read separately.
  init?(_ reader: SoundFileReader) {
    guard let packets = reader.packets(), !packets.table.packets.isEmpty else { return nil }
    (table, isGapless) = (packets.table, packets.isGapless)
  }

  private var sizes: ClosedRange<Int> { Self.range(table.packets.map(\.byteCount)) }
  /// The last packet may have fewer frames.
  private var durations: ClosedRange<Int> { Self.range(table.packets.map(\.frameCount)) }

  private static func range(_ numbers: [Int]) -> ClosedRange<Int> {
    (numbers.min() ?? 0)...(numbers.max() ?? 0)
  }

  /// The bitrate; it may be any number if packets share their bytes.
  private var bitrate: Int { Int(Int64(nearest: table.bitsPerSecond)) }

  /// The lines for the user.
  var facts: [(label: String, words: String)] {
    let count = table.packets.count
    let size = "\(Self.words(sizes)) bytes, \(Self.words(durations)) frames at \(table.hertz) Hz"
    return [
      ("packets", "\(count), each \(size)"),
      ("bitrate", "\(Ratio(Int64(bitrate), over: 1000).decimal(1)) kbit/s"),
      ("gapless", gaplessWords),
    ]
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  private var gaplessWords: String {
    guard isGapless else { return "unknown" }
    let seams = table.gaps.isEmpty ? "" : ", \(table.gaps.count.counted("gap")) skipped"
    let (before, after) = (table.primingFrameCount, table.remainderFrameCount)
    return "\(before) frames before the sound, \(after) after it"
      + seams
  }

  /// The members of the JSON document: `packets`, `bitrate` and `gapless`.
  var members: [(String, JSONValue)] {
    let gaps = table.gaps.map { gap in
      JSONValue.object([
        ("from", .integer(Int(gap.lowerBound))), ("to", .integer(Int(gap.upperBound))),
      ])
    }
    let gapless: JSONValue =
      isGapless
      ? .object([
        ("priming", .integer(table.primingFrameCount)),
        ("remainder", .integer(table.remainderFrameCount)), ("gaps", .array(gaps)),
      ]) : .null
    return [
      (
        "packets",
        .object([
          ("count", .integer(table.packets.count)), ("bytes", .integer(Int(table.byteCount))),
          ("smallest", .integer(sizes.lowerBound)), ("largest", .integer(sizes.upperBound)),
          ("shortest", .integer(durations.lowerBound)),
          ("longest", .integer(durations.upperBound)), ("rate", .integer(table.hertz)),
        ])
      ),
      ("bitrate", .integer(bitrate)), ("gapless", gapless),
    ]
  }

  /// The members of the JSON document of a file without packets.
  static let none: [(String, JSONValue)] = [
    ("packets", .null), ("bitrate", .null), ("gapless", .null),
  ]
}

// SPDX-License-Identifier: Apache-2.0

/// Shift-JIS as far as telling it apart needs: the shape of its characters, and the kana.
///
/// Source: JIS X 0208:1997, appendix 1.
struct ShiftJIS {
  private let units: [Unit]?

  private enum Unit {
    case single(UInt8)
    case pair(UInt8, UInt8)
  }

  init(_ bytes: [UInt8]) {
    var units: [Unit] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x00...0x7F, 0xA1...0xDF: units.append(.single(byte))
      case 0x81...0x9F, 0xE0...0xEA:
        guard index < bytes.count, (0x40...0xFC).contains(bytes[index]), bytes[index] != 0x7F
        else {
          self.units = nil
          return
        }
        units.append(.pair(byte, bytes[index]))
        index += 1
      default:
        self.units = nil
        return
      }
    }
    self.units = units
  }

  /// Whether all bytes are characters and most of the double ones are of the usual rows.
  ///
  /// Latin-1 letters are single high bytes among ASCII: E9 72 would be a rare kanji. Rows 81–83
  /// hold punctuation and kana, rows 88–97 the kanji of level 1.
  var isPlausible: Bool {
    guard let units else { return false }
    var usual = 0
    var odd = 0
    for case .pair(let lead, _) in units {
      if (0x81...0x83).contains(lead) || (0x88...0x97).contains(lead) {
        usual += 1
      } else {
        odd += 1
      }
    }
    return usual > odd
  }

  var string: String {
    var scalars = String.UnicodeScalarView()
    for unit in units ?? [] { scalars.append(Self.scalar(unit)) }
    return String(scalars)
  }

  private static func scalar(_ unit: Unit) -> Unicode.Scalar {
    switch unit {
    case .single(let byte) where byte < 0x80: Unicode.Scalar(byte)
    // Half-width katakana and their punctuation.
    case .single(let byte): Unicode.Scalar(UInt32(byte) - 0xA1 + 0xFF61) ?? "〓"
    // Hiragana, ぁ…ん.
    case .pair(0x82, let trail) where (0x9F...0xF1).contains(trail):
      Unicode.Scalar(UInt32(trail) - 0x9F + 0x3041) ?? "〓"
    // Katakana, ァ…ヶ; the trail byte leaves out 7F.
    case .pair(0x83, let trail) where (0x40...0x96).contains(trail):
      Unicode.Scalar(UInt32(trail) - (trail > 0x7F ? 0x41 : 0x40) + 0x30A1) ?? "〓"
    case .pair(0x81, let trail): punctuation[trail] ?? "〓"
    case .pair: "〓"
    }
  }

  private static let punctuation: [UInt8: Unicode.Scalar] = [
    0x40: "\u{3000}", 0x41: "、", 0x42: "。", 0x45: "・", 0x48: "？", 0x49: "！", 0x5B: "ー",
    0x69: "（", 0x6A: "）", 0x75: "「", 0x76: "」", 0x77: "『", 0x78: "』",
  ]
}

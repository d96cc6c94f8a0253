// SPDX-License-Identifier: Apache-2.0

/// Light or dark, with the colours of the inks.
package enum Appearance: String, Sendable, CaseIterable {
  case light, dark

  /// The colour of an ink as 0xRRGGBB.
  package func color(of ink: Ink) -> UInt32 {
    switch ink {
    case .channel(let number): channels[number % channels.count]
    case .heat(let level): heat(level)
    default: isLight ? Self.lightColor(of: ink) : Self.darkColor(of: ink)
    }
  }

  private var isLight: Bool { self == .light }

  private static func lightColor(of ink: Ink) -> UInt32 {
    switch ink {
    case .plot: 0xFA_FAFB
    case .shade: 0xF0_F1F4
    case .grid: 0xE4_E6EA
    case .strongGrid: 0xCD_D1D8
    case .text: 0x1C_2026
    case .faint: 0x5C_6470
    case .mark: 0x8A_3FA0
    case .blackKey: 0x3A_3F47
    default: 0xFF_FFFF
    }
  }

  private static func darkColor(of ink: Ink) -> UInt32 {
    switch ink {
    case .plot: 0x1A_1E25
    case .shade: 0x15_181E
    case .grid: 0x2A_3039
    case .strongGrid: 0x3E_4653
    case .text: 0xE9_ECF1
    case .faint: 0x9A_A3B1
    case .mark: 0xD9_A6EA
    case .whiteKey: 0xC9_CED6
    case .blackKey: 0x0B_0D10
    default: 0x12_151A
    }
  }

  /// Colours that can be distinguished, also by people with red or green blindness.
  ///
  /// Their distance in CIE Lab is at least 14, and at least 16 among the first eight (checked by
  /// `InkTests`).
  private var channels: [UInt32] {
    isLight
      ? [
        0x27_71F6, 0xDD_2E0F, 0x00_7451, 0x91_4CB2, 0xC9_9900, 0x25_A4F5, 0x5B_1024, 0x4E_841B,
        0x19_305B, 0xCC_7D7C, 0x09_6574, 0xDB_7341, 0x75_93B3, 0x44_40EB, 0x40_B659, 0x09_2B7A,
      ]
      : [
        0x39_A1FF, 0xC8_6716, 0x08_CE9F, 0xB1_59A3, 0xFF_F00B, 0xA1_E6FF, 0xE9_2256, 0x9F_E665,
        0x77_69C7, 0xFF_D5D3, 0x50_B5AE, 0xB7_A554, 0xA7_A5DF, 0x7B_5DF6, 0xFF_FCAE, 0x28_875A,
      ]
  }

  /// From violet over red to pale yellow, in equal steps of lightness: loud sounds contrast with
  /// the page.
  private static let embers: [UInt32] = [
    0x1D_1147, 0x51_127C, 0x83_2681, 0xB7_3779, 0xE7_5263, 0xFC_8961, 0xFE_C488, 0xFC_FDBF,
  ]

  private func heat(_ level: Int) -> UInt32 {
    let last = Double(Ink.heatCount - 1)
    let part = Double(min(max(level, 0), Ink.heatCount - 1)) / last
    let place = (isLight ? 0.9 * (1 - part) : part) * Double(Self.embers.count - 1)
    let lower = min(Int(place), Self.embers.count - 2)
    return Self.mix(Self.embers[lower], Self.embers[lower + 1], place - Double(lower))
  }

  private static func mix(_ first: UInt32, _ second: UInt32, _ part: Double) -> UInt32 {
    [16, 8, 0].reduce(0) { color, shift in
      let (from, to) = (Double(first >> shift & 0xFF), Double(second >> shift & 0xFF))
      return color | UInt32(from + (to - from) * part) << shift
    }
  }
}

/// The requested appearance.
package enum PictureTheme: String, Sendable, CaseIterable {
  case light, dark
  /// The appearance of the viewer's screen.
  case auto

  /// The appearance of a picture that cannot adapt.
  package var fixed: Appearance { self == .dark ? .dark : .light }
}

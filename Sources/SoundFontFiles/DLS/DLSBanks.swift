// SPDX-License-Identifier: Apache-2.0

/// The bank of each instrument in the numbering of soundfonts.
///
/// Instead of controllers 0 and 32, a soundfont has one number: the one that is not 0. The banks of
/// General MIDI 2 (121) and the drums of XG (127) and General MIDI 2 (120) are converted to those
/// of soundfonts, so that GM, GS, XG and GM2 songs find their presets. An instrument whose numbers
/// are taken gets a bank above 128, which MIDI cannot select, but a bank offset or an edit can
/// change.
struct DLSBanks {
  /// The bank of each instrument, or nil if too many instruments have its bank and program.
  private(set) var numbers: [Int?]

  private static let drums = 128
  private static let highest = 16_383
  private static let effectKits = 126

  /// Determines the banks of instruments.
  init(_ instruments: [DLSInstrument]) {
    numbers = Array(repeating: nil, count: instruments.count)
    var taken: Set<Int> = []
    for isExact in [true, false] {
      for (index, instrument) in instruments.enumerated()
      where Self.isExact(instrument) == isExact && numbers[index] == nil {
        numbers[index] = Self.candidates(instrument).first {
          taken.insert($0 << 7 | instrument.program).inserted
        }
      }
    }
    numberSpares(instruments)
  }

  /// Assigns banks from 129 on to instruments whose banks are taken.
  private mutating func numberSpares(_ instruments: [DLSInstrument]) {
    var last = Array(repeating: Self.drums, count: 128)
    for (index, instrument) in instruments.enumerated()
    where numbers[index] == nil && last[instrument.program] < Self.highest {
      last[instrument.program] += 1
      numbers[index] = last[instrument.program]
    }
  }

  /// True if one of the two controllers is 0; such instruments are numbered first.
  private static func isExact(_ instrument: DLSInstrument) -> Bool {
    instrument.isDrums
      ? instrument.upperBank == 0 && instrument.lowerBank == 0
      : candidates(instrument).count == 1
  }

  private static func candidates(_ instrument: DLSInstrument) -> [Int] {
    let (upper, lower) = (instrument.upperBank, instrument.lowerBank)
    switch upper {
    case 126 where instrument.isDrums: return [effectKits, drums]
    case _ where instrument.isDrums: return [drums]
    case 120, 127: return [drums]
    case 0, 121: return [lower]
    default: return lower == 0 ? [upper] : [upper, lower]
    }
  }
}

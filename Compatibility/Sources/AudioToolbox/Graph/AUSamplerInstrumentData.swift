// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// The instrument that a sampler loads: a preset of a file.
@safe
public struct AUSamplerInstrumentData {
  /// The address of the file.
  public var fileURL: Unmanaged<CFURL>
  /// The type of the instrument; only `kInstrumentType_SF2Preset` can be loaded.
  public var instrumentType: UInt8
  /// The upper byte of the preset's bank, or 0x78 for drums and 0x79 for melodic instruments.
  public var bankMSB: UInt8
  /// The lower byte of the preset's bank, 0…127.
  public var bankLSB: UInt8
  /// The preset's program, 0…127.
  public var presetID: UInt8
  // Padding to the size of the struct in C.
  private var rest: UInt32 = 0

  /// Creates a choice of a preset.
  public init(
    fileURL: Unmanaged<CFURL>, instrumentType: UInt8, bankMSB: UInt8, bankLSB: UInt8,
    presetID: UInt8
  ) {
    unsafe self.fileURL = unsafe fileURL
    self.instrumentType = instrumentType
    self.bankMSB = bankMSB
    self.bankLSB = bankLSB
    self.presetID = presetID
  }
}

/// The preset that a sampler plays on all channels.
struct SamplerPreset: Hashable, Sendable {
  let isDrums: Bool
  let bank: UInt8
  let program: UInt8

  init(_ choice: AUSamplerInstrumentData) {
    isDrums = choice.bankMSB == UInt8(kAUSampler_DefaultPercussionBankMSB)
    // Under 0x78 and 0x79, the lower byte is the number of the soundfont's bank.
    bank = choice.bankMSB < 0x78 ? choice.bankMSB : choice.bankLSB & 0x7F
    program = choice.presetID & 0x7F
  }
}

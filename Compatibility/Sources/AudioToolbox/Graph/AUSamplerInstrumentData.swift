// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// What a sampler is to play: a preset of a file.
@safe
public struct AUSamplerInstrumentData {
  /// The file.
  public var fileURL: Unmanaged<CFURL>
  /// What it is a file of: `kInstrumentType_SF2Preset`.
  public var instrumentType: UInt8
  /// The upper byte of the preset's bank, or 0x78 for drums and 0x79 for all else.
  public var bankMSB: UInt8
  /// The lower byte of the preset's bank.
  public var bankLSB: UInt8
  /// The preset's program.
  public var presetID: UInt8
  // As long as C has it.
  private var rest: UInt32 = 0

  /// Creates a choice.
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
    // Above all of drums and of all else, it is the lower byte that counts the soundfont's banks.
    bank = choice.bankMSB < 0x78 ? choice.bankMSB : choice.bankLSB & 0x7F
    program = choice.presetID & 0x7F
  }
}

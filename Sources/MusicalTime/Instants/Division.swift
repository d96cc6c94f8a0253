// SPDX-License-Identifier: Apache-2.0

/// The length of a tick in a sequence: a fraction of a quarter note, or of an SMPTE frame.
///
/// Source: Standard MIDI Files 1.0 (RP-001), header chunk.
public enum Division: Hashable, BitwiseCopyable, Sendable {
  /// Ticks per quarter note.
  ///
  /// The duration of a tick depends on the tempo.
  case ppqn(PPQN)
  /// Ticks per frame, 1…255.
  ///
  /// The duration of a tick is fixed; the tempo only determines the beats.
  case smpte(FrameRate, ticksPerFrame: UInt8)

  /// Creates a division from the 16-bit division field of a MIDI file.
  ///
  /// For example, 0x01E0 is 480 ticks per quarter note. 0xE728 is 25 frames per second with 40
  /// ticks each, so a tick is one millisecond. 0xE364 is 30000/1001 frames per second with 100
  /// ticks each.
  ///
  /// - Throws: `TimeError.badDivision` for zero ticks, or a rate other than 24, 25, 29 or 30.
  public init(smfBits bits: UInt16) throws(TimeError) {
    if let resolution = PPQN(Int(bits)) {
      self = .ppqn(resolution)
      return
    }
    let ticks = UInt8(truncatingIfNeeded: bits)
    let byte = Int8(bitPattern: UInt8(truncatingIfNeeded: bits >> 8))
    let rate = FrameRate.allCases.first { $0.smfDivisionByte == byte }
    guard let rate, ticks > 0 else { throw .badDivision(bits) }
    self = .smpte(rate, ticksPerFrame: ticks)
  }

  /// The 16-bit division field of a MIDI file, or nil if the field cannot express the frame rate.
  public var smfBits: UInt16? {
    switch self {
    case .ppqn(let resolution): resolution.ticks
    case .smpte(let rate, let ticks):
      rate.smfDivisionByte.map { UInt16(UInt8(bitPattern: $0)) << 8 | UInt16(ticks) }
    }
  }

  /// The ticks per second of an SMPTE division; nil for `ppqn`, because the duration of a tick then
  /// depends on the tempo.
  ///
  /// For 0xE364 this is 3 000 000 / 1001.
  public var ticksPerSecond: Ratio? {
    switch self {
    case .ppqn: nil
    case .smpte(let rate, let ticks):
      Ratio(rate.fpsNumerator * Int64(ticks), over: rate.fpsDenominator)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The conversion of GS and XG values to seconds, hertz and decibels.
///
/// Bytes beyond the end of a table have its last value.
///
/// Sources: Roland SC-88Pro and SC-8850 owner's manuals, effect parameter value conversion table.
/// Its delay times, rates, frequencies, gains, levels and balance agree with measurements of an
/// SC-8850 (github.com/libraz/libsonare, `tools/gs`). Yamaha MU80 owner's manual, effect data
/// assign tables.
enum EffectValue {
  // MARK: GS

  /// GS pre-delay time: 0…100 ms, in seconds.
  @_noAllocation @_noLocks
  static func preDelay(_ byte: Int) -> Float {
    let milliseconds: Float =
      byte < 50
      ? Float(byte) * 0.1
      : byte < 60
        ? 5 + Float(byte &- 50) * 0.5
        : byte < 100 ? Float(byte &- 50) : min(100, 50 + Float(byte &- 100) * 2)
    return milliseconds / 1000
  }

  /// GS delay time 1: 200…1000 ms, in seconds.
  @_noAllocation @_noLocks
  static func longDelay(_ byte: Int) -> Float {
    let milliseconds: Float =
      byte < 70 ? 200 + Float(byte) * 5 : min(1000, 550 + Float(byte &- 70) * 10)
    return milliseconds / 1000
  }

  /// GS delay time 2, that of the time control delay: 200…1000 ms, in seconds.
  @_noAllocation @_noLocks
  static func movableDelay(_ byte: Int) -> Float {
    let milliseconds: Float =
      byte < 80 ? 200 + Float(byte) * 5 : min(1000, 600 + Float(byte &- 80) * 10)
    return milliseconds / 1000
  }

  /// GS delay time 3: 0…500 ms, in seconds.
  @_noAllocation @_noLocks
  static func shortDelay(_ byte: Int) -> Float {
    let milliseconds: Float =
      byte < 60
      ? preDelay(byte) * 1000
      : byte < 90
        ? Float(byte &- 50)
        : byte < 116 ? 40 + Float(byte &- 90) * 10 : min(500, 300 + Float(byte &- 116) * 20)
    return milliseconds / 1000
  }

  /// GS rate 1: 0.05…10 Hz.
  @_noAllocation @_noLocks
  static func rate(_ byte: Int) -> Float {
    byte < 100
      ? Float(byte &+ 1) * 0.05
      : byte < 120 ? 5.1 + Float(byte &- 100) * 0.1 : min(10, 7.5 + Float(byte &- 120) * 0.5)
  }

  /// GS manual: 100…8000 Hz.
  @_noAllocation @_noLocks
  static func manual(_ byte: Int) -> Float {
    byte < 20
      ? 100 + Float(byte) * 10
      : byte < 55 ? 300 + Float(byte &- 20) * 20 : min(8000, 1000 + Float(byte &- 55) * 100)
  }

  /// A third-octave frequency, eight bytes for each, from a first one: 200 Hz for equalisers, 250
  /// Hz for cutoffs, 315 Hz for damping.
  @_noAllocation @_noLocks
  static func third(_ byte: Int, from first: Int) -> Float {
    thirds(first &+ (byte & 0x7F) / 8)
  }

  /// Nominal third-octave frequencies from 200 Hz (index 0) to 8 kHz.
  @_noAllocation @_noLocks
  private static func thirds(_ place: Int) -> Float {
    switch place {
    case ...0: 200
    case 1: 250
    case 2: 315
    case 3: 400
    case 4: 500
    case 5: 630
    case 6: 800
    case 7: 1000
    case 8: 1250
    case 9: 1600
    case 10: 2000
    case 11: 2500
    case 12: 3150
    case 13: 4000
    case 14: 5000
    case 15: 6300
    default: 8000
    }
  }

  /// GS equaliser frequency: 200…6300 Hz.
  @_noAllocation @_noLocks
  static func equalizer(_ byte: Int) -> Float { third(byte, from: 0) }

  /// GS cutoff frequency: 250…8000 Hz.
  @_noAllocation @_noLocks
  static func cutoff(_ byte: Int) -> Float { third(byte, from: 1) }

  /// GS damping: 315…8000 Hz, or 20 000 for bypass.
  @_noAllocation @_noLocks
  static func damping(_ byte: Int) -> Float {
    byte >= 120 ? 20_000 : third(byte, from: 2)
  }

  /// GS and XG gain: −12…12 dB, with an offset of 64.
  @_noAllocation @_noLocks
  static func gain(_ byte: Int) -> Float { Float(min(12, max(-12, byte &- 64))) }

  /// GS feedback: −98…98 %.
  @_noAllocation @_noLocks
  static func feedback(_ byte: Int) -> Float { Float(min(49, max(-49, byte &- 64))) * 0.02 }

  /// GS width of a band: Q of 0.5, 1, 2, 4, 9.
  @_noAllocation @_noLocks
  static func quality(_ byte: Int) -> Float {
    switch byte {
    case ...0: 0.5
    case 1: 1
    case 2: 2
    case 3: 4
    default: 9
    }
  }

  /// GS phase: 0…180° in steps of two degrees, as a fraction of half a cycle.
  @_noAllocation @_noLocks
  static func phase(_ byte: Int) -> Float { min(1, Float(byte) / 90) }

  /// GS acceleration 0…15: the time of a change of speed in seconds, 8 s to 0.1 s.
  @_noAllocation @_noLocks
  static func acceleration(_ byte: Int) -> Float {
    let step = Float(min(15, byte / 8))
    return 8 / (1 + step * step * 79 / 225)
  }

  /// GS output level: a factor 0…1, within 1 % of the measured level.
  @_noAllocation @_noLocks
  static func level(_ byte: Int) -> Float {
    let part = part(byte)
    return part * (0.65 + 0.35 * part)
  }

  /// GS balance of dry sound and effect: the share of the effect, and the sum of both gains, 1…2.
  ///
  /// Both gains are 1 at 64. Each falls to 0 within 50 steps on one side.
  @_noAllocation @_noLocks
  static func balance(_ byte: Int) -> (mix: Float, gain: Float) {
    let direct = Float(min(50, max(0, 114 &- byte))) / 50
    let effect = Float(min(50, max(0, byte &- 14))) / 50
    return (effect / (direct + effect), direct + effect)
  }

  /// Converts a byte to a factor, 0…1.
  @_noAllocation @_noLocks
  static func part(_ byte: Int) -> Float { Float(min(127, max(0, byte))) / 127 }

  /// Converts a pan to −1…1, with an offset of 64.
  @_noAllocation @_noLocks
  static func pan(_ byte: Int) -> Float { Float(min(63, max(-63, byte &- 64))) / 63 }

  // MARK: XG

  /// XG table 1: 0…39.7 Hz.
  ///
  /// The steps double; the first are 44 100 / 2^20 Hz.
  @_noAllocation @_noLocks
  static func xgRate(_ value: Int) -> Float {
    var steps = min(64, max(0, value))
    steps &+= 2 &* min(12, max(0, value &- 64))
    steps &+= 4 &* min(12, max(0, value &- 76))
    steps &+= 8 &* min(13, max(0, value &- 88))
    steps &+= 16 &* min(12, max(0, value &- 101))
    steps &+= 32 &* min(12, max(0, value &- 113))
    steps &+= 64 &* min(2, max(0, value &- 125))
    return Float(steps) * 44_100 / 1_048_576
  }

  /// XG table 2: a delay of 0…50 ms, in seconds.
  @_noAllocation @_noLocks
  static func xgOffset(_ value: Int) -> Float {
    let milliseconds: Float =
      value <= 100
      ? Float(max(0, value)) * 0.1
      : value <= 105
        ? 10 + Float(value &- 100) * 1.1 : min(50, 15.5 + Float(value &- 105) * 34.5 / 22)
    return milliseconds / 1000
  }

  /// XG table 4: a decay of 0.3…30 s.
  @_noAllocation @_noLocks
  static func xgDecay(_ value: Int) -> Double {
    switch value {
    case ...47: 0.3 + Double(max(0, value)) * 0.1
    case ...57: 5 + Double(value &- 47) * 0.5
    case ...67: 10 + Double(value &- 57)
    default: value == 68 ? 25 : 30
    }
  }

  /// XG table 5: an initial delay of 0.1…99.3 ms, in seconds.
  @_noAllocation @_noLocks
  static func xgInitialDelay(_ value: Int) -> Double {
    (0.1 + Double(min(63, max(0, value))) * 99.2 / 63) / 1000
  }

  /// XG table 3: 20 Hz to 20 kHz at 60, twenty steps per decade, without the table's rounding.
  @_noAllocation @_noLocks
  static func xgHertz(_ value: Int) -> Float {
    let step: Float = 1.1220184543019633
    var hertz: Float = 20
    for _ in 0..<min(60, max(0, value)) { hertz *= step }
    return hertz
  }

  /// XG delay: tenths of a millisecond, converted to seconds; at most 1.486 s.
  @_noAllocation @_noLocks
  static func xgDelay(_ value: Int) -> Float { Float(min(14_860, max(1, value))) / 10_000 }

  /// XG feedback: −63…63, with an offset of 64.
  @_noAllocation @_noLocks
  static func xgFeedback(_ value: Int) -> Float { Float(min(63, max(-63, value &- 64))) / 64 }

  /// XG dry and wet: 1…127, converted to 0…1.
  @_noAllocation @_noLocks
  static func xgMix(_ value: Int) -> Float { Float(min(126, max(0, value &- 1))) / 126 }

  /// XG damping: 0.1…1.0 in tenths; 1 is off.
  @_noAllocation @_noLocks
  static func xgDamping(_ value: Int) -> Float {
    value >= 10 ? 20_000 : 800 * Float(max(1, value)) * (1 + Float(max(1, value)) / 10)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension TimeReader {
  /// Reads the letters of a unit; nil if they are not the name of a unit.
  ///
  /// The letters are packed into an integer, so that a unit is found by one comparison.
  mutating func unit() -> TimeUnit? {
    var word: UInt64 = 0
    while position < end {
      let byte = bytes[position]
      if Self.isLetter(byte) {
        word = word << 8 | UInt64(byte | 0x20)
      } else if byte >= 0x80 {
        word = word << 8 | UInt64(byte)
      } else {
        break
      }
      guard word >> 56 == 0 else { return nil }
      position += 1
    }
    return unit(packed: word)
  }

  private mutating func unit(packed word: UInt64) -> TimeUnit? {
    switch word {
    case 0x68: .hours  // h
    case 0x6d, 0x6d69_6e: .minutes  // m, min
    case 0x73, 0x7365_63: .seconds  // s, sec
    case 0x6d73: .milliseconds  // ms
    case 0x7573, 0xc2_b573, 0xce_bc73: perQuarter() ? .microsecondsPerQuarter : .microseconds  // us
    case 0x6e73: .nanoseconds  // ns
    case 0x62, 0x71, 0x6265_6174, 0x62_6561_7473: .beats  // b, q, beat, beats
    case 0x62_6172, 0x6261_7273: .bars  // bar, bars
    case 0x74, 0x7469_636b, 0x74_6963_6b73: .ticks  // t, tick, ticks
    case 0x66, 0x66_7261_6d65, 0x6672_616d_6573: .frames  // f, frame, frames
    case 0x736d_70, 0x73_616d_706c_6573: .samples  // smp, samples
    case 0x62706d: .beatsPerMinute  // bpm
    case 0x63_6c6b: .midiClocks  // clk
    default: nil
    }
  }

  /// `/q` after microseconds makes the value a tempo.
  private mutating func perQuarter() -> Bool {
    guard position + 1 < end, bytes[position] == UInt8(ascii: "/"),
      bytes[position + 1] | 0x20 == UInt8(ascii: "q")
    else { return false }
    position += 2
    return true
  }
}

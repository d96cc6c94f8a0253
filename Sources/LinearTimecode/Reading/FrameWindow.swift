// SPDX-License-Identifier: Apache-2.0

/// The last 80 bits, in which frames are found.
struct FrameWindow: Sendable {
  /// The first 64 bits, the oldest in the lowest; then 16 more.
  private var content: UInt64 = 0
  private var sync: UInt16 = 0
  /// The position of the start of each bit; the next one replaces the first.
  private var starts = InlineArray<80, Int64>(repeating: 0)
  private var next = 0
  /// The number of bits since a missing one, at most 80.
  private var count = 0

  /// Processes a bit.
  ///
  /// - Parameter bit: The bit.
  /// - Returns: The frame that ends with it; nil if none does.
  mutating func next(_ bit: LTCBit) -> Sighting? {
    if bit.isFirst { count = 0 }
    content = content >> 1 | UInt64(sync & 1) << 63
    sync = sync >> 1 | (bit.isOne ? 0x8000 : 0)
    starts[next] = bit.start
    next = (next + 1) % 80
    count = min(80, count + 1)
    guard count == 80, let (bits, isReversed) = frame else { return nil }
    return Sighting(bits: bits, start: starts[next], end: bit.end, isReversed: isReversed)
  }

  private var frame: (LTCBits, isReversed: Bool)? {
    if sync == LTCBits.syncWord { return (LTCBits(content: content), false) }
    guard UInt16(truncatingIfNeeded: content) == LTCBits.reversedSyncWord else { return nil }
    let reversed = content >> 16 | UInt64(sync) << 48
    return (LTCBits(content: reversed.bitReversed), true)
  }
}

/// A frame that was found, and may be wrong.
struct Sighting: Sendable {
  let bits: LTCBits
  /// In units of `LTCPlace`.
  let start: Int64
  let end: Int64
  let isReversed: Bool
}

extension UInt64 {
  /// The bits in the opposite order.
  fileprivate var bitReversed: UInt64 {
    (0..<64).reduce(0) { $0 | (self >> $1 & 1) << (63 - $1) }
  }
}

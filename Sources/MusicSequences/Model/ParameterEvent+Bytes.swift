// SPDX-License-Identifier: Apache-2.0

extension ParameterEvent {
  /// The stored bytes: three numbers, the value and the ramp flag, in big-endian order.
  var bytes: [UInt8] {
    [parameter, scope, element, value.bitPattern].flatMap(bigEndianBytes) + [isRamp ? 1 : 0]
  }

  /// Creates the event from stored bytes, or returns nil if they are not valid.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 17 else { return nil }
    let all = Array(bytes)
    let words = stride(from: 0, to: 16, by: 4).map { start in
      all[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    self.init(
      parameter: words[0], scope: words[1], element: words[2],
      value: Float(bitPattern: words[3]), isRamp: all[16] != 0)
  }
}

/// The four bytes of a word in big-endian order.
func bigEndianBytes(_ word: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
}

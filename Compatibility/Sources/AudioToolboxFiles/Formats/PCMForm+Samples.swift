// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

extension PCMForm {
  /// Reads the samples of one buffer.
  ///
  /// - Parameters:
  ///   - source: the first byte.
  ///   - frameCount: the number of frames.
  ///   - buffer: the number of the buffer, 0 for interleaved samples.
  ///   - target: memory for whole interleaved frames, full scale at ±1.
  package func read(
    _ source: UnsafeRawPointer, frameCount: Int, buffer: Int,
    to target: UnsafeMutablePointer<Double>
  ) {
    let (count, step) = isInterleaved ? (frameCount * channelCount, 1) : (frameCount, channelCount)
    unsafe stored.read(source, count: count, to: target + buffer, stride: step)
    let gain = gain
    guard gain != 1 else { return }
    for index in 0..<count { unsafe target[buffer + index * step] *= gain }
  }

  /// Writes the samples of one buffer.
  ///
  /// - Parameters:
  ///   - source: whole interleaved frames, full scale at ±1; those of the buffer are changed.
  ///   - frameCount: the number of frames.
  ///   - buffer: the number of the buffer, 0 for interleaved samples.
  ///   - target: the first byte.
  package func write(
    _ source: UnsafeMutablePointer<Double>, frameCount: Int, buffer: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let (count, step) = isInterleaved ? (frameCount * channelCount, 1) : (frameCount, channelCount)
    let gain = gain
    if gain != 1 {
      // The largest number is one step below full scale.
      let limit = 1 - Double(sign: .plus, exponent: 1 - layout.bits, significand: 1)
      for index in 0..<count {
        let value = unsafe source[buffer + index * step]
        unsafe source[buffer + index * step] =
          isAlignedLow ? min(max(value, -1), limit) / gain : value / gain
      }
    }
    unsafe stored.write(source + buffer, stride: step, count: count, to: target)
  }

  /// The layout with all of its bytes' bits if the significant ones are the lower ones.
  private var stored: PCMLayout {
    guard isAlignedLow else { return layout }
    return PCMLayout(
      numbers: layout.numbers, bits: 8 * layout.byteCount, byteCount: layout.byteCount,
      isLittleEndian: layout.isLittleEndian)
  }

  /// The factor from stored samples to full scale at ±1.
  private var gain: Double {
    if isAlignedLow {
      return Double(sign: .plus, exponent: 8 * layout.byteCount - layout.bits, significand: 1)
    }
    guard fractionBits > 0 else { return 1 }
    return Double(sign: .plus, exponent: layout.bits - 1 - fractionBits, significand: 1)
  }
}

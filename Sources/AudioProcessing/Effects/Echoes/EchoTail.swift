// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The duration of decaying echoes.
enum EchoTail {
  /// Computes the frames until echoes have decayed by 100 dB.
  ///
  /// - Parameters:
  ///   - seconds: the longest time between two echoes.
  ///   - feedback: the gain of each echo relative to the last, below 1 in magnitude.
  ///   - rate: the sample rate.
  /// - Returns: the frames.
  static func frames(seconds: Float, feedback: Float, _ rate: SampleRate) -> Int {
    let size = Double(feedback.magnitude)
    let rounds = size < 1e-5 ? 1 : 1 - (5 / SampleMath.log10(min(0.999, size))).rounded(.towardZero)
    return Int((rounds * Double(seconds) * Double(rate.hertz)).rounded(.up)) + 8
  }
}

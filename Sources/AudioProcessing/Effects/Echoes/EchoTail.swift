// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// How long echoes go on.
enum EchoTail {
  /// The frames until echoes are 100 dB down.
  ///
  /// - Parameters:
  ///   - seconds: the longest time from one echo to the next.
  ///   - feedback: the factor from one echo to the next, below 1 in magnitude.
  ///   - rate: frames a second.
  /// - Returns: the frames.
  static func frames(seconds: Float, feedback: Float, _ rate: SampleRate) -> Int {
    let size = Double(feedback.magnitude)
    let rounds = size < 1e-5 ? 1 : 1 - (5 / SampleMath.log10(min(0.999, size))).rounded(.towardZero)
    return Int((rounds * Double(seconds) * Double(rate.hertz)).rounded(.up)) + 8
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The impulse responses of both ears for sound from one direction.
public struct EarResponses: Hashable, Sendable {
  /// The impulse response of the left ear.
  public var left: [Float]
  /// The impulse response of the right ear, with the same length.
  public var right: [Float]
  /// The additional delay of the left response in frames, 0 or more.
  public var leftDelay: Double
  /// The additional delay of the right response in frames, 0 or more.
  public var rightDelay: Double

  /// Creates the responses of one direction.
  public init(left: [Float], right: [Float], leftDelay: Double = 0, rightDelay: Double = 0) {
    self.left = left
    self.right = right
    self.leftDelay = leftDelay
    self.rightDelay = rightDelay
  }

  /// The frame at which each response begins: the first sample of at least a tenth of the peak.
  var onsets: (left: Int, right: Int) { (Self.onset(left), Self.onset(right)) }

  private static func onset(_ samples: [Float]) -> Int {
    let top = samples.reduce(0) { max($0, abs($1)) }
    return samples.firstIndex { abs($0) >= top / 10 } ?? 0
  }
}

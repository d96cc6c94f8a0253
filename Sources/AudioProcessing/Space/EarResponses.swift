// SPDX-License-Identifier: Apache-2.0

/// The impulse responses of both ears for a sound from one direction.
public struct EarResponses: Hashable, Sendable {
  /// The impulse response of the left ear.
  public var left: [Float]
  /// The impulse response of the right ear, with the same length.
  public var right: [Float]
  /// The delay of the left response in frames, 0 or more, in addition to silence in the response
  /// itself.
  public var leftDelay: Double
  /// The delay of the right response in frames, 0 or more, in addition to silence in the response
  /// itself.
  public var rightDelay: Double

  /// Creates the responses of both ears for one direction.
  ///
  /// - Precondition: see the properties.
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

// SPDX-License-Identifier: Apache-2.0

/// What both ears hear of a click in one direction.
public struct EarResponses: Hashable, Sendable {
  /// The impulse response of the left ear.
  public var left: [Float]
  /// The impulse response of the right ear, as long.
  public var right: [Float]
  /// How many frames later the left ear hears its own, from 0.
  public var leftDelay: Double
  /// How many frames later the right ear hears its own, from 0.
  public var rightDelay: Double

  /// Describes what is heard.
  public init(left: [Float], right: [Float], leftDelay: Double = 0, rightDelay: Double = 0) {
    self.left = left
    self.right = right
    self.leftDelay = leftDelay
    self.rightDelay = rightDelay
  }

  /// The frame at which each response begins: where it first is a tenth of its highest.
  var onsets: (left: Int, right: Int) { (Self.onset(left), Self.onset(right)) }

  private static func onset(_ samples: [Float]) -> Int {
    let top = samples.reduce(0) { max($0, abs($1)) }
    return samples.firstIndex { abs($0) >= top / 10 } ?? 0
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What an encoder says of the frames that are not sound: those before the first, which its filters
/// need, and those behind the last, which fill the last packet up.
struct GaplessLength: Hashable, Sendable {
  /// Frames to be left out at the beginning of what is decoded.
  var priming: Int
  /// Frames to be left out at the end; nil where the length is said instead.
  var remainder: Int?
  /// Frames of sound; nil where the end is said instead.
  var frameCount: Int?

  /// Reads the comment that iTunes writes: numbers in hexadecimal, of which the second to the
  /// fourth are the frames before, those behind and those between; nil where it is another text.
  init?(iTunes text: String) {
    let words = text.split(separator: " ")
    guard words.count >= 4, let before = Int(words[1], radix: 16),
      let behind = Int(words[2], radix: 16), let count = Int(words[3], radix: 16),
      (0..<1 << 24).contains(before), (0..<1 << 24).contains(behind), (0..<1 << 50).contains(count)
    else { return nil }
    // Some write no length.
    self.init(priming: before, remainder: behind, frameCount: count == 0 ? nil : count)
  }

  init(priming: Int, remainder: Int? = nil, frameCount: Int? = nil) {
    (self.priming, self.remainder, self.frameCount) = (priming, remainder, frameCount)
  }

  /// Frames to be left out at the end, of a number of frames decoded.
  func remainder(of decoded: Int) -> Int {
    let all = max(0, decoded - priming)
    if let frameCount { return max(0, all - frameCount) }
    return min(all, remainder ?? 0)
  }
}

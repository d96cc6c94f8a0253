// SPDX-License-Identifier: Apache-2.0

/// The number of decoded frames that are not sound, as an encoder states it: the priming of its
/// filters, and the remainder that fills the last packet.
struct GaplessLength: Hashable, Sendable {
  /// Decoded frames before the sound.
  var priming: Int
  /// Decoded frames after the sound; nil if `frameCount` is stated instead.
  var remainder: Int?
  /// Frames of sound; nil if `remainder` is stated instead.
  var frameCount: Int?

  /// Reads the comment `iTunSMPB` of iTunes; nil if it is another text.
  ///
  /// The second to fourth words are hexadecimal numbers: the priming, the remainder, and the frames
  /// of sound.
  init?(iTunes text: String) {
    let words = text.split(separator: " ")
    guard words.count >= 4, let before = Int(words[1], radix: 16),
      let behind = Int(words[2], radix: 16), let count = Int(words[3], radix: 16),
      (0..<1 << 24).contains(before), (0..<1 << 24).contains(behind), (0..<1 << 50).contains(count)
    else { return nil }
    // Some programs do not state the length.
    self.init(priming: before, remainder: behind, frameCount: count == 0 ? nil : count)
  }

  init(priming: Int, remainder: Int? = nil, frameCount: Int? = nil) {
    (self.priming, self.remainder, self.frameCount) = (priming, remainder, frameCount)
  }

  /// The frames to remove at the end of `decoded` frames.
  func remainder(of decoded: Int) -> Int {
    let all = max(0, decoded - priming)
    if let frameCount { return max(0, all - frameCount) }
    return min(all, remainder ?? 0)
  }
}

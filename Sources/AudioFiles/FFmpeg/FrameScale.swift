// SPDX-License-Identifier: Apache-2.0

/// From the frames that a table counts in to those that are decoded: the same, or twice as many, or
/// half, since with replicated bands a table may count those of either rate.
struct FrameScale {
  private let (decodedHertz, countedHertz): (Int64, Int64)

  /// Creates a scale; nil where one rate is not the other, its double or its half.
  init?(decodedHertz: Int, countedHertz: Int) {
    guard
      decodedHertz == countedHertz || decodedHertz == countedHertz * 2
        || decodedHertz * 2 == countedHertz
    else { return nil }
    (self.decodedHertz, self.countedHertz) = (Int64(decodedHertz), Int64(countedHertz))
  }

  private init() { (decodedHertz, countedHertz) = (1, 1) }

  /// Frames are decoded as they are counted.
  static let same = FrameScale()

  /// Frames as they are decoded, rounded down.
  func decoded(_ counted: Int64) -> Int64 {
    decodedHertz >= countedHertz ? counted * (decodedHertz / countedHertz) : counted / 2
  }

  /// Frames as the table counts them, rounded down.
  func counted(_ decoded: Int64) -> Int64 {
    countedHertz >= decodedHertz ? decoded * (countedHertz / decodedHertz) : decoded / 2
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Converts frames of a packet table to decoded frames: by a factor of 1, 2 or ½.
///
/// With spectral band replication a table can count frames at either rate.
struct FrameScale {
  private let (decodedHertz, countedHertz): (Int64, Int64)

  /// Creates a scale; nil unless the rates are equal, or one is double the other.
  init?(decodedHertz: Int, countedHertz: Int) {
    guard
      decodedHertz == countedHertz || decodedHertz == countedHertz * 2
        || decodedHertz * 2 == countedHertz
    else { return nil }
    (self.decodedHertz, self.countedHertz) = (Int64(decodedHertz), Int64(countedHertz))
  }

  private init() { (decodedHertz, countedHertz) = (1, 1) }

  /// A factor of 1.
  static let same = FrameScale()

  /// Converts frames of the table to decoded frames, rounded down.
  func decoded(_ counted: Int64) -> Int64 {
    decodedHertz >= countedHertz ? counted * (decodedHertz / countedHertz) : counted / 2
  }

  /// Converts decoded frames to frames of the table, rounded down.
  func counted(_ decoded: Int64) -> Int64 {
    countedHertz >= decodedHertz ? decoded * (countedHertz / decodedHertz) : decoded / 2
  }
}

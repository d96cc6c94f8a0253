// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The position in bytes in memory that libsndfile reads or writes like a file.
struct MemoryPlace {
  /// The offset of the next byte.
  var offset = 0

  /// Moves the position; a position outside the bytes is ignored.
  ///
  /// - Parameters:
  ///   - distance: The distance in bytes.
  ///   - whence: The origin: `SEEK_SET`, `SEEK_CUR` or `SEEK_END`.
  ///   - count: The number of bytes.
  /// - Returns: The position.
  mutating func seek(_ distance: Int64, _ whence: Int32, in count: Int) -> Int64 {
    let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? offset : count
    let (sum, isTooLarge) = base.addingReportingOverflow(Int(distance))
    if !isTooLarge, (0...count).contains(sum) { offset = sum }
    return Int64(offset)
  }
}

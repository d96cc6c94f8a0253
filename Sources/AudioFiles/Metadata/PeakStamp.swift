// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Removes the time of day from an RF64 file's peak chunk.
///
/// libsndfile can leave out the chunk in WAV files, but always writes it into RF64 files of
/// floating point, so two equal renders would differ.
enum PeakStamp {
  private static let headerBytes = 4096

  /// Sets the time to 0; returns false if the file cannot be written.
  ///
  /// A file without the chunk does not change.
  static func clear(in stream: FileStream) -> Bool {
    var header = [UInt8](repeating: 0, count: headerBytes)
    guard stream.seek(0, SEEK_SET) == 0 else { return false }
    let count = unsafe header.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe stream.read(base, bytes.count)
    }
    guard let stamp = place(in: header[..<count]) else { return true }
    let zero: [UInt8] = [0, 0, 0, 0]
    guard stream.seek(Int64(stamp), SEEK_SET) == stamp else { return false }
    return unsafe zero.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe stream.write(base, 4) == 4
    }
  }

  /// The position of the time, which follows the chunk's name, size and version.
  private static func place(in header: ArraySlice<UInt8>) -> Int? {
    var start = 12
    while start + 16 <= header.count {
      if header[start..<start + 4].elementsEqual("PEAK".utf8) { return start + 12 }
      let size = (0..<4).reduce(0) { $0 | Int(header[start + 4 + $1]) << (8 * $1) }
      start += 8 + size + size % 2
    }
    return nil
  }
}

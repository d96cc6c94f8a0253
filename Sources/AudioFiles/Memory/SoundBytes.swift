// SPDX-License-Identifier: Apache-2.0

/// An encoded sound that is not in a file.
///
/// The bytes are in memory, or a function provides them when they are read. `SoundFileReader` and
/// `PacketReader` read every format from them, as from a file.
@safe
public struct SoundBytes {
  /// The number of bytes.
  public let byteCount: Int64
  /// Copies at most a number of bytes from a position to memory; returns the number copied.
  let copy: (_ offset: Int64, _ target: UnsafeMutableRawPointer, _ count: Int) -> Int

  /// Creates an encoded sound from bytes in memory.
  public init(_ bytes: [UInt8]) {
    byteCount = Int64(bytes.count)
    unsafe copy = { offset, target, count in
      let start = Int(min(max(0, offset), Int64(bytes.count)))
      let count = max(0, min(count, bytes.count - start))
      unsafe bytes.withUnsafeBytes { source in
        guard let base = source.baseAddress, count > 0 else { return }
        unsafe target.copyMemory(from: base + start, byteCount: count)
      }
      return count
    }
  }

  /// Creates an encoded sound whose bytes are provided by a function.
  ///
  /// - Parameters:
  ///   - byteCount: The number of bytes; a negative number is treated as 0.
  ///   - provider: Returns the bytes of a range. Ranges are requested in any order and can repeat.
  ///     If it returns fewer bytes than requested, the sound ends at this point. The function is
  ///     called on the thread that reads.
  public init(byteCount: Int64, provider: @escaping (Range<Int64>) -> [UInt8]) {
    let length = max(0, byteCount)
    self.byteCount = length
    unsafe copy = { offset, target, count in
      // A file may claim a position near the largest number.
      let start = min(max(0, offset), length)
      let inside = start..<start + min(Int64(max(0, count)), length - start)
      guard !inside.isEmpty else { return 0 }
      let bytes = provider(inside).prefix(inside.count)
      unsafe bytes.withUnsafeBytes { source in
        guard let base = source.baseAddress else { return }
        unsafe target.copyMemory(from: base, byteCount: source.count)
      }
      return bytes.count
    }
  }
}

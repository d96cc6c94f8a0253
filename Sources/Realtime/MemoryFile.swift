// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// A file in memory, for libraries that only read files.
///
/// The file is removed with this object, and only this process can open its path.
package final class MemoryFile: Sendable {
  private let descriptor: Int32

  /// The path, valid in this process.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  /// Creates a file of zeros, or returns nil if the system refuses it.
  ///
  /// - Parameters:
  ///   - name: The name that lists of the process's files show.
  ///   - byteCount: The size, which is fixed.
  package init?(_ name: String, byteCount: Int) {
    descriptor = unsafe crealtime_make_memory(name, byteCount)
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: The offset of the first.
  /// - Returns: False if the memory or the size of the file is not sufficient.
  package func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count, let base = bytes.baseAddress {
        let step = unsafe pwrite(descriptor, base + done, bytes.count - done, offset + done)
        if step < 0 && errno == EINTR { continue }
        guard step > 0 else { return false }
        done += step
      }
      return true
    }
  }
}

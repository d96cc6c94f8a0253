// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// A file in memory, for libraries that read only files.
///
/// The file is removed with this object. Only this process can open its path.
package final class MemoryFile: Sendable {
  private let descriptor: Int32

  /// The path, for this process.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  /// Creates a file of zeros; nil if the system refuses it.
  ///
  /// - Parameters:
  ///   - name: A name for lists of the process's files.
  ///   - byteCount: The size, which does not change.
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
  /// - Returns: False if memory does not suffice, or if the file is too short.
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

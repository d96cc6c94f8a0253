// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
package import SoundFontFiles

/// A soundfont file, which is open until its bytes are released.
///
/// If the file is replaced or removed, its old contents are still read. If it is shortened or
/// cannot be read, fewer bytes are returned.
package enum FontFile {
  /// Opens a regular file.
  ///
  /// - Parameter path: The path.
  /// - Returns: Access to its bytes.
  /// - Throws: `SoundFontVoicesError.cannotOpen` or `.notRegular`.
  package static func bytes(of path: String) throws(SoundFontVoicesError) -> FontBytes {
    guard let file = Descriptor(path) else { throw .cannotOpen(path: path, code: errno) }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else {
      throw .cannotOpen(path: path, code: errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .cannotOpen(path: path, code: EISDIR)
    default: throw .notRegular(path: path)
    }
    return unsafe FontBytes(count: Int(status.st_size)) { target, offset in
      unsafe file.read(into: target, at: offset)
    }
  }

  private final class Descriptor: Sendable {
    let number: Int32

    init?(_ path: String) {
      number = path.withSystemPath {
        unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      }
      if number < 0 { return nil }
    }

    deinit { if number >= 0 { close(number) } }

    /// Reads bytes; fewer if the file ends or fails.
    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
      guard let base = target.baseAddress else { return 0 }
      var done = 0
      while done < target.count {
        let step = unsafe pread(number, base + done, target.count - done, offset + done)
        if step < 0 && errno == EINTR { continue }
        guard step > 0 else { break }
        done += step
      }
      return done
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

extension FileStream {
  /// Opens a regular file for reading and writing.
  static func updating(_ path: String) throws(SoundFileError) -> FileStream {
    let descriptor = path.withSystemPath { unsafe Glibc.open($0, O_RDWR | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
    let stream = FileStream(descriptor: descriptor)
    guard stream.isRegular else { throw .notRegularFile(path: path) }
    return stream
  }

  /// Creates a file with its final name, or empties an existing one.
  static func creating(_ path: String, mayReplace: Bool) throws(SoundFileError) -> FileStream {
    // Without O_TRUNC, the file is emptied only after it is known to be a regular file.
    let flags = O_RDWR | O_CLOEXEC | O_CREAT | (mayReplace ? O_NONBLOCK : O_EXCL)
    let descriptor = path.withSystemPath { unsafe Glibc.open($0, flags, 0o666) }
    guard descriptor >= 0 else {
      throw errno == EEXIST ? .exists(path: path) : .cannotCreate(path: path, code: errno)
    }
    let stream = FileStream(descriptor: descriptor)
    guard stream.isRegular else { throw .notRegularFile(path: path) }
    guard ftruncate(descriptor, 0) == 0 else { throw .cannotCreate(path: path, code: errno) }
    return stream
  }

  private var isRegular: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file without a name that takes what is fetched, and goes away with its owner.
struct FetchedFile: ~Copyable {
  let descriptor: Int32
  private let address: String

  /// Creates an empty file, in the folder that `TMPDIR` names.
  init(for address: String) throws(HTTPError) {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/.downbeat-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&name)
    self.address = address
    guard descriptor >= 0 else {
      throw .cannotKeep(path: folder, reason: HTTPError.reason(errno))
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe _ = unlink(name)
  }

  deinit { close(descriptor) }

  /// Writes bytes where they belong.
  func write(_ bytes: [UInt8], at offset: Int64) throws(HTTPError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(
          descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, Int(offset) + done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .cannotKeep(path: address, reason: HTTPError.reason(errno)) }
      done += count
    }
  }
}

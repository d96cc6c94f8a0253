// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WholeFiles

/// A downloaded file without a name, which is deleted with its owner.
struct FetchedFile: ~Copyable {
  let descriptor: Int32
  private let address: String

  /// Creates an empty file in the folder of the environment variable `TMPDIR`.
  init(for address: String) throws(HTTPError) {
    do throws(PrivateFolder.Refusal) {
      descriptor = try PrivateFolder.unnamedFile()
    } catch {
      throw .cannotKeep(path: PrivateFolder.temporary, reason: HTTPError.reason(error.code))
    }
    self.address = address
  }

  deinit { close(descriptor) }

  /// Writes bytes at a position.
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

// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WholeFiles

/// The file of a copy, which gets its name when every byte was written.
struct StreamCopy: ~Copyable {
  private let path: String
  private let byteLimit: Int64
  private var file: WholeFile
  private var ranges = ByteRanges()
  private var isOpen = true

  init(_ wish: HTTPSettings.Copy) throws(HTTPError) {
    (path, byteLimit) = (wish.path, wish.byteLimit)
    do {
      file = try WholeFile(path: wish.path, mayReplace: wish.mayReplace)
    } catch {
      throw HTTPError(error, path: wish.path)
    }
  }

  deinit {
    if isOpen { close(file.descriptor) }
  }

  /// Writes bytes of the sound at their position.
  mutating func write(_ bytes: [UInt8], at offset: Int64) throws(HTTPError) {
    let end = offset + Int64(bytes.count)
    guard end <= byteLimit else {
      throw .cannotKeep(path: path, reason: "the limit of \(byteLimit) bytes is reached")
    }
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(
          file.descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
          Int(offset) + done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .cannotKeep(path: path, reason: HTTPError.reason(errno)) }
      done += count
    }
    ranges.insert(offset..<end)
  }

  /// Returns true if every byte of the sound was written.
  func isComplete(_ byteCount: Int64) -> Bool { ranges.contains(0..<byteCount) }

  /// The position of the first missing byte of the whole; nil if none is missing.
  func missing(_ byteCount: Int64) -> Int64? {
    let end = ranges.ranges.first.flatMap { $0.lowerBound == 0 ? $0.upperBound : nil } ?? 0
    return end < byteCount ? end : nil
  }

  /// Gives the file its name.
  mutating func keep() throws(HTTPError) {
    isOpen = false
    guard close(file.descriptor) == 0 else {
      throw .cannotKeep(path: path, reason: HTTPError.reason(errno))
    }
    do {
      try file.keep()
    } catch {
      throw HTTPError(error, path: path)
    }
  }
}

extension HTTPError {
  fileprivate init(_ error: WholeFileError, path: String) {
    let reason =
      switch error {
      case .exists: "it already exists"
      case .notRegularFile: "it is not a regular file"
      case .dangling: "it is a broken symbolic link"
      case .refused(let code): Self.reason(code)
      }
    self = .cannotKeep(path: path, reason: reason)
  }
}

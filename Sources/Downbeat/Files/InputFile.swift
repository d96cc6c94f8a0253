// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// The contents of a file that was read, with its name for messages.
public struct InputFile: Sendable {
  /// The path as it was given to `init`, or `standard input`.
  public let name: String
  /// The whole content, decompressed.
  public let bytes: [UInt8]

  /// The size limit, in bytes: 1 GiB.
  public static let limit = 1 << 30

  /// Reads a whole file, and decompresses it if it is gzip data; `-` reads standard input.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes, both compressed and decompressed; a larger regular file
  ///     is not read.
  /// - Throws: `FileError` if the file is missing or cannot be read.
  public init(path: String, limit: Int = InputFile.limit) throws(FileError) {
    try self.init(path: path, limit: limit, standardInput: STDIN_FILENO)
  }

  /// Reads a whole file, and decompresses it if it is gzip data; `-` reads a descriptor.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes, both compressed and decompressed; a larger regular file
  ///     is not read.
  ///   - standardInput: The descriptor; it stays open.
  /// - Throws: `FileError` if the file is missing or cannot be read.
  package init(path: String, limit: Int, standardInput: Int32) throws(FileError) {
    let isStandard = path == "-"
    name = isStandard ? "standard input" : path
    let descriptor = isStandard ? standardInput : try Self.open(path)
    defer { if !isStandard { close(descriptor) } }
    let content = try Self.readAll(descriptor, name: name, limit: limit)
    bytes =
      Gunzip.recognizes(content)
      ? try Gunzip.unpack(content, name: name, limit: limit) : content
  }

  /// Reads the first bytes of a regular file, without decompressing them.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The number of bytes to read. A shorter file is read completely.
  /// - Throws: `FileError` if it cannot be read or is not a regular file.
  package init(startOf path: String, limit: Int) throws(FileError) {
    name = path
    // Opening a pipe without a writer would block.
    let descriptor = path.withSystemPath {
      unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw FileError(opening: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path, reason: "it is not a file")
    }
    var content = [UInt8](repeating: 0, count: min(Int(status.st_size), limit))
    var done = 0
    while done < content.count {
      let count = unsafe content.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress.map { unsafe $0 + done }, $0.count - done, done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(opening: path, code: errno) }
      guard count > 0 else { break }
      done += count
    }
    bytes = Array(content[..<done])
  }

  private static func open(_ path: String) throws(FileError) -> Int32 {
    let descriptor = path.withSystemPath { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(opening: path, code: errno) }
    return descriptor
  }

  private static func readAll(
    _ descriptor: Int32, name: String, limit: Int
  ) throws(FileError) -> [UInt8] {
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .directory(name)
    }
    // The size of a regular file is known, so a file that is too large is not read.
    if status.st_mode & S_IFMT == S_IFREG {
      let place = max(0, lseek(descriptor, 0, SEEK_CUR))
      guard Int(status.st_size) - place <= limit else { throw .tooLarge(name, limit: limit) }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(Int(status.st_size), limit) + 1)
    var chunk = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(opening: name, code: errno) }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= limit else { throw .tooLarge(name, limit: limit) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import WholeFiles

/// A file that appears complete or not at all; `-` is standard output.
///
/// The bytes are written to a temporary file in the same folder, which is then renamed in one step.
/// A device or a pipe is written directly.
public struct OutputFile: Sendable {
  /// The path as it was given to `init`, or `standard output`.
  public let name: String
  private let path: String
  private let mayReplace: Bool
  private let standardOutput: Int32

  /// Prepares to write a file, and checks that it can be created.
  ///
  /// - Parameters:
  ///   - path: The path; `-` is standard output.
  ///   - overwrite: True if an existing file may be replaced.
  /// - Throws: `OutputFileError.exists` if the file exists and may not be replaced; `danglingLink`
  ///   if the path is a broken symbolic link.
  public init(path: String, overwrite: Bool) throws(OutputFileError) {
    try self.init(path: path, overwrite: overwrite, standardOutput: STDOUT_FILENO)
  }

  /// Names the file, and checks that it can be created; `-` is a descriptor.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - overwrite: True if an existing file may be replaced.
  ///   - standardOutput: The descriptor; it stays open.
  /// - Throws: `OutputFileError`, as for a path alone.
  package init(
    path: String, overwrite: Bool, standardOutput: Int32
  ) throws(OutputFileError) {
    self.path = path
    self.standardOutput = standardOutput
    name = path == "-" ? "standard output" : path
    mayReplace = overwrite
    guard path != "-" else { return }
    do {
      try WholeFile.check(path, mayReplace: overwrite)
    } catch {
      throw OutputFileError(error, path: path)
    }
  }

  /// Writes the file.
  ///
  /// - Throws: `OutputFileError`; an existing file is then unchanged. It is `exists` if a file that
  ///   may not be replaced has been created since `init`.
  public func write(_ bytes: [UInt8]) throws(OutputFileError) {
    _ = try write(bytes, takingFreeName: false)
  }

  /// Writes the file in pieces, so that it does not have to fit in memory.
  ///
  /// - Parameter body: Called once with a function; the body calls this function for each piece.
  /// - Throws: `OutputFileError`, and the errors of the body; an existing file is then unchanged.
  public func write(pieces body: (([UInt8]) throws -> Void) throws -> Void) throws {
    guard path != "-" else { return try body { try write($0, to: standardOutput) } }
    let file: WholeFile
    do {
      file = try WholeFile(path: path, mayReplace: mayReplace)
    } catch .notRegularFile {
      let descriptor = try openedDevice()
      defer { close(descriptor) }
      return try body { try write($0, to: descriptor) }
    } catch {
      throw OutputFileError(error, path: path)
    }
    try write(body, andKeep: file)
  }

  private func write(
    _ body: (([UInt8]) throws -> Void) throws -> Void, andKeep file: consuming WholeFile
  ) throws {
    let descriptor = file.descriptor
    do {
      try body { try write($0, to: descriptor) }
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else {
      throw OutputFileError.cannotWrite(path: path, code: errno)
    }
    do {
      try file.keep()
    } catch {
      throw OutputFileError(error, path: path)
    }
  }

  /// Writes the file.
  ///
  /// If a file with its name has been created since `init`, the new file gets a free name, such as
  /// `take-2.mid`. Use this method for data that cannot be produced again, such as a recording.
  ///
  /// - Returns: The path of the file.
  /// - Throws: `OutputFileError`; an existing file is then unchanged.
  public func writeTakingFreeName(_ bytes: [UInt8]) throws(OutputFileError) -> String {
    try write(bytes, takingFreeName: true)
  }

  private func write(
    _ bytes: [UInt8], takingFreeName takes: Bool
  ) throws(OutputFileError) -> String {
    guard path != "-" else {
      try write(bytes, to: standardOutput)
      return path
    }
    let file: WholeFile
    do {
      file = try WholeFile(path: path, mayReplace: mayReplace)
    } catch .notRegularFile {
      try writeThrough(bytes)
      return path
    } catch {
      throw OutputFileError(error, path: path)
    }
    return try write(bytes, andKeep: file, takingFreeName: takes)
  }

  private func write(
    _ bytes: [UInt8], andKeep file: consuming WholeFile, takingFreeName takes: Bool
  ) throws(OutputFileError) -> String {
    do {
      try write(bytes, to: file.descriptor)
    } catch {
      close(file.descriptor)
      throw error
    }
    guard close(file.descriptor) == 0 else { throw .cannotWrite(path: path, code: errno) }
    do {
      if takes { return try file.keepUnderFreeName() }
      try file.keep()
      return path
    } catch {
      throw OutputFileError(error, path: path)
    }
  }

  private func writeThrough(_ bytes: [UInt8]) throws(OutputFileError) {
    let descriptor = try openedDevice()
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
  }

  private func openedDevice() throws(OutputFileError) -> Int32 {
    let descriptor = path.withSystemPath { unsafe open($0, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotCreate(path: path, code: errno) }
    return descriptor
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputFileError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw .cannotWrite(path: name, code: errno)
      }
    }
  }
}

extension OutputFileError {
  fileprivate init(_ error: WholeFileError, path: String) {
    self =
      switch error {
      case .exists: .exists(path)
      case .dangling: .danglingLink(path)
      // Only a device or a pipe: a folder is refused by number.
      case .notRegularFile: .cannotCreate(path: path, code: EINVAL)
      case .refused(let code): .cannotCreate(path: path, code: code)
      }
  }
}

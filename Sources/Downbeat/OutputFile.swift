// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A file that is written whole or not at all; `-` is standard output.
///
/// The bytes go to a file under a passing name in the same folder, which then takes the final name
/// in one step. A device or a pipe is written to as it is.
public struct OutputFile: Sendable {
  /// The path as it was given, or `standard output`.
  public let name: String
  private let path: String
  private let mayReplace: Bool

  private static let count = Atomic<Int>(0)

  /// Names a file.
  ///
  /// - Parameters:
  ///   - path: The path; `-` is standard output.
  ///   - overwrite: Whether a file that is there already may be replaced.
  /// - Throws: `OutputFileError.exists`, so that nothing is done in vain.
  public init(path: String, overwrite: Bool) throws(OutputFileError) {
    self.path = path
    name = path == "-" ? "standard output" : path
    mayReplace = overwrite
    if path != "-", !overwrite, Self.kind(of: path) == S_IFREG { throw .exists(path) }
  }

  /// Writes the file.
  ///
  /// - Throws: `OutputFileError`; the file is then as it was.
  public func write(_ bytes: [UInt8]) throws(OutputFileError) {
    guard path != "-" else { return try write(bytes, to: STDOUT_FILENO) }
    switch Self.kind(of: path) {
    case nil, S_IFREG: try replace(with: bytes)
    case S_IFDIR: throw .cannotCreate(path: path, code: EISDIR)
    default: try writeThrough(bytes)
    }
  }

  /// The kind of file that is there, links followed; nil where there is none.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private func writeThrough(_ bytes: [UInt8]) throws(OutputFileError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotCreate(path: path, code: errno) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
  }

  private func replace(with bytes: [UInt8]) throws(OutputFileError) {
    let target = try Target(path)
    let serial = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    let passing = "\(target.folder).downbeat-\(getpid())-\(serial).part"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(passing, flags, target.mode ?? 0o666)
    guard descriptor >= 0 else { throw .cannotCreate(path: path, code: errno) }
    // After the last name is given this finds nothing to remove, which is no harm.
    defer { unsafe _ = unlink(passing) }
    if let mode = target.mode { fchmod(descriptor, mode) }
    do {
      try write(bytes, to: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw .cannotWrite(path: path, code: errno) }
    try name(passing, as: target)
  }

  /// Gives the finished file its name; without leave to replace, only where it is still free.
  private func name(_ passing: String, as target: Target) throws(OutputFileError) {
    if !mayReplace {
      if unsafe link(passing, target.path) == 0 { return }
      // Some file systems have no links: what is there is then looked for once more.
      guard errno != EEXIST, Self.kind(of: target.path) == nil else { throw .exists(path) }
    }
    guard unsafe rename(passing, target.path) == 0 else {
      throw .cannotCreate(path: path, code: errno)
    }
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

/// Where a file will really be, links followed, and the mode of the one that is there now.
private struct Target {
  let path: String
  let mode: mode_t?

  init(_ given: String) throws(OutputFileError) {
    var status = stat()
    guard unsafe stat(given, &status) == 0 else {
      (path, mode) = (given, nil)
      return
    }
    // A rename would replace a file that its owner has protected.
    guard unsafe access(given, W_OK) == 0 else {
      throw .cannotCreate(path: given, code: errno)
    }
    mode = status.st_mode & 0o777
    guard let real = unsafe realpath(given, nil) else {
      path = given
      return
    }
    defer { unsafe free(real) }
    path = unsafe String(cString: real)
  }

  var folder: String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WholeFiles

/// A sound file under a temporary name, which gets its name or is copied to a file descriptor when
/// it is complete.
struct TemporaryFile: ~Copyable {
  /// The final name of the file.
  private(set) var target: String
  /// The open file.
  let stream: FileStream
  private var file: WholeFile?
  /// The file descriptor for the bytes; negative if the file has a name.
  private let descriptor: Int32

  /// Creates a file in the folder of `target`.
  init(target: String, mayReplace: Bool) throws(SoundFileError) {
    let file: WholeFile
    do {
      file = try WholeFile(path: target, mayReplace: mayReplace)
    } catch {
      throw SoundFileError(error, path: target)
    }
    self.target = target
    stream = FileStream(descriptor: file.descriptor)
    descriptor = -1
    self.file = consume file
  }

  /// Creates a file whose bytes are copied to an open file descriptor, usually a pipe, when it is
  /// complete.
  init(descriptor: Int32, name: String) throws(SoundFileError) {
    stream = try FileStream.nameless(for: name)
    target = name
    file = nil
    self.descriptor = descriptor
  }

  /// Closes the file and gives it its name, or a free name nearby if its name is taken and
  /// `underFreeName` is true.
  mutating func keep(underFreeName: Bool) throws(SoundFileError) {
    guard descriptor < 0 else { return try passOn() }
    let code = stream.close()
    guard code == 0 else { throw .cannotWrite(path: target, code: code) }
    do {
      if underFreeName {
        target = try file?.keepUnderFreeName() ?? target
      } else {
        try file?.keep()
      }
    } catch {
      throw SoundFileError(error, path: target)
    }
  }

  private func passOn() throws(SoundFileError) {
    let copy = dup(descriptor)
    guard copy >= 0 else { throw .cannotWrite(path: target, code: errno) }
    _ = stream.seek(0, SEEK_SET)
    let code = stream.copyAll(to: FileStream(descriptor: copy))
    guard code == 0 else { throw .cannotWrite(path: target, code: code) }
  }
}

extension SoundFileError {
  fileprivate init(_ error: WholeFileError, path: String) {
    self =
      switch error {
      case .exists: .exists(path: path)
      case .dangling: .danglingLink(path: path)
      case .notRegularFile: .notRegularFile(path: path)
      case .refused(let code): .cannotCreate(path: path, code: code)
      }
  }
}

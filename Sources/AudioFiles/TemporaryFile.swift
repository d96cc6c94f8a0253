// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WholeFiles

/// A sound file that is being written: it appears whole under its name, or goes to an open
/// descriptor when it is complete.
struct TemporaryFile: ~Copyable {
  /// The name it is to have, or that it has.
  private(set) var target: String
  /// The open file.
  let stream: FileStream
  private var file: WholeFile?
  /// Where the bytes go in the end, in place of a name; below zero where there is a name.
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

  /// Creates a file whose bytes go to an open descriptor, a pipe as a rule, when it is complete.
  init(descriptor: Int32, name: String) throws(SoundFileError) {
    stream = try FileStream.nameless(for: name)
    target = name
    file = nil
    self.descriptor = descriptor
  }

  /// Closes the file and gives it its name, or, where the name is taken by now and this is asked
  /// for, a free one beside it.
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

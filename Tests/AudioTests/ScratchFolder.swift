// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A folder of its own for one test, removed with everything in it.
final class ScratchFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/downbeat-tests.XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw Failure(code: errno) }
    path = unsafe String(cString: made)
  }

  deinit {
    for name in names() { unsafe unlink(path(name)) }
    unsafe rmdir(path)
  }

  struct Failure: Error {
    let code: Int32
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in the folder, in order.
  func names() -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] {
    let descriptor = unsafe open(path(name), O_RDONLY)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let descriptor = unsafe open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Failure(code: errno)
    }
  }

  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }
}

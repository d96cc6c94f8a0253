// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A file under a passing name, beside the one it is to become.
///
/// It takes the final name in one step, complete, or leaves nothing behind.
struct TemporaryFile: ~Copyable {
  /// The name it is to have.
  let target: String
  /// The open file.
  let stream: FileStream
  private let path: String
  private var kept = false
  /// Where the bytes go in the end, in place of a name; below zero where there is a name.
  private let descriptor: Int32

  private static let count = Atomic<Int>(0)

  /// Creates a file in the folder of `target`.
  init(target: String) throws(SoundFileError) {
    let place = try Self.resolve(target)
    let slash = place.path.lastIndex(of: "/")
    let folder = slash.map { String(place.path[...$0]) } ?? ""
    let serial = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    let path = "\(folder).downbeat-\(getpid())-\(serial).part"
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(path, flags, place.mode ?? 0o666)
    guard descriptor >= 0 else { throw .cannotCreate(path: target, code: errno) }
    if let mode = place.mode { fchmod(descriptor, mode) }
    self.path = path
    self.target = place.path
    self.descriptor = -1
    stream = FileStream(descriptor: descriptor)
  }

  /// Creates a file whose bytes go to an open descriptor, a pipe as a rule, when it is complete.
  init(descriptor: Int32, name: String) throws(SoundFileError) {
    stream = try FileStream.nameless(for: name)
    target = name
    path = ""
    self.descriptor = descriptor
  }

  deinit {
    if !kept { unsafe _ = unlink(path) }
  }

  /// Closes the file and gives it its name.
  mutating func keep() throws(SoundFileError) {
    guard descriptor < 0 else { return try passOn() }
    let code = stream.close()
    guard code == 0 else { throw .cannotWrite(path: target, code: code) }
    guard unsafe rename(path, target) == 0 else { throw .cannotCreate(path: target, code: errno) }
    kept = true
  }

  private mutating func passOn() throws(SoundFileError) {
    kept = true
    let copy = dup(descriptor)
    guard copy >= 0 else { throw .cannotWrite(path: target, code: errno) }
    _ = stream.seek(0, SEEK_SET)
    let code = stream.copyAll(to: FileStream(descriptor: copy))
    guard code == 0 else { throw .cannotWrite(path: target, code: code) }
  }

  /// Where the file will really be, and the mode of the one that is there now.
  private static func resolve(
    _ target: String
  ) throws(SoundFileError) -> (path: String, mode: mode_t?) {
    var status = stat()
    guard unsafe stat(target, &status) == 0 else { return (target, nil) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .cannotCreate(path: target, code: EISDIR)
    default: throw .notRegularFile(path: target)
    }
    // A rename would replace a file that its owner has protected.
    guard unsafe access(target, W_OK) == 0 else { throw .cannotCreate(path: target, code: errno) }
    guard let real = unsafe realpath(target, nil) else { return (target, status.st_mode & 0o777) }
    defer { unsafe free(real) }
    return unsafe (String(cString: real), status.st_mode & 0o777)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import FileNames
internal import Glibc
internal import WholeFiles

/// An open file that libsndfile reads and writes through, and that stores the first error.
///
/// libsndfile reports a full disk as a short count at best, and not at all when it closes a file.
/// Here each failed call leaves its error number.
final class FileStream {
  let descriptor: Int32
  /// The error number of the first call that failed, or 0.
  private(set) var failure: Int32 = 0
  private var isOpen = true
  /// The bytes if they are not in a file, and the position of the next one.
  private let memory: SoundBytes?
  private var memoryPlace: Int64 = 0

  init(descriptor: Int32) {
    self.descriptor = descriptor
    memory = nil
  }

  /// Creates a stream of bytes that are not in a file.
  init(_ bytes: SoundBytes) {
    descriptor = -1
    memory = bytes
    isOpen = false
  }

  deinit {
    if isOpen { Glibc.close(descriptor) }
  }

  /// Closes the file; returns the first error number, or 0.
  func close() -> Int32 {
    if isOpen, Glibc.close(descriptor) != 0 { note(errno) }
    isOpen = false
    return failure
  }

  private func note(_ code: Int32) {
    if failure == 0 { failure = code }
  }

  /// Opens a file for reading.
  ///
  /// A file that does not support seeking, such as a pipe, is first copied to a file without a
  /// name, because most formats need seeks.
  ///
  /// - Throws: `SoundFileError.tooMuch` if the copy would exceed `limit` bytes; `.notSoundFile` as
  ///   soon as the bytes are known not to be sound; `.cannotOpen`.
  static func reading(_ path: String, limit: Int) throws(SoundFileError) -> FileStream {
    let descriptor = path.withSystemPath { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
    var status = stat()
    let isFolder = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    let stream = FileStream(descriptor: descriptor)
    guard !isFolder else { throw .cannotOpen(path: path, code: EISDIR) }
    return try stream.seekable(path, limit: limit)
  }

  /// Reads from a duplicate of an open descriptor, which stays open.
  static func reading(
    descriptor: Int32, name: String, limit: Int
  ) throws(SoundFileError) -> FileStream {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .cannotOpen(path: name, code: errno) }
    return try FileStream(descriptor: copy).seekable(name, limit: limit)
  }

  private func seekable(_ path: String, limit: Int) throws(SoundFileError) -> FileStream {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
      return self
    }
    let copy = try FileStream.nameless(for: path)
    for end in [min(limit, Self.judged), limit] {
      let failure = copyAll(to: copy, upTo: end)
      guard failure == 0 else { throw .cannotOpen(path: path, code: failure) }
      if copy.length < end { break }
      try SoundFileHandle.judge(beginning: copy, path: path)
    }
    guard copy.length < limit else { throw .tooMuch(path: path, limit: limit) }
    _ = copy.seek(0, SEEK_SET)
    return copy
  }

  /// Creates a file without a name, which is deleted when the stream is closed.
  static func nameless(for path: String) throws(SoundFileError) -> FileStream {
    do throws(PrivateFolder.Refusal) {
      return FileStream(descriptor: try PrivateFolder.unnamedFile())
    } catch {
      throw .cannotCreate(path: path, code: error.code)
    }
  }

  /// The number of bytes after which a pipe is checked for a known format.
  private static let judged = 1 << 20

  /// Copies from the current position to the end, or until the other file has `limit` bytes;
  /// returns the error number of a failure, or 0.
  func copyAll(to other: FileStream, upTo limit: Int = .max) -> Int32 {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var done = limit == .max ? 0 : Int(clamping: other.length)
    while done < limit {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        let count = unsafe read(base, min(bytes.count, limit - done))
        return unsafe other.write(base, count)
      }
      guard failure == 0, other.failure == 0 else { return failure == 0 ? other.failure : failure }
      if count == 0 { return 0 }
      done += count
    }
    return 0
  }

  /// The number of bytes in the file.
  var length: Int64 {
    if let memory { return memory.byteCount }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      note(errno)
      return -1
    }
    return Int64(status.st_size)
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard memory == nil else { return seekMemory(offset, whence) }
    let place = lseek(descriptor, Int(offset), whence)
    if place < 0 { note(errno) }
    return Int64(place)
  }

  private func seekMemory(_ offset: Int64, _ whence: Int32) -> Int64 {
    let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memoryPlace : length
    let (place, isTooLarge) = base.addingReportingOverflow(offset)
    guard !isTooLarge, place >= 0 else { return -1 }
    memoryPlace = place
    return place
  }

  /// Reads from the current position, or from an offset without changing the current position.
  func read(_ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64? = nil) -> Int {
    if let memory {
      let done = unsafe memory.copy(offset ?? memoryPlace, bytes, count)
      if offset == nil { memoryPlace += Int64(done) }
      return done
    }
    var done = 0
    while done < count {
      let step =
        if let offset {
          unsafe Glibc.pread(descriptor, bytes + done, count - done, Int(offset) + done)
        } else {
          unsafe Glibc.read(descriptor, bytes + done, count - done)
        }
      if step == 0 { break }
      if step > 0 {
        done += step
      } else if errno != EINTR {
        note(errno)
        break
      }
    }
    return done
  }

  func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    var done = 0
    while done < count {
      let step = unsafe Glibc.write(descriptor, bytes + done, count - done)
      if step >= 0 {
        done += step
      } else if errno != EINTR {
        note(errno)
        break
      }
    }
    return done
  }
}

extension FileStream {
  /// Opens a sound file on this stream; nil if libsndfile fails and keeps the reason.
  func open(
    _ library: UnsafePointer<CSndFileTable>, mode: Int, shape: inout SF_INFO
  ) -> OpaquePointer? {
    var callbacks = unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe FileStream.at($0).length },
      seek: { unsafe FileStream.at($2).seek($0, $1) },
      read: { bytes, count, stream in
        guard let bytes = unsafe bytes else { return 0 }
        return unsafe Int64(FileStream.at(stream).read(bytes, Int(count)))
      },
      write: { bytes, count, stream in
        guard let bytes = unsafe bytes else { return 0 }
        return unsafe Int64(FileStream.at(stream).write(bytes, Int(count)))
      },
      tell: { unsafe FileStream.at($0).seek(0, SEEK_CUR) })
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe library.pointee.open_virtual(&callbacks, Int32(mode), &shape, context)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> FileStream {
    guard let context = unsafe context else {
      preconditionFailure("internal error: libsndfile called back without a stream")
    }
    return unsafe Unmanaged<FileStream>.fromOpaque(context).takeUnretainedValue()
  }
}

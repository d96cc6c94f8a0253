// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc

/// An open file that libsndfile reads and writes through, and that remembers what failed.
///
/// libsndfile reports a full disk as a short count at best, and not at all when it closes a file;
/// here every failing call leaves its error number.
final class FileStream {
  let descriptor: Int32
  /// The error number of the first call that failed, or 0.
  private(set) var failure: Int32 = 0
  private var isOpen = true

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    if isOpen { Glibc.close(descriptor) }
  }

  /// Closes the file; returns the first error number there was, or 0.
  func close() -> Int32 {
    if isOpen, Glibc.close(descriptor) != 0 { note(errno) }
    isOpen = false
    return failure
  }

  private func note(_ code: Int32) {
    if failure == 0 { failure = code }
  }

  /// The number of bytes in the file.
  var length: Int64 {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      note(errno)
      return -1
    }
    return Int64(status.st_size)
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let place = lseek(descriptor, Int(offset), whence)
    if place < 0 { note(errno) }
    return Int64(place)
  }

  func read(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    var done = 0
    while done < count {
      let step = unsafe Glibc.read(descriptor, bytes + done, count - done)
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
  /// Opens a sound file over this stream, or returns nil and leaves the reason with libsndfile.
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
    guard let context = unsafe context else { preconditionFailure("libsndfile lost its stream") }
    return unsafe Unmanaged<FileStream>.fromOpaque(context).takeUnretainedValue()
  }
}

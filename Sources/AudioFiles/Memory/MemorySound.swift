// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc

/// A sound file in memory with one channel, such as a sample of an SF3 soundfont.
@safe
package final class MemorySound {
  private let bytes: [UInt8]
  /// The position at which libsndfile reads next.
  private var place = MemoryPlace()
  private let library: UnsafePointer<CSndFileTable>
  private var handle: OpaquePointer?
  /// The number of frames as the stream's header and pages state it, 0…2⁶³ − 1.
  package private(set) var frameCount: Int

  /// Opens the file; nil if it is not sound, has several channels, or libsndfile is missing.
  package init?(_ bytes: [UInt8]) {
    guard let library = unsafe csndfile_table() else { return nil }
    self.bytes = bytes
    unsafe self.library = library
    unsafe handle = nil
    frameCount = 0
    var shape = SF_INFO()
    unsafe handle = open(&shape)
    guard unsafe handle != nil, shape.channels == 1 else { return nil }
    frameCount = Int(max(0, shape.frames))
  }

  deinit {
    if let handle = unsafe handle { unsafe _ = library.pointee.close(handle) }
  }

  /// Reads frames from the current position, rounded by libsndfile; returns the number read, 0 at
  /// the end or on failure.
  package func read(_ frames: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard let base = frames.baseAddress else { return 0 }
    return unsafe Int(max(0, library.pointee.readf_short(handle, base, Int64(frames.count))))
  }

  private func open(_ shape: inout SF_INFO) -> OpaquePointer? {
    var callbacks = unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe Int64(MemorySound.at($0).bytes.count) },
      seek: { unsafe MemorySound.at($2).seek($0, $1) },
      read: { into, count, block in
        guard let into = unsafe into else { return 0 }
        return unsafe Int64(MemorySound.at(block).copy(into, Int(count)))
      },
      write: nil, tell: { unsafe Int64(MemorySound.at($0).place.offset) })
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe library.pointee.open_virtual(&callbacks, Int32(SFM_READ), &shape, context)
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    place.seek(offset, whence, in: bytes.count)
  }

  private func copy(_ into: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let count = max(0, min(count, bytes.count - place.offset))
    unsafe bytes.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      unsafe into.copyMemory(from: base + place.offset, byteCount: count)
    }
    place.offset += count
    return count
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> MemorySound {
    guard let context = unsafe context else {
      preconditionFailure("internal error: libsndfile called back without a buffer")
    }
    return unsafe Unmanaged<MemorySound>.fromOpaque(context).takeUnretainedValue()
  }
}

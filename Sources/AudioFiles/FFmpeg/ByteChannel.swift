// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import Glibc

/// A stream of this module that FFmpeg reads or writes through, so that it does not open files.
@safe
struct ByteChannel: ~Copyable {
  let context: OpaquePointer
  private let library: UnsafePointer<CFFmpegTable>
  private let stream: FileStream

  private static let bufferSize = 1 << 15

  /// Creates a channel for a stream, which stays open; nil if memory is insufficient.
  init?(_ stream: FileStream, _ library: UnsafePointer<CFFmpegTable>, writes: Bool) {
    guard let buffer = unsafe library.pointee.av_malloc(Self.bufferSize) else { return nil }
    let opaque = unsafe Unmanaged.passUnretained(stream).toOpaque()
    let made = unsafe library.pointee.avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), writes ? 1 : 0, opaque,
      { unsafe ByteChannel.read($0, $1, $2) }, { unsafe ByteChannel.write($0, $1, $2) },
      { unsafe ByteChannel.seek($0, $1, $2) })
    guard let made = unsafe made else {
      unsafe library.pointee.av_free(buffer)
      return nil
    }
    unsafe self.context = made
    unsafe self.library = library
    self.stream = stream
  }

  deinit {
    // FFmpeg can replace the buffer.
    unsafe library.pointee.av_free(cffmpeg_AVIOContext_buffer(context))
    var context: OpaquePointer? = unsafe context
    unsafe library.pointee.avio_context_free(&context)
  }

  /// Attaches the channel to a container's reader or writer; the channel must outlive it.
  func attach(to container: OpaquePointer) {
    unsafe cffmpeg_set_AVFormatContext_pb(container, context)
    let flags = unsafe cffmpeg_AVFormatContext_flags(container)
    unsafe cffmpeg_set_AVFormatContext_flags(container, flags | Int32(AVFMT_FLAG_CUSTOM_IO))
  }

  private static func read(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
  ) -> Int32 {
    guard let bytes = unsafe bytes else { return cffmpeg_end() }
    let done = unsafe stream(context).read(bytes, Int(count))
    return done > 0 ? Int32(done) : cffmpeg_end()
  }

  private static func write(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
  ) -> Int32 {
    guard let bytes = unsafe bytes else { return -EINVAL }
    let done = unsafe stream(context).write(bytes, Int(count))
    return done == count ? count : -EIO
  }

  private static func seek(
    _ context: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
  ) -> Int64 {
    let stream = unsafe stream(context)
    if whence & Int32(AVSEEK_SIZE) != 0 { return stream.length }
    let whence = whence & 0xFFFF
    // A position before the start is an error in the file, not of the disk.
    guard whence != SEEK_SET || offset >= 0 else { return Int64(-EINVAL) }
    return stream.seek(offset, whence)
  }

  private static func stream(_ context: UnsafeMutableRawPointer?) -> FileStream {
    guard let context = unsafe context else {
      preconditionFailure("internal error: FFmpeg called back without a stream")
    }
    return unsafe Unmanaged<FileStream>.fromOpaque(context).takeUnretainedValue()
  }
}

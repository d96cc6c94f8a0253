// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Owns an FFmpeg packet.
@safe
struct PacketHandle: ~Copyable {
  let packet: OpaquePointer
  private let library: UnsafePointer<CFFmpegTable>

  /// Creates an empty packet; nil if memory is insufficient.
  init?(_ library: UnsafePointer<CFFmpegTable>) {
    guard let packet = unsafe library.pointee.av_packet_alloc() else { return nil }
    unsafe self.packet = packet
    unsafe self.library = library
  }

  deinit {
    var packet: OpaquePointer? = unsafe packet
    unsafe library.pointee.av_packet_free(&packet)
  }

  /// Releases the bytes.
  func clear() { unsafe library.pointee.av_packet_unref(packet) }

  /// Copies bytes into the packet; returns false for an empty slice, or if memory is insufficient.
  func fill(with source: ArraySlice<UInt8>) -> Bool {
    clear()
    guard !source.isEmpty, let count = Int32(exactly: source.count),
      unsafe library.pointee.av_new_packet(packet, count) == 0,
      let bytes = unsafe cffmpeg_AVPacket_data(packet)
    else { return false }
    unsafe source.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe bytes.update(from: base, count: $0.count)
    }
    return true
  }

  /// The bytes of the packet.
  var bytes: [UInt8] {
    guard let data = unsafe cffmpeg_AVPacket_data(packet) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: data, count: Int(cffmpeg_AVPacket_size(packet))))
  }

  var frameDuration: Int64 { unsafe cffmpeg_AVPacket_duration(packet) }
  var streamIndex: Int { unsafe Int(cffmpeg_AVPacket_stream_index(packet)) }
}

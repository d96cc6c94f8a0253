// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The owner of one of FFmpeg's packets.
@safe
struct PacketHandle: ~Copyable {
  let packet: UnsafeMutablePointer<AVPacket>
  private let library: UnsafePointer<CFFmpegTable>

  /// Creates an empty packet; nil without memory.
  init?(_ library: UnsafePointer<CFFmpegTable>) {
    guard let packet = unsafe library.pointee.av_packet_alloc() else { return nil }
    unsafe self.packet = packet
    unsafe self.library = library
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe library.pointee.av_packet_free(&packet)
  }

  /// Lets go of the bytes.
  func clear() { unsafe library.pointee.av_packet_unref(packet) }

  /// Takes bytes; false where there are none, or no memory.
  func fill(with source: ArraySlice<UInt8>) -> Bool {
    clear()
    guard !source.isEmpty, let count = Int32(exactly: source.count),
      unsafe library.pointee.av_new_packet(packet, count) == 0,
      let bytes = unsafe packet.pointee.data
    else { return false }
    unsafe source.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe bytes.update(from: base, count: $0.count)
    }
    return true
  }

  /// The bytes.
  var bytes: [UInt8] {
    guard let data = unsafe packet.pointee.data else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
  }

  var frameDuration: Int64 { unsafe packet.pointee.duration }
  var streamIndex: Int { unsafe Int(packet.pointee.stream_index) }
}

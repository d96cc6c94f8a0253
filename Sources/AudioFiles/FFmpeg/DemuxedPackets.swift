// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The packets that FFmpeg reads from a container.
///
/// FFmpeg removes priming and remainder when it decodes.
@safe
final class DemuxedPackets: PacketFeed {
  let isIndexed = false
  private let stream: FileStream
  private let library: UnsafePointer<CFFmpegTable>
  private let path: String
  private(set) var demuxer: DemuxerHandle

  init(
    _ stream: FileStream, _ library: UnsafePointer<CFFmpegTable>, path: String
  ) throws(SoundFileError) {
    self.stream = stream
    unsafe self.library = library
    self.path = path
    demuxer = try unsafe DemuxerHandle(stream, library, path: path)
  }

  var parameters: OpaquePointer { unsafe demuxer.parameters }

  func next(into packet: borrowing PacketHandle) -> FedPacket? {
    demuxer.read(packet) ? FedPacket(firstFrame: nil, isWhole: true) : nil
  }

  /// Restarts at the beginning, whose position alone is reliable: the times of a container can be
  /// rounded, and its index wrong.
  func locate(forFrame frame: Int64) -> Int64? {
    do {
      demuxer = try unsafe DemuxerHandle(stream, library, path: path)
    } catch {
      return nil
    }
    return 0
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Packets that FFmpeg takes out of a container.
///
/// What is not sound at the two ends FFmpeg leaves out itself, as it decodes.
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

  /// Only the beginning is sure to be where it is said to be: a container's times may be rounded,
  /// and an index may be wrong.
  func locate(forFrame frame: Int64) -> Int64? {
    do {
      demuxer = try unsafe DemuxerHandle(stream, library, path: path)
    } catch {
      return nil
    }
    return 0
  }
}

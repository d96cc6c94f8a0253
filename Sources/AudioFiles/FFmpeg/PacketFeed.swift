// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg

/// Provides a decoder with packets in their order.
protocol PacketFeed: AnyObject {
  /// True if a seek to any position takes about the same time.
  var isIndexed: Bool { get }
  /// The parameters for a decoder, valid until the next call of `locate`.
  var parameters: OpaquePointer { get }
  /// Reads the next packet.
  ///
  /// - Returns: The packet's position and state; nil at the end.
  func next(into packet: borrowing PacketHandle) -> FedPacket?
  /// Seeks to a packet from which a frame is decoded exactly.
  ///
  /// - Returns: The first frame to which the next packet decodes; nil if the seek fails.
  func locate(forFrame frame: Int64) -> Int64?
}

/// The state of a packet that was read from a feed.
struct FedPacket {
  /// The first frame to which it decodes; nil if only decoding can determine it.
  let firstFrame: Int64?
  /// True if its bytes could be read.
  let isWhole: Bool
}

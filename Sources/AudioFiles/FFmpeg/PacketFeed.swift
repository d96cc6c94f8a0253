// SPDX-License-Identifier: Apache-2.0

internal import CFFmpeg

/// What a decoder gets its packets from, in their order.
protocol PacketFeed: AnyObject {
  /// Whether any place is as near as any other.
  var isIndexed: Bool { get }
  /// What a decoder is to know beforehand, until the feed is located anew.
  var parameters: OpaquePointer { get }
  /// Takes the next packet.
  ///
  /// - Returns: the number of the first frame that it decodes to, or nil where that is not known
  ///   from outside; nothing at the end.
  func next(into packet: borrowing PacketHandle) -> FedPacket?
  /// Goes back, or ahead, so far that a frame comes out right when all from there is decoded.
  ///
  /// - Returns: the number of the first frame that the next packet decodes to; nil where it fails.
  func locate(forFrame frame: Int64) -> Int64?
}

/// A packet that was taken from a feed.
struct FedPacket {
  /// The number of the first frame that it decodes to; nil where only decoding tells.
  let firstFrame: Int64?
  /// Whether its bytes could be read.
  let isWhole: Bool
}

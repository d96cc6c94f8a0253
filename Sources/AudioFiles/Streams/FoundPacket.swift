// SPDX-License-Identifier: Apache-2.0

/// A packet that a parser found, before it is numbered.
struct FoundPacket {
  /// The position in the stream in bytes.
  var offset: Int64
  /// The number of bytes including the header.
  var byteCount: Int
  /// The number of bytes of a header that decoders do not need; otherwise 0.
  var headerByteCount = 0
  /// The bytes for the decoder.
  var bytes: ArraySlice<UInt8>
  /// The number of frames in it, 0 or more.
  var frameCount: Int
  /// The time of its first frame that the container states; nil if it does not.
  var time: Int64?
  /// The frames that are not sound, counted from its first.
  var omittedFrames: [Range<Int>] = []

  /// Creates a packet.
  init(
    offset: Int64, byteCount: Int, headerByteCount: Int = 0, bytes: ArraySlice<UInt8>,
    frameCount: Int, time: Int64? = nil, omittedFrames: [Range<Int>] = []
  ) {
    (self.offset, self.byteCount, self.headerByteCount) = (offset, byteCount, headerByteCount)
    (self.bytes, self.frameCount) = (bytes, frameCount)
    (self.time, self.omittedFrames) = (time, omittedFrames)
  }
}

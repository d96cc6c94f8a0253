// SPDX-License-Identifier: Apache-2.0

/// The container-specific part of a packet writer.
protocol PacketBody {
  /// Adds a packet.
  mutating func write(_ packet: [UInt8], frameCount: Int) throws(PacketRefusal)
  /// Finishes the file.
  mutating func finish(
    _ extent: PacketExtent, _ metadata: SoundFileMetadata
  ) throws(PacketRefusal)
}

/// The number of decoded frames of a file, and of those that are not sound.
struct PacketExtent {
  var decodedFrameCount: Int64 = 0
  var priming = 0
  var remainder = 0

  /// Frames of sound.
  var frameCount: Int64 { max(0, decodedFrameCount - Int64(priming) - Int64(remainder)) }
}

/// The reason for which a container rejects a packet.
struct PacketRefusal: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Collects bytes before they are written to a file.
struct ByteBuffer {
  private let stream: FileStream
  private var waiting: [UInt8] = []

  init(_ stream: FileStream) { self.stream = stream }

  /// Adds bytes; the stream keeps an error if the disk is full.
  mutating func append(_ bytes: [UInt8]) {
    waiting += bytes
    if waiting.count >= 1 << 16 { flush() }
  }

  /// Writes all bytes.
  mutating func flush() {
    unsafe waiting.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { unsafe _ = stream.write(base, bytes.count) }
    }
    waiting.removeAll(keepingCapacity: true)
  }
}

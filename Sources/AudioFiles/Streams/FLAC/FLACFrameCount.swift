// SPDX-License-Identifier: Apache-2.0

/// Computes the positions of FLAC frames from the numbers in their headers.
///
/// Each stream in a chain numbers its frames from 0. A broadcast can start with any number.
struct FLACFrameCount: Sendable {
  /// The sample number of the stream's first frame; nil before it.
  private var origin: Int64?
  /// The positions of the stream's first frame and packet in the chain.
  private var base: (frame: Int64, packet: Int) = (0, 0)
  /// True if there can be a gap before the next frame.
  private(set) var hasGap = false

  /// Starts another stream.
  mutating func begin(_ ledger: PacketLedger) {
    (origin, hasGap) = (nil, false)
    base = (ledger.nextFrame, ledger.nextPacket)
  }

  /// Notes that bytes are missing, or that reading continues elsewhere.
  mutating func noteGap() { hasGap = true }

  /// The sample number of a frame in its stream.
  static func sample(_ header: FLACFrameHeader, in stream: FLACStreamBlock) -> Int64 {
    header.isVariable
      ? header.number : header.number * Int64(stream.fixedBlock ?? stream.largestBlock)
  }

  /// Sets the position of the next packet, before it is added.
  mutating func locate(
    _ header: FLACFrameHeader, in stream: FLACStreamBlock, at offset: Int64,
    _ ledger: inout PacketLedger
  ) {
    let sample = Self.sample(header, in: stream)
    let origin = origin ?? (ledger.needsPlace ? 0 : sample)
    self.origin = origin
    guard hasGap else { return }
    hasGap = false
    let frame = base.frame &+ (sample - origin)
    guard (0...PacketLedger.mostFrames).contains(frame) else { return }
    ledger.locate(
      packet: packet(of: frame, in: stream, at: offset, ledger), frame: frame, isEstimated: false)
  }

  /// The position in the chain of a sample number of the stream.
  func frame(ofSample sample: Int64) -> Int64 { base.frame &+ sample &- (origin ?? 0) }

  /// The sample number in the stream of a position in the chain.
  func sample(ofFrame frame: Int64) -> Int64 { frame &- base.frame &+ (origin ?? 0) }

  /// The index of the packet with a frame: exact if all packets have the same size or if it was
  /// found before.
  func packet(
    of frame: Int64, in stream: FLACStreamBlock, at offset: Int64?, _ ledger: PacketLedger
  ) -> Int {
    let size = Int64(stream.fixedBlock ?? stream.largestBlock)
    let packet = base.packet &+ Int(clamping: (frame &- base.frame) / size)
    guard stream.fixedBlock == nil else { return max(0, packet) }
    if let offset, case let (known, isEstimated) = ledger.packet(at: offset), !isEstimated {
      return known
    }
    // The packet that would extend the list of known offsets is avoided.
    return max(packet, ledger.places.count + 1)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension MIDIPacket {
  /// The bytes of a packet as a collection, valid while the packet exists.
  @unsafe
  public struct ByteCollection {
    fileprivate let packet: UnsafePointer<MIDIPacket>

    /// Creates a collection of the bytes of a packet.
    ///
    /// - Parameter p: The packet, which may be longer than 256 bytes.
    public init(_ p: UnsafePointer<MIDIPacket>) {
      unsafe packet = p
    }

    /// Creates a collection of the bytes of a packet, or returns nil for nil.
    ///
    /// - Parameter p: The packet, which may be longer than 256 bytes, or nil.
    public init?(_ p: UnsafePointer<MIDIPacket>?) {
      guard let p = unsafe p else { return nil }
      unsafe self.init(p)
    }
  }

  /// The bytes of a packet as a sequence, valid while the packet exists.
  @unsafe
  public struct ByteSequence: @unsafe Sequence {
    fileprivate let packet: UnsafePointer<MIDIPacket>

    /// The number of bytes.
    public var count: Int { unsafe Int(CoreAudioPacketLength(packet)) }

    /// Returns an iterator over the bytes.
    public func makeIterator() -> UnsafeBufferPointer<UInt8>.Iterator {
      unsafe UnsafeBufferPointer(start: CoreAudioPacketBytes(packet), count: count).makeIterator()
    }
  }
}

extension MIDIPacket.ByteCollection: @unsafe RandomAccessCollection {
  /// The first index, 0.
  public var startIndex: Int { 0 }

  /// The number of bytes, which is the index after the last byte.
  public var endIndex: Int { unsafe Int(CoreAudioPacketLength(packet)) }

  /// The byte at a position.
  ///
  /// - Parameter position: The position, from 0.
  public subscript(position: Int) -> UInt8 {
    precondition(unsafe position >= 0 && position < endIndex, "byte outside of a packet")
    return unsafe CoreAudioPacketBytes(packet)[position]
  }
}

extension UnsafePointer where Pointee == MIDIPacket {
  /// Returns the bytes of the packet as a sequence.
  public func sequence() -> MIDIPacket.ByteSequence {
    unsafe MIDIPacket.ByteSequence(packet: self)
  }

  /// Returns the bytes of the packet as a collection.
  public func bytes() -> MIDIPacket.ByteCollection { unsafe MIDIPacket.ByteCollection(self) }
}

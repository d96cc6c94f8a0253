// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension MIDIPacketList {
  /// The packets of a list as a sequence of pointers, valid while the list exists.
  @unsafe
  public struct UnsafeSequence: @unsafe Sequence {
    /// A pointer to a packet in the list.
    public typealias Element = UnsafePointer<MIDIPacket>

    fileprivate let list: UnsafePointer<MIDIPacketList>

    /// The number of packets.
    public var count: Int { unsafe Int(CoreAudioPacketCount(list)) }

    /// Returns an iterator over the packets.
    public func makeIterator() -> Iterator { unsafe Iterator(self) }

    /// An iterator over the packets of a list.
    @unsafe
    public struct Iterator: @unsafe IteratorProtocol {
      private var upcoming: UnsafePointer<MIDIPacket>
      private var left: Int

      /// Creates an iterator that begins with the first packet.
      ///
      /// - Parameter sequence: The packets.
      public init(_ sequence: UnsafeSequence) {
        unsafe upcoming = CoreAudioFirstPacket(sequence.list)
        unsafe left = sequence.count
      }

      /// Returns the next packet, or nil after the last.
      public mutating func next() -> UnsafePointer<MIDIPacket>? {
        guard unsafe left > 0 else { return nil }
        unsafe left -= 1
        let packet = unsafe upcoming
        // The memory behind the last packet may not be read.
        if unsafe left > 0 { unsafe upcoming = UnsafePointer(MIDIPacketNext(packet)) }
        return unsafe packet
      }
    }
  }

  /// Returns the size of a list with all of its packets.
  ///
  /// - Parameter pktList: The list.
  /// - Returns: The size in bytes, up to the last byte of the last packet.
  public static func sizeInBytes(pktList: UnsafePointer<MIDIPacketList>) -> Int {
    let start = unsafe UnsafeRawPointer(pktList)
    var end = unsafe UnsafeRawPointer(CoreAudioFirstPacket(pktList))
    var packets = unsafe pktList.unsafeSequence().makeIterator()
    while let packet = unsafe packets.next() {
      unsafe end =
        UnsafeRawPointer(CoreAudioPacketBytes(packet)) + Int(CoreAudioPacketLength(packet))
    }
    return unsafe end - start
  }
}

extension UnsafePointer where Pointee == MIDIPacketList {
  /// Returns the packets of the list.
  public func unsafeSequence() -> MIDIPacketList.UnsafeSequence {
    unsafe MIDIPacketList.UnsafeSequence(list: self)
  }
}

extension UnsafeMutablePointer where Pointee == MIDIPacketList {
  /// Returns the packets of the list.
  public func unsafeSequence() -> MIDIPacketList.UnsafeSequence {
    unsafe UnsafePointer(self).unsafeSequence()
  }
}

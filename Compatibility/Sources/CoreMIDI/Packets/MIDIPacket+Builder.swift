// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import Foundation

extension MIDIPacket {
  /// Builds a packet of any length.
  @safe
  public class Builder {
    /// The maximum number of bytes in the packet.
    public let capacity: Int
    private let packet: UnsafeMutablePointer<MIDIPacket>

    /// Creates an empty packet.
    ///
    /// - Parameter maximumNumberMIDIBytes: The maximum number of bytes, 1…65,535.
    public init(maximumNumberMIDIBytes: Int) {
      precondition(
        maximumNumberMIDIBytes > 0 && maximumNumberMIDIBytes <= Int(UInt16.max),
        "a packet has 1 to 65535 bytes")
      capacity = maximumNumberMIDIBytes
      // Programs copy the struct, which is declared with 256 bytes.
      let size = MemoryLayout<MIDIPacket>.size + max(0, maximumNumberMIDIBytes - 256)
      guard let memory = unsafe calloc(1, size) else { fatalError("no memory for a MIDIPacket") }
      unsafe packet = memory.bindMemory(to: MIDIPacket.self, capacity: 1)
    }

    deinit {
      unsafe free(packet)
    }

    /// The number of bytes.
    public var count: Int { unsafe Int(packet.pointee.length) }

    /// The time of the packet as host time in nanoseconds; 0 means now.
    public var timeStamp: Int {
      get { unsafe Int(truncatingIfNeeded: packet.pointee.timeStamp) }
      set { unsafe packet.pointee.timeStamp = MIDITimeStamp(truncatingIfNeeded: newValue) }
    }

    /// Appends bytes.
    ///
    /// - Parameter midiBytes: The bytes. If they do not fit, the process stops with a fatal error.
    public func append(_ midiBytes: UInt8...) {
      precondition(midiBytes.count <= capacity - count, "no room in the packet")
      let bytes = unsafe UnsafeMutablePointer(mutating: CoreAudioPacketBytes(packet))
      for (index, byte) in midiBytes.enumerated() { unsafe bytes[count + index] = byte }
      unsafe packet.pointee.length += UInt16(midiBytes.count)
    }

    /// Calls a closure with the packet.
    ///
    /// - Parameter body: Receives the packet, which is valid during the call.
    /// - Returns: The result of the closure.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIPacket>) throws -> Result
    ) rethrows -> Result {
      try withExtendedLifetime(self) { try unsafe body(UnsafePointer(packet)) }
    }

    /// Calls a closure with the packet, which it may change.
    ///
    /// - Parameter body: Receives the packet, which is valid during the call.
    /// - Returns: The result of the closure.
    public func withUnsafeMutableMIDIPacketPointer<Result>(
      _ body: (inout UnsafeMutableMIDIPacketPointer) throws -> Result
    ) rethrows -> Result {
      var pointer = unsafe UnsafeMutableMIDIPacketPointer(packet)
      return try withExtendedLifetime(self) { try unsafe body(&pointer) }
    }
  }
}

/// The bytes of a packet as a collection whose elements can be changed.
@unsafe
public struct UnsafeMutableMIDIPacketPointer {
  private let packet: UnsafeMutablePointer<MIDIPacket>

  /// Creates a collection of the bytes of a packet.
  ///
  /// - Parameter p: The packet, which may be longer than 256 bytes.
  public init(_ p: UnsafeMutablePointer<MIDIPacket>) {
    unsafe packet = p
  }

  /// Creates a collection of the bytes of a packet; returns nil if the packet is nil.
  ///
  /// - Parameter p: The packet, which may be longer than 256 bytes, or nil.
  public init?(_ p: UnsafeMutablePointer<MIDIPacket>?) {
    guard let p = unsafe p else { return nil }
    unsafe self.init(p)
  }

  /// The time of the packet as host time in nanoseconds; 0 means now.
  public var timeStamp: Int {
    get { unsafe Int(truncatingIfNeeded: CoreAudioPacketTime(packet)) }
    nonmutating set {
      unsafe UnsafeMutableRawPointer(packet).storeBytes(
        of: MIDITimeStamp(truncatingIfNeeded: newValue), as: MIDITimeStamp.self)
    }
  }

  /// The number of bytes.
  ///
  /// It can be set up to the number of bytes that are allocated.
  public var count: Int {
    get { unsafe Int(CoreAudioPacketLength(packet)) }
    nonmutating set {
      unsafe UnsafeMutableRawPointer(packet).storeBytes(
        of: UInt16(newValue), toByteOffset: MemoryLayout<MIDITimeStamp>.size, as: UInt16.self)
    }
  }
}

extension UnsafeMutableMIDIPacketPointer: @unsafe MutableCollection,
  @unsafe RandomAccessCollection
{
  /// The first index, 0.
  public var startIndex: Int { 0 }

  /// The number of bytes, which is the index after the last byte.
  public var endIndex: Int { unsafe count }

  /// The byte at a position.
  ///
  /// - Parameter position: The position, from 0.
  public subscript(position: Int) -> UInt8 {
    get {
      precondition(unsafe position >= 0 && position < count, "byte outside of a packet")
      return unsafe CoreAudioPacketBytes(packet)[position]
    }
    nonmutating set {
      precondition(unsafe position >= 0 && position < count, "byte outside of a packet")
      unsafe UnsafeMutablePointer(mutating: CoreAudioPacketBytes(packet))[position] = newValue
    }
  }
}

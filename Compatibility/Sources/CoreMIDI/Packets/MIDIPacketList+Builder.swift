// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import Foundation

extension MIDIPacketList {
  /// Builds a list of packets.
  @safe
  public class Builder {
    private let memory: UnsafeMutablePointer<MIDIPacketList>
    private var list: UnsafeMutableMIDIPacketListPointer

    /// Creates an empty list.
    ///
    /// - Parameter byteSize: The most bytes that it can have, at least 272.
    public init(byteSize: Int) {
      precondition(byteSize >= MemoryLayout<MIDIPacketList>.size, "a list has at least 272 bytes")
      guard let memory = unsafe calloc(1, byteSize) else {
        fatalError("no memory for a MIDIPacketList")
      }
      unsafe self.memory = memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
      unsafe list = UnsafeMutableMIDIPacketListPointer(self.memory, byteSize: byteSize)
    }

    deinit {
      unsafe free(memory)
    }

    /// The number of packets.
    public var count: Int { unsafe list.count }

    /// Removes all packets.
    public func clear() {
      unsafe list.clear()
    }

    /// Appends bytes; bytes of the last packet's time join that packet.
    ///
    /// - Parameters:
    ///   - timestamp: The time, in host time; 0 for now.
    ///   - data: The bytes.
    /// - Returns: The packet that contains them; nil if they do not fit, and from then
    ///   on until it is cleared.
    @discardableResult
    public func append(timestamp: MIDITimeStamp, data: [UInt8]) -> UnsafePointer<MIDIPacket>? {
      unsafe list.append(timestamp: timestamp, data: data)
    }

    /// Calls a closure with the list.
    ///
    /// - Parameter body: Receives the list, which is valid during the call.
    /// - Returns: The result of the closure.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIPacketList>) throws -> Result
    ) rethrows -> Result {
      try withExtendedLifetime(self) { try unsafe body(UnsafePointer(memory)) }
    }

    /// Calls a closure with the list, which it may change.
    ///
    /// - Parameter body: Receives the list, which is valid during the call.
    /// - Returns: The result of the closure.
    public func withUnsafeMutableMIDIPacketListPointer<Result>(
      _ body: (inout UnsafeMutableMIDIPacketListPointer) throws -> Result
    ) rethrows -> Result {
      try withExtendedLifetime(self) { try unsafe body(&list) }
    }
  }
}

/// A list of packets that can be changed.
///
/// It does not own the list.
@unsafe
public struct UnsafeMutableMIDIPacketListPointer: @unsafe Sequence {
  /// The most bytes that the list can have.
  public let listSizeInBytes: Int
  /// The packet to which bytes of its time are appended; nil if an append found no room.
  public private(set) var lastPacket: UnsafeMutablePointer<MIDIPacket>?
  private let list: UnsafeMutablePointer<MIDIPacketList>

  /// Makes a list empty.
  ///
  /// - Parameters:
  ///   - p: The list.
  ///   - byteSize: The bytes of its memory.
  public init(_ p: UnsafeMutablePointer<MIDIPacketList>, byteSize: Int) {
    unsafe listSizeInBytes = byteSize
    unsafe list = p
    unsafe lastPacket = MIDIPacketListInit(p)
  }

  /// Makes a list empty; nil for nil.
  ///
  /// - Parameters:
  ///   - p: The list, or nil.
  ///   - byteSize: The bytes of its memory.
  public init?(_ p: UnsafeMutablePointer<MIDIPacketList>?, byteSize: Int) {
    guard let p = unsafe p else { return nil }
    unsafe self.init(p, byteSize: byteSize)
  }

  /// The number of packets.
  public var count: Int { unsafe Int(CoreAudioPacketCount(list)) }

  /// Removes all packets.
  public mutating func clear() {
    unsafe lastPacket = MIDIPacketListInit(list)
  }

  /// Appends bytes; bytes of the last packet's time join that packet.
  ///
  /// - Parameters:
  ///   - timestamp: The time, in host time; 0 for now.
  ///   - data: The bytes.
  /// - Returns: The packet that contains them; nil if they do not fit, and from then on
  ///   until it is cleared.
  @discardableResult
  public mutating func append(
    timestamp: MIDITimeStamp, data: [UInt8]
  ) -> UnsafePointer<MIDIPacket>? {
    guard let last = unsafe lastPacket else { return nil }
    let added = unsafe data.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return unsafe last }
      return unsafe MIDIPacketListAdd(list, listSizeInBytes, last, timestamp, bytes.count, base)
    }
    unsafe lastPacket = UnsafeMutablePointer(bitPattern: Int(bitPattern: added))
    return unsafe lastPacket.map { unsafe UnsafePointer($0) }
  }

  /// Returns an iterator over the packets.
  public func makeIterator() -> MIDIPacketList.UnsafeSequence.Iterator {
    unsafe UnsafePointer(list).unsafeSequence().makeIterator()
  }
}

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
    /// - Parameter byteSize: The maximum size in bytes, at least 272.
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

    /// Appends bytes, to the last packet if it has the same time, otherwise as a new packet.
    ///
    /// - Parameters:
    ///   - timestamp: The time as host time in nanoseconds; 0 means now.
    ///   - data: The bytes.
    /// - Returns: The packet that contains the bytes, or nil if they do not fit. After that every
    ///   append fails until `clear` is called.
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

/// A pointer to a list of packets that can be changed.
///
/// It does not own the list.
@unsafe
public struct UnsafeMutableMIDIPacketListPointer: @unsafe Sequence {
  /// The maximum size of the list in bytes.
  public let listSizeInBytes: Int
  /// The packet to which bytes with the same time are appended; nil after an append that did not
  /// fit.
  public private(set) var lastPacket: UnsafeMutablePointer<MIDIPacket>?
  private let list: UnsafeMutablePointer<MIDIPacketList>

  /// Creates a pointer to a list, and removes its packets.
  ///
  /// - Parameters:
  ///   - p: The list.
  ///   - byteSize: The size of the list's memory in bytes.
  public init(_ p: UnsafeMutablePointer<MIDIPacketList>, byteSize: Int) {
    unsafe listSizeInBytes = byteSize
    unsafe list = p
    unsafe lastPacket = MIDIPacketListInit(p)
  }

  /// Creates a pointer to a list and removes its packets, or returns nil for nil.
  ///
  /// - Parameters:
  ///   - p: The list; may be nil.
  ///   - byteSize: The size of the list's memory in bytes.
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

  /// Appends bytes, to the last packet if it has the same time, otherwise as a new packet.
  ///
  /// - Parameters:
  ///   - timestamp: The time as host time in nanoseconds; 0 means now.
  ///   - data: The bytes.
  /// - Returns: The packet that contains the bytes, or nil if they do not fit. After that every
  ///   append fails until `clear` is called.
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

// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The memory of one packet list.
@safe
struct PacketListStorage: ~Copyable {
  /// The bytes of a packet's header, and of the padding to a multiple of four.
  private static let head = 16
  /// The maximum size of a list: readers can expect at most 65,536 bytes.
  private static let limit = 60_000

  private let memory: UnsafeMutableRawPointer
  private let size: Int

  /// Removes packets from the slice until the list is full, at least one.
  init(taking packets: inout ArraySlice<TimedBytes>) {
    var size = 4
    var count = 0
    for packet in packets {
      let next = size + Self.head + packet.bytes.count
      if count > 0, next > Self.limit { break }
      (size, count) = (next, count + 1)
    }
    self.size = size
    // The struct is declared with room for 256 bytes, and readers may copy it.
    let room = max(size, MemoryLayout<MIDIPacketList>.size)
    unsafe memory = .allocate(byteCount: room, alignment: 8)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: room)
    fill(packets.prefix(count))
    packets = packets.dropFirst(count)
  }

  deinit {
    unsafe memory.deallocate()
  }

  private func fill(_ packets: ArraySlice<TimedBytes>) {
    let list = unsafe memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
    var place = unsafe MIDIPacketListInit(list)
    for packet in packets where !packet.bytes.isEmpty {
      unsafe packet.bytes.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        unsafe place = MIDIPacketListAdd(list, size, place, packet.time, bytes.count, base)
      }
    }
  }

  func read(_ body: (UnsafePointer<MIDIPacketList>) -> Void) {
    unsafe body(UnsafePointer(memory.assumingMemoryBound(to: MIDIPacketList.self)))
  }
}

extension Array where Element == TimedBytes {
  /// The packets of a list.
  @unsafe
  init(_ list: UnsafePointer<MIDIPacketList>) {
    self.init()
    var packet = unsafe CoreAudioFirstPacket(list)
    for _ in 0..<(unsafe CoreAudioPacketCount(list)) {
      let bytes = unsafe UnsafeBufferPointer(
        start: CoreAudioPacketBytes(packet), count: Int(CoreAudioPacketLength(packet)))
      unsafe append(TimedBytes(time: CoreAudioPacketTime(packet), bytes: [UInt8](bytes)))
      unsafe packet = UnsafePointer(MIDIPacketNext(packet))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
internal import Foundation

/// A buffer of compressed audio data, which consists of packets.
@safe
open class AVAudioCompressedBuffer: AVAudioBuffer {
  /// The maximum number of packets in the buffer.
  public let packetCapacity: AVAudioPacketCount
  /// The maximum size of a packet in bytes.
  public let maximumPacketSize: Int
  private var count: AVAudioPacketCount = 0
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

  /// Creates an empty buffer for packets of variable size.
  ///
  /// A PCM format, or a size for which memory cannot be allocated, is a programming error.
  ///
  /// - Parameters:
  ///   - format: The format of the packets.
  ///   - packetCapacity: The maximum number of packets.
  ///   - maximumPacketSize: The maximum size of a packet in bytes.
  public init(
    format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int
  ) {
    precondition(!format.asbd.isPCM, "a compressed buffer needs a compressed format")
    let (bytes, isTooLarge) = Int(packetCapacity).multipliedReportingOverflow(by: maximumPacketSize)
    guard !isTooLarge, maximumPacketSize >= 0,
      let memory = BufferMemory(
        bufferCount: 1, byteCapacity: bytes, channelsPerBuffer: format.channelCount)
    else { fatalError("no memory for \(packetCapacity) packets of \(maximumPacketSize) bytes") }
    self.packetCapacity = packetCapacity
    self.maximumPacketSize = maximumPacketSize
    unsafe descriptions = Self.descriptions(format.asbd, Int(packetCapacity))
    super.init(format, memory)
  }

  /// Creates an empty buffer for packets of constant size.
  ///
  /// - Parameters:
  ///   - format: The format of the packets. Its `mBytesPerPacket` must not be 0.
  ///   - packetCapacity: The maximum number of packets.
  public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
    precondition(format.asbd.mBytesPerPacket > 0, "the format does not state the size of a packet")
    self.init(
      format: format, packetCapacity: packetCapacity,
      maximumPacketSize: Int(format.asbd.mBytesPerPacket))
  }

  deinit {
    unsafe descriptions?.deallocate()
  }

  private static func descriptions(
    _ description: AudioStreamBasicDescription, _ count: Int
  ) -> UnsafeMutablePointer<AudioStreamPacketDescription>? {
    guard description.mBytesPerPacket == 0 || description.mFramesPerPacket == 0 else { return nil }
    let result = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
      capacity: max(1, count))
    unsafe result.initialize(repeating: AudioStreamPacketDescription(), count: max(1, count))
    return unsafe result
  }

  /// The number of packets in the buffer, 0…`packetCapacity`.
  ///
  /// Setting a higher number is a programming error.
  open var packetCount: AVAudioPacketCount {
    get { count }
    set {
      precondition(
        newValue <= packetCapacity,
        "packetCount \(newValue) is greater than packetCapacity \(packetCapacity)")
      count = newValue
    }
  }

  /// A pointer to the bytes of the packets.
  open var data: UnsafeMutableRawPointer {
    // Every buffer is allocated with at least a byte.
    unsafe memory.data(0).unsafelyUnwrapped
  }

  /// The maximum number of bytes in the buffer.
  open var byteCapacity: UInt32 { UInt32(memory.byteCapacity) }

  /// The number of bytes in the buffer, 0…`byteCapacity`.
  ///
  /// Setting a higher number is a programming error.
  open var byteLength: UInt32 {
    get { unsafe memory.list[0].mDataByteSize }
    set {
      precondition(
        newValue <= byteCapacity,
        "byteLength \(newValue) is greater than byteCapacity \(byteCapacity)")
      memory.setByteSize(Int(newValue))
    }
  }

  /// The descriptions of the packets, with their offsets and sizes; nil if all packets have the
  /// same size.
  open var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? {
    unsafe descriptions
  }

  override func duplicate() -> AVAudioBuffer {
    let copy = AVAudioCompressedBuffer(
      format: format, packetCapacity: packetCapacity, maximumPacketSize: maximumPacketSize)
    copy.packetCount = count
    copy.byteLength = byteLength
    copy.memory.copy(Int(byteLength), from: memory)
    if let target = unsafe copy.descriptions, let source = unsafe descriptions {
      unsafe target.update(from: source, count: Int(packetCapacity))
    }
    return copy
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

extension CMSampleBuffer {
  /// Options for the creation of an audio buffer list.
  public struct Flags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Creates flags.
    ///
    /// - Parameter rawValue: The flags as bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The memory of each buffer is aligned to 16 bytes.
    public static let audioBufferListAssure16ByteAlignment = Flags(rawValue: 1)
  }

  /// Calls a closure with the samples as an audio buffer list.
  ///
  /// - Parameters:
  ///   - blockBufferMemoryAllocator: Ignored.
  ///   - flags: `audioBufferListAssure16ByteAlignment`, or an empty set.
  ///   - body: Receives the buffer list, which is valid during the call, and the block buffer that
  ///     owns its memory.
  /// - Returns: The result of the closure.
  /// - Throws: An `NSError` if the sample buffer does not have data; errors of the closure.
  public func withAudioBufferList<Result>(
    blockBufferMemoryAllocator: CFAllocator? = nil, flags: Flags = [],
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
  ) throws -> Result {
    let sound = try sound(isAligned: flags.contains(.audioBufferListAssure16ByteAlignment))
    let list = unsafe AudioBufferList.allocate(maximumBuffers: max(1, bufferCount))
    defer { unsafe free(list.unsafeMutablePointer) }
    unsafe fill(list, from: sound)
    return try withExtendedLifetime(sound) { try unsafe body(list, sound) }
  }

  /// Calls a closure with the packet descriptions of the samples.
  ///
  /// - Parameter body: Receives the packet descriptions; an empty buffer if all packets have the
  ///   same size.
  /// - Returns: The result of the closure.
  /// - Throws: Errors of the closure.
  public func withUnsafeAudioStreamPacketDescriptions<Result>(
    _ body: (UnsafeBufferPointer<AudioStreamPacketDescription>) throws -> Result
  ) throws -> Result {
    try unsafe contents.packets.withUnsafeBufferPointer { try unsafe body($0) }
  }

  /// Returns the packet descriptions of the samples.
  ///
  /// - Returns: The packet descriptions; an empty array if all packets have the same size.
  /// - Throws: Never; the method is declared as throwing for compatibility with Apple's.
  public func audioStreamPacketDescriptions() throws -> [AudioStreamPacketDescription] {
    contents.packets
  }

  /// Copies frames of PCM to an audio buffer list.
  ///
  /// - Parameters:
  ///   - range: The frames.
  ///   - bufferList: The buffers, which must match the format and be large enough. Their sizes are
  ///     set to the copied bytes.
  /// - Throws: An `NSError` with `kCMSampleBufferError_SampleIndexOutOfRange`, with
  ///   `kCMSampleBufferError_InvalidMediaFormat` if the samples are not PCM, or with
  ///   `kCMSampleBufferError_ArrayTooSmall`.
  public func copyPCMData(
    fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>
  ) throws {
    try MediaStatus.check(unsafe copy(range, UnsafeMutableAudioBufferListPointer(bufferList)))
  }

  @unsafe
  func copy(_ range: Range<Int>, _ target: UnsafeMutableAudioBufferListPointer) -> OSStatus {
    guard range.lowerBound >= 0, range.upperBound <= contents.count else {
      return kCMSampleBufferError_SampleIndexOutOfRange
    }
    guard let data = dataBuffer, let format = audioFormat,
      format.mFormatID == kAudioFormatLinearPCM, unsafe target.count == bufferCount
    else { return kCMSampleBufferError_InvalidMediaFormat }
    let frame = Int(format.mBytesPerFrame)
    for index in unsafe target.indices {
      guard let memory = unsafe target[index].mData,
        Int(unsafe target[index].mDataByteSize) >= range.count * frame
      else { return kCMSampleBufferError_ArrayTooSmall }
      let start = (index * contents.count + range.lowerBound) * frame
      guard data.contains(start, range.count * frame) else {
        return kCMSampleBufferError_InvalidSampleData
      }
      unsafe memory.copyMemory(from: data.start + start, byteCount: range.count * frame)
      unsafe target[index].mDataByteSize = UInt32(range.count * frame)
    }
    return noErr
  }

  /// The format of the sound.
  package var audioFormat: AudioStreamBasicDescription? {
    contents.format?.audioStreamBasicDescription
  }

  /// The buffers of a list: one, or one per channel.
  package var bufferCount: Int {
    guard let format = audioFormat, format.mFormatID == kAudioFormatLinearPCM,
      format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    else { return 1 }
    return Int(format.mChannelsPerFrame)
  }

  /// The data, copied if buffers are to begin at multiples of 16 bytes and do not.
  func sound(isAligned: Bool) throws -> CMBlockBuffer {
    guard let data = dataBuffer else {
      throw NSError(
        domain: NSOSStatusErrorDomain,
        code: Int(
          isValid ? kCMSampleBufferError_BufferNotReady : kCMSampleBufferError_Invalidated))
    }
    guard contents.format != nil else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_InvalidMediaFormat))
    }
    guard isAligned, Int(bitPattern: unsafe data.start) % 16 != 0 else { return data }
    guard let copy = CMBlockBuffer(data.bytes) else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_AllocationFailed))
    }
    return copy
  }

  /// Lets the buffers of a list point to the sound.
  @unsafe
  func fill(_ list: UnsafeMutableAudioBufferListPointer, from sound: CMBlockBuffer) {
    let (count, format) = (bufferCount, audioFormat)
    let size = sound.dataLength / max(1, count)
    for index in 0..<count {
      unsafe list[index] = AudioBuffer(
        mNumberChannels: count > 1 ? 1 : format?.mChannelsPerFrame ?? 1,
        mDataByteSize: UInt32(clamping: size), mData: sound.start + index * size)
    }
  }
}

extension CMSampleBuffer {
  /// The packets in the data, also those that all have one size.
  ///
  /// - Parameter size: The bytes of a packet if all have one size; 0 otherwise.
  /// - Returns: The packets; none if their sizes are not stated.
  package func packets(ofSize size: Int) -> [AudioStreamPacketDescription] {
    guard contents.packets.isEmpty, size > 0 else { return contents.packets }
    return (0..<contents.count).map { index in
      AudioStreamPacketDescription(
        mStartOffset: Int64(index) * Int64(size), mVariableFramesInPacket: 0,
        mDataByteSize: UInt32(clamping: size))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
internal import Foundation

/// Memory for PCM samples.
@safe
open class AVAudioPCMBuffer: AVAudioBuffer {
  /// Frames that the buffer has room for.
  public let frameCapacity: AVAudioFrameCount
  private var length: AVAudioFrameCount = 0
  /// The addresses of the channels; nil for formats without accessors.
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>?

  /// Creates a silent buffer whose `frameLength` is 0.
  ///
  /// The result is nil if the format is not PCM or has frames of no bytes, and if memory
  /// runs out.
  ///
  /// - Parameters:
  ///   - format: The format of the samples.
  ///   - frameCapacity: Frames that the buffer has room for.
  public convenience init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let description = format.asbd
    guard description.isPCM, description.mBytesPerFrame > 0,
      let memory = BufferMemory(
        bufferCount: description.bufferCount,
        byteCapacity: Int(frameCapacity) * Int(description.mBytesPerFrame),
        channelsPerBuffer: description.isPlanar ? 1 : description.mChannelsPerFrame)
    else { return nil }
    self.init(format, memory, capacity: frameCapacity)
  }

  /// Creates a buffer of a program's memory, which is not copied.
  ///
  /// `frameCapacity` and `frameLength` are the frames in the smallest of the program's buffers.
  /// The result is nil if the format is not PCM, and if the list does not have the buffers of the
  /// format.
  ///
  /// - Parameters:
  ///   - format: The format of the samples.
  ///   - bufferList: The buffers, which are valid until `deallocator` is called.
  ///   - deallocator: Is called with the list when this object is freed.
  public convenience init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    let description = format.asbd
    let list = unsafe UnsafeMutableAudioBufferListPointer(
      UnsafeMutablePointer(mutating: bufferList))
    guard description.isPCM, description.mBytesPerFrame > 0,
      unsafe list.count == description.bufferCount,
      unsafe list.allSatisfy({ unsafe $0.mData != nil || $0.mDataByteSize == 0 })
    else { return nil }
    let bytes = unsafe list.map { unsafe Int($0.mDataByteSize) }.min() ?? 0
    let frames = bytes / Int(description.mBytesPerFrame)
    let memory = unsafe BufferMemory(
      Array(list), byteCapacity: frames * Int(description.mBytesPerFrame)
    ) {
      unsafe deallocator?(bufferList)
    }
    self.init(format, memory, capacity: AVAudioFrameCount(frames))
    frameLength = frameCapacity
  }

  private init(_ format: AVAudioFormat, _ memory: BufferMemory, capacity: AVAudioFrameCount) {
    frameCapacity = capacity
    unsafe channels = Self.addresses(format.asbd, memory)
    super.init(format, memory)
  }

  deinit {
    unsafe channels?.deallocate()
  }

  private static func addresses(
    _ description: AudioStreamBasicDescription, _ memory: BufferMemory
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer>? {
    let count = Int(description.mChannelsPerFrame)
    guard description.commonFormat != .otherFormat, unsafe memory.data(0) != nil else { return nil }
    let result = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
    for channel in 0..<count {
      let buffer = description.isPlanar ? channel : 0
      let offset = description.isPlanar ? 0 : channel * description.sampleBytes
      // A buffer without memory is empty; its address is not read.
      let start = unsafe memory.data(buffer) ?? memory.data(0).unsafelyUnwrapped
      unsafe (result + channel).initialize(to: start + offset)
    }
    return unsafe result
  }

  /// Frames of sound in the buffer, 0…`frameCapacity`.
  ///
  /// Setting it sets `mDataByteSize` of every buffer. A value above the capacity is a programming
  /// error.
  open var frameLength: AVAudioFrameCount {
    get { length }
    set {
      precondition(
        newValue <= frameCapacity,
        "frameLength \(newValue) is greater than frameCapacity \(frameCapacity)")
      length = newValue
      memory.setByteSize(Int(newValue) * Int(format.asbd.mBytesPerFrame))
    }
  }

  /// Samples from one frame of a channel to the next: 1 if each channel has a separate buffer.
  open var stride: Int { format.asbd.isPlanar ? 1 : Int(format.channelCount) }

  /// The channels in single precision; nil for other formats.
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    unsafe channelData(.pcmFormatFloat32)
  }

  /// The channels as integers of 16 bits; nil for other formats.
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
    unsafe channelData(.pcmFormatInt16)
  }

  /// The channels as integers of 32 bits; nil for other formats.
  open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
    unsafe channelData(.pcmFormatInt32)
  }

  private func channelData<Sample>(
    _ common: AVAudioCommonFormat
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard format.commonFormat == common, let channels = unsafe channels else { return nil }
    return unsafe UnsafePointer(
      UnsafeMutableRawPointer(channels).assumingMemoryBound(
        to: UnsafeMutablePointer<Sample>.self))
  }

  override func duplicate() -> AVAudioBuffer {
    guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
      fatalError("no memory for a copy of an audio buffer")
    }
    copy.frameLength = length
    copy.memory.copy(Int(length) * Int(format.asbd.mBytesPerFrame), from: memory)
    return copy
  }
}

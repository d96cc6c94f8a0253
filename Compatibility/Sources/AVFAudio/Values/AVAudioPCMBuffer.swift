// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
internal import Foundation

/// A buffer of PCM samples.
@safe
open class AVAudioPCMBuffer: AVAudioBuffer {
  /// The maximum number of frames in the buffer.
  public let frameCapacity: AVAudioFrameCount
  private var length: AVAudioFrameCount = 0
  /// The addresses of the channels; nil for formats without accessors.
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>?

  /// Creates a buffer whose samples are 0 and whose `frameLength` is 0.
  ///
  /// The result is nil if the format is not PCM, if its frames have 0 bytes, or if memory cannot be
  /// allocated.
  ///
  /// - Parameters:
  ///   - format: The format of the samples.
  ///   - frameCapacity: The maximum number of frames.
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

  /// Creates a buffer that uses existing memory without copying it.
  ///
  /// `frameCapacity` and `frameLength` are the number of frames in the smallest buffer of the list.
  /// The result is nil if the format is not PCM, or if the list does not have the number of buffers
  /// that the format requires.
  ///
  /// - Parameters:
  ///   - format: The format of the samples.
  ///   - bufferList: The buffer list. Its memory must remain valid until `deallocator` is called.
  ///   - deallocator: Called with the list when this object is released; may be nil.
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

  /// The number of valid frames in the buffer, 0…`frameCapacity`.
  ///
  /// Setting this property also sets `mDataByteSize` of every buffer. A value above the capacity is
  /// a programming error.
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

  /// The distance between consecutive samples of a channel: 1 if each channel has a separate
  /// buffer, otherwise the number of channels.
  open var stride: Int { format.asbd.isPlanar ? 1 : Int(format.channelCount) }

  /// Pointers to the samples of each channel as 32-bit floating-point numbers; nil for other
  /// formats.
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    unsafe channelData(.pcmFormatFloat32)
  }

  /// Pointers to the samples of each channel as 16-bit integers; nil for other formats.
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
    unsafe channelData(.pcmFormatInt16)
  }

  /// Pointers to the samples of each channel as 32-bit integers; nil for other formats.
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

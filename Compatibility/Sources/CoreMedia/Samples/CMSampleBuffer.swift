// SPDX-License-Identifier: Apache-2.0
package import CCoreAudio
internal import CoreAudioTypes

/// Audio samples with their format and times: frames of PCM, or packets of a codec.
///
/// - Note: Any thread.
public final class CMSampleBuffer: @unchecked Sendable {
  // Unchecked: all that changes is used under the lock.

  /// The samples without their bytes.
  struct Contents {
    var format: CMFormatDescription?
    var count = 0
    /// None, one for all samples in turn, or one for each.
    var timings: [CMSampleTimingInfo] = []
    /// None, one for all samples, or one for each; in bytes.
    var sizes: [Int] = []
    /// The packets in the data; none for PCM.
    var packets: [AudioStreamPacketDescription] = []
  }

  let contents: Contents
  /// Every access to what follows holds the lock.
  private let lock = NSLock()
  private var data: CMBlockBuffer?
  private var isReady: Bool
  private var isUsable = true
  private var statedTime: CMTime?
  private var attachments: [String: (value: CFTypeRef, mode: CMAttachmentMode)] = [:]
  private let makeReady: ((CMSampleBuffer) -> OSStatus)?

  init(
    _ contents: Contents, _ data: CMBlockBuffer?, isReady: Bool,
    makeReady: ((CMSampleBuffer) -> OSStatus)? = nil
  ) {
    (self.contents, self.data, self.isReady) = (contents, data, isReady)
    self.makeReady = makeReady
  }

  /// Creates a buffer of sound whose data is ready; nil if the data is shorter than the samples.
  ///
  /// - Parameters:
  ///   - data: The frames or packets, without gaps.
  ///   - format: The format.
  ///   - count: The number of frames of PCM, or of packets.
  ///   - time: The time of the first sample.
  ///   - packets: The packets in the data; none for PCM.
  package convenience init?(
    _ data: CMBlockBuffer, _ format: CMFormatDescription, count: Int, at time: CMTime,
    packets: [AudioStreamPacketDescription] = []
  ) {
    guard let contents = Contents(sound: format, count, time, packets, in: data) else {
      return nil
    }
    self.init(contents, data, isReady: true)
  }

  /// The data of the samples; nil if the buffer does not have data, or after `invalidate`.
  public var dataBuffer: CMBlockBuffer? { lock.withLock { isUsable ? data : nil } }

  /// Sets the data of the samples.
  ///
  /// - Parameter dataBuffer: The data.
  /// - Throws: An `NSError` with `kCMSampleBufferError_AlreadyHasDataBuffer`.
  public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
    try MediaStatus.check(set(dataBuffer))
  }

  func set(_ buffer: CMBlockBuffer) -> OSStatus {
    lock.withLock {
      guard data == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
      data = buffer
      return noErr
    }
  }

  /// The format of the samples; nil if it is unknown.
  public var formatDescription: CMFormatDescription? { contents.format }

  /// The number of samples: frames of PCM, or packets.
  public var numSamples: Int { contents.count }

  /// True until `invalidate` is called.
  public var isValid: Bool { lock.withLock { isUsable } }

  /// True if the data of the samples is available.
  public var isDataReady: Bool { lock.withLock { isReady } }

  func setReady() { lock.withLock { isReady = true } }

  /// Calls the callback that supplies the data, if the data is missing.
  ///
  /// - Throws: An `NSError` with `kCMSampleBufferError_BufferNotReady`, or with the error code of
  ///   the callback.
  public func makeDataReady() throws { try MediaStatus.check(readyStatus()) }

  func readyStatus() -> OSStatus {
    if isDataReady { return noErr }
    guard let makeReady else { return kCMSampleBufferError_BufferNotReady }
    let status = makeReady(self)
    if status == noErr { setReady() }
    return status
  }

  /// Releases the data; the buffer is invalid afterwards.
  ///
  /// - Throws: Never; the method is declared as throwing for compatibility with Apple's.
  public func invalidate() throws { makeUnusable() }

  func makeUnusable() {
    let old = lock.withLock {
      isUsable = false
      return data.take()
    }
    // The program's memory is freed outside of the lock.
    withExtendedLifetime(old) {}
  }

  /// The output time that a program has set.
  var statedOutputTime: CMTime? {
    get { lock.withLock { statedTime } }
    set { lock.withLock { statedTime = newValue } }
  }

  func attachment(_ key: String) -> (value: CFTypeRef, mode: CMAttachmentMode)? {
    lock.withLock { attachments[key] }
  }

  func attach(_ value: (value: CFTypeRef, mode: CMAttachmentMode)?, _ key: String) {
    lock.withLock { attachments[key] = value }
  }

  /// Creates a copy with other times, but the same data and attachments.
  ///
  /// - Parameters:
  ///   - sampleBuffer: The sample buffer to copy.
  ///   - newTiming: One timing entry for all samples, or one for each sample.
  /// - Throws: An `NSError` with `kCMSampleBufferError_InvalidEntryCount`.
  public convenience init(
    copying sampleBuffer: CMSampleBuffer, withNewTiming newTiming: [CMSampleTimingInfo]
  ) throws {
    guard newTiming.count <= 1 || newTiming.count == sampleBuffer.numSamples else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_InvalidEntryCount))
    }
    self.init(sampleBuffer, newTiming)
  }

  convenience init(_ other: CMSampleBuffer, _ timings: [CMSampleTimingInfo]) {
    var contents = other.contents
    contents.timings = timings
    self.init(contents, other.dataBuffer, isReady: other.isDataReady)
    attachments = other.lock.withLock { other.attachments }
  }
}

extension CMSampleBuffer.Contents {
  /// Describes sound; nil if the data is shorter than the samples.
  init?(
    sound format: CMFormatDescription, _ count: Int, _ time: CMTime,
    _ packets: [AudioStreamPacketDescription], in data: CMBlockBuffer?
  ) {
    let description = unsafe format.description.pointee
    guard count >= 0, packets.isEmpty || packets.count == count,
      Self.fits(description, count, packets, data?.dataLength)
    else { return nil }
    (self.format, self.count, self.packets) = (format, count, packets)
    let rate = Int32(exactly: description.mSampleRate.rounded()) ?? 0
    timings = [
      CMSampleTimingInfo(
        duration: CMTime(value: Int64(description.mFramesPerPacket), timescale: rate),
        presentationTimeStamp: time)
    ]
    if packets.isEmpty {
      sizes = [Int(description.mBytesPerPacket)]
    } else {
      sizes = packets.map { Int($0.mDataByteSize) }
      if description.mFramesPerPacket == 0 || packets.contains(where: \.isVariable) {
        setTimes(from: time, rate, Int64(description.mFramesPerPacket))
      }
    }
  }

  /// States the length of each packet.
  private mutating func setTimes(from time: CMTime, _ rate: Int32, _ usual: Int64) {
    var time = time
    timings = packets.map { packet in
      let frames = packet.isVariable ? Int64(packet.mVariableFramesInPacket) : usual
      let duration = CMTime(value: frames, timescale: rate)
      defer { time = CMTimeAdd(time, duration) }
      return CMSampleTimingInfo(duration: duration, presentationTimeStamp: time)
    }
  }

  /// True if data of a length contains samples.
  private static func fits(
    _ description: AudioStreamBasicDescription, _ count: Int,
    _ packets: [AudioStreamPacketDescription], _ length: Int?
  ) -> Bool {
    if !packets.isEmpty {
      return packets.allSatisfy {
        $0.mStartOffset >= 0
          && $0.mStartOffset <= Int64(length ?? .max) - Int64($0.mDataByteSize)
      }
    }
    let isPlanar =
      description.mFormatID == kAudioFormatLinearPCM
      && description.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    let buffers = isPlanar ? Int(description.mChannelsPerFrame) : 1
    let (bytes, isTooLong) = count.multipliedReportingOverflow(
      by: Int(description.mBytesPerPacket) * buffers)
    return !isTooLong && bytes <= length ?? .max
  }
}

extension AudioStreamPacketDescription {
  /// True if the packet states the number of its frames.
  fileprivate var isVariable: Bool { mVariableFramesInPacket != 0 }
}

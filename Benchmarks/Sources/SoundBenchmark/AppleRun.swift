// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Reads a sound file through Apple's names, as the same work through the modules beneath is done by
/// `decode` and `packets`.
enum AppleRun {
  /// Reads all frames of a file with `ExtAudioFile` as 32-bit floats.
  ///
  /// - Returns: the number of frames.
  static func extAudioFile(_ path: String) throws -> Int {
    var file: ExtAudioFileRef?
    try check(ExtAudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, &file))
    defer { ExtAudioFileDispose(file) }
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    try check(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &format))
    format = floats(rate: format.mSampleRate, channels: format.mChannelsPerFrame)
    try check(
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, size, &format))
    let bytes = UInt32(8192) * format.mBytesPerFrame
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(bytes), alignment: 16)
    defer { memory.deallocate() }
    var (total, count) = (0, UInt32(0))
    repeat {
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: format.mChannelsPerFrame, mDataByteSize: bytes, mData: memory))
      count = 8192
      try check(ExtAudioFileRead(file, &count, &list))
      total += Int(count)
    } while count > 0
    return total
  }

  /// Renders all packets of a file with an audio queue, offline.
  ///
  /// - Returns: the number of frames.
  static func queue(_ path: String) throws -> Int {
    let feed = try QueueFeed(path)
    var format = feed.outputFormat
    try check(AudioQueueSetOfflineRenderFormat(feed.queue, &format, nil))
    try feed.start()
    let frames = UInt32(4096)
    var target: AudioQueueBufferRef?
    try check(AudioQueueAllocateBuffer(feed.queue, frames * format.mBytesPerFrame, &target))
    guard let target else { return 0 }
    var (stamp, total) = (AudioTimeStamp(), 0)
    stamp.mFlags = .sampleTimeValid
    while true {
      try check(AudioQueueOfflineRender(feed.queue, &stamp, target, frames))
      let count = Int(target.pointee.mAudioDataByteSize / format.mBytesPerFrame)
      total += count
      stamp.mSampleTime += Double(count)
      if count < Int(frames) { return total }
    }
  }

  /// Interleaved 32-bit floats.
  static func floats(rate: Double, channels: UInt32) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4 * channels, mFramesPerPacket: 1, mBytesPerFrame: 4 * channels,
      mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
  }

  struct Failure: Error { let status: OSStatus }

  static func check(_ status: OSStatus) throws {
    guard status == noErr else { throw Failure(status: status) }
  }
}

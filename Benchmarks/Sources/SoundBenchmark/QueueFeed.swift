// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// A file whose packets are given to an audio queue, half a second at a time in three buffers.
final class QueueFeed {
  private(set) var queue: AudioQueueRef?
  private let file: AudioFileID
  private var format = AudioStreamBasicDescription()
  private var nextPacket: Int64 = 0
  private var packetCount: UInt32 = 0
  private var byteCount: UInt32 = 0
  private var descriptions: [AudioStreamPacketDescription] = []

  init(_ path: String) throws {
    let url = URL(fileURLWithPath: path) as CFURL
    var opened: AudioFileID?
    try AppleRun.check(AudioFileOpenURL(url, .readPermission, 0, &opened))
    guard let opened else { throw AppleRun.Failure(status: kAudioFileUnspecifiedError) }
    file = opened
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    try AppleRun.check(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format))
    var largest: UInt32 = 0
    size = 4
    try AppleRun.check(
      AudioFileGetProperty(file, kAudioFilePropertyPacketSizeUpperBound, &size, &largest))
    packetCount = max(1, UInt32(format.mSampleRate / 2) / max(1, format.mFramesPerPacket))
    byteCount = packetCount * largest
    descriptions = Array(repeating: AudioStreamPacketDescription(), count: Int(packetCount))
    try open()
  }

  private func open() throws {
    let data = Unmanaged.passUnretained(self).toOpaque()
    let fill: AudioQueueOutputCallback = { data, queue, buffer in
      guard let data else { return }
      Unmanaged<QueueFeed>.fromOpaque(data).takeUnretainedValue().fill(queue, buffer)
    }
    try AppleRun.check(AudioQueueNewOutput(&format, fill, data, nil, nil, 0, &queue))
    var (size, isWritable) = (UInt32(0), UInt32(0))
    AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, &isWritable)
    guard size > 0 else { return }
    var cookie = [UInt8](repeating: 0, count: Int(size))
    try AppleRun.check(
      AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, &cookie))
    try AppleRun.check(
      AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size))
  }

  deinit {
    AudioQueueDispose(queue, true)
    AudioFileClose(file)
  }

  /// The format of rendered samples: 32-bit floats at the rate and with the channels of the file.
  var outputFormat: AudioStreamBasicDescription {
    AppleRun.floats(rate: format.mSampleRate, channels: format.mChannelsPerFrame)
  }

  /// Fills three buffers and starts the queue.
  func start() throws {
    guard let queue else { return }
    for _ in 0..<3 {
      var buffer: AudioQueueBufferRef?
      try AppleRun.check(AudioQueueAllocateBuffer(queue, byteCount, &buffer))
      if let buffer { fill(queue, buffer) }
    }
    try AppleRun.check(AudioQueueStart(queue, nil))
  }

  private func fill(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    var (bytes, packets) = (byteCount, packetCount)
    let status = AudioFileReadPacketData(
      file, false, &bytes, &descriptions, nextPacket, &packets, buffer.pointee.mAudioData)
    guard status == noErr, packets > 0 else { return }
    buffer.pointee.mAudioDataByteSize = bytes
    nextPacket += Int64(packets)
    AudioQueueEnqueueBuffer(queue, buffer, format.mBytesPerPacket == 0 ? packets : 0, descriptions)
  }
}

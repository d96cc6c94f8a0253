// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioToolboxQueues
import CoreAudioHandles
import Foundation
import TestSupport
import Testing

/// Handles, buffers, parameters and properties of queues.
@Suite struct QueuePropertyTests {
  private let scene = QueueScene()

  init() {
    QueueDevices.$current.withValue(QueueTestDevices.plain) {
      #expect(scene.open(QueueFormat.float(2)) == noErr)
    }
  }

  @Test func `formats that cannot be played are refused`() {
    var queue: AudioQueueRef?
    for change in [
      { (format: inout AudioStreamBasicDescription) in format.mSampleRate = .nan },
      { $0.mChannelsPerFrame = 65 }, { $0.mFormatID = 1 }, { $0.mBytesPerFrame = 5 },
      { $0.mFormatFlags |= kAudioFormatFlagIsNonInterleaved },
    ] {
      var format = QueueFormat.float(2)
      change(&format)
      #expect(
        AudioQueueNewOutput(&format, QueueScene.callback, nil, nil, nil, 0, &queue)
          == kAudioFormatUnsupportedDataFormatError)
      #expect(queue == nil)
    }
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `stale, foreign and nil handles are refused by every function`() {
    let queue = scene.queue
    #expect(AudioQueueDispose(queue, true) == noErr)
    var (value, size) = (UInt32(0), UInt32(4))
    var stamp = AudioTimeStamp()
    var buffer: AudioQueueBufferRef?
    for handle in [queue, nil, AudioQueueRef(bitPattern: 0x1000), AudioQueueRef(bitPattern: -1)] {
      let statuses = [
        AudioQueueDispose(handle, true), AudioQueueAllocateBuffer(handle, 100, &buffer),
        AudioQueueFreeBuffer(handle, nil), AudioQueueEnqueueBuffer(handle, nil, 0, nil),
        AudioQueueStart(handle, nil), AudioQueuePrime(handle, 0, nil), AudioQueueStop(handle, true),
        AudioQueuePause(handle), AudioQueueFlush(handle), AudioQueueReset(handle),
        AudioQueueSetParameter(handle, kAudioQueueParam_Volume, 1),
        AudioQueueGetProperty(handle, kAudioQueueProperty_IsRunning, &value, &size),
        AudioQueueGetPropertySize(handle, kAudioQueueProperty_IsRunning, &size),
        AudioQueueGetCurrentTime(handle, nil, &stamp, nil),
        AudioQueueDeviceGetCurrentTime(handle, &stamp),
        AudioQueueSetOfflineRenderFormat(handle, nil, nil),
        AudioQueueOfflineRender(handle, &stamp, nil, 1),
        AudioQueueAddPropertyListener(
          handle, kAudioQueueProperty_IsRunning, QueueScene.listener, nil),
        AudioQueueProcessingTapDispose(handle),
      ]
      #expect(statuses.allSatisfy { $0 == kAudio_ParamError }, "\(statuses)")
    }
  }

  @Test func `buffers have their memory, and their states are checked`() {
    var buffer: AudioQueueBufferRef?
    #expect(AudioQueueAllocateBuffer(scene.queue, 0, &buffer) == kAudio_ParamError)
    #expect(
      AudioQueueAllocateBufferWithPacketDescriptions(scene.queue, 1000, 7, &buffer) == noErr)
    guard let buffer else { return }
    #expect(buffer.pointee.mAudioDataBytesCapacity == 1000)
    #expect(buffer.pointee.mPacketDescriptionCapacity == 7)
    #expect(buffer.pointee.mPacketDescriptions != nil)
    #expect(Int(bitPattern: buffer.pointee.mAudioData) % 16 == 0)
    #expect(AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == kAudioQueueErr_BufferEmpty)
    buffer.pointee.mAudioDataByteSize = 1001
    #expect(AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == kAudio_ParamError)
    buffer.pointee.mAudioDataByteSize = 800
    #expect(AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == noErr)
    #expect(
      AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == kAudioQueueErr_BufferEnqueuedTwice)
    #expect(AudioQueueFreeBuffer(scene.queue, buffer) == kAudioQueueErr_BufferInQueue)
    #expect(AudioQueueReset(scene.queue) == noErr)
    #expect(AudioQueueFreeBuffer(scene.queue, buffer) == noErr)
    #expect(AudioQueueFreeBuffer(scene.queue, buffer) == kAudioQueueErr_InvalidBuffer)
    #expect(
      AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == kAudioQueueErr_InvalidBuffer)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `parameters are held within their ranges`() {
    func value(_ parameter: AudioQueueParameterID) -> Float? {
      var value: Float = 0
      return AudioQueueGetParameter(scene.queue, parameter, &value) == noErr ? value : nil
    }
    #expect(value(kAudioQueueParam_Volume) == 1 && value(kAudioQueueParam_Pan) == 0)
    #expect(AudioQueueSetParameter(scene.queue, kAudioQueueParam_Volume, 3) == noErr)
    #expect(value(kAudioQueueParam_Volume) == 1)
    #expect(AudioQueueSetParameter(scene.queue, kAudioQueueParam_Pan, -0.5) == noErr)
    #expect(value(kAudioQueueParam_Pan) == -0.5)
    #expect(AudioQueueSetParameter(scene.queue, kAudioQueueParam_Pan, .nan) == kAudio_ParamError)
    #expect(AudioQueueSetParameter(scene.queue, 99, 0) == kAudioQueueErr_InvalidParameter)
    #expect(value(99) == nil)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `properties and their sizes`() {
    var (number, size) = (UInt32(0), UInt32(0))
    #expect(
      AudioQueueGetPropertySize(scene.queue, kAudioQueueProperty_StreamDescription, &size) == noErr)
    #expect(size == 40)
    var format = AudioStreamBasicDescription()
    #expect(
      AudioQueueGetProperty(scene.queue, kAudioQueueProperty_StreamDescription, &format, &size)
        == noErr)
    #expect(format.mChannelsPerFrame == 2 && format.mFormatID == kAudioFormatLinearPCM)
    size = 3
    #expect(
      AudioQueueGetProperty(scene.queue, kAudioQueueProperty_IsRunning, &number, &size)
        == kAudioQueueErr_InvalidPropertySize)
    size = 4
    #expect(
      AudioQueueGetProperty(scene.queue, 1, &number, &size) == kAudioQueueErr_InvalidProperty)
    number = 1
    #expect(
      AudioQueueSetProperty(
        scene.queue, kAudioQueueProperty_EnableLevelMetering, &number, 4) == noErr)
    #expect(
      AudioQueueSetProperty(scene.queue, kAudioQueueProperty_EnableLevelMetering, &number, 3)
        == kAudioQueueErr_InvalidPropertySize)
    var levels = [AudioQueueLevelMeterState](repeating: .init(), count: 2)
    size = 16
    #expect(
      AudioQueueGetProperty(
        scene.queue, kAudioQueueProperty_CurrentLevelMeterDB, &levels, &size) == noErr)
    #expect(levels.allSatisfy { $0.mAveragePower == -120 && $0.mPeakPower == -120 })
    var device: CFString = "" as CFString
    size = 8
    let status = withUnsafeMutablePointer(to: &device) {
      AudioQueueGetProperty(
        scene.queue, kAudioQueueProperty_CurrentDevice, UnsafeMutableRawPointer($0), &size)
    }
    #expect(status == noErr)
    #expect(device as String == "default")
    number = 7
    #expect(
      AudioQueueSetProperty(scene.queue, kAudioQueueProperty_TimePitchAlgorithm, &number, 4)
        == kAudioQueueErr_InvalidPropertyValue)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `the channel layout has the queue's channels`() {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
    let size = UInt32(MemoryLayout<AudioChannelLayout>.size)
    #expect(
      AudioQueueSetProperty(scene.queue, kAudioQueueProperty_ChannelLayout, &layout, size)
        == kAudioQueueErr_InvalidPropertyValue)
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    #expect(
      AudioQueueSetProperty(scene.queue, kAudioQueueProperty_ChannelLayout, &layout, size) == noErr)
    #expect(
      AudioQueueSetProperty(scene.queue, kAudioQueueProperty_ChannelLayout, &layout, 3)
        == kAudioQueueErr_InvalidPropertySize)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `varispeed changes the number of frames`() {
    var number = UInt32(kAudioQueueTimePitchAlgorithm_Varispeed)
    AudioQueueSetProperty(scene.queue, kAudioQueueProperty_TimePitchAlgorithm, &number, 4)
    number = 1
    #expect(
      AudioQueueSetProperty(scene.queue, kAudioQueueProperty_EnableTimePitch, &number, 4) == noErr)
    AudioQueueSetParameter(scene.queue, kAudioQueueParam_PlayRate, 2)
    var format = QueueFormat.float(2)
    AudioQueueSetOfflineRenderFormat(scene.queue, &format, nil)
    let sound = scene.buffer(QueueFormat.bytes([Float](repeating: 0.25, count: 2 * 9600)))
    AudioQueueEnqueueBuffer(scene.queue, sound, 0, nil)
    AudioQueueStart(scene.queue, nil)
    let target = scene.buffer([], capacity: 8 * 9600)
    var stamp = AudioTimeStamp()
    #expect(AudioQueueOfflineRender(scene.queue, &stamp, target, 9600) == noErr)
    let frames = Int(target.pointee.mAudioDataByteSize) / 8
    #expect((4800...5300).contains(frames), "\(frames)")
    AudioQueueDispose(scene.queue, true)
  }
}

// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import AudioToolbox
import AudioToolboxQueues
import Foundation
import TestSupport
import Testing

/// Queues that record from an input whose frames count on.
@Suite struct QueueRecordingTests {
  private let scene = QueueScene()

  private func open(
    _ format: AudioStreamBasicDescription, _ devices: QueueDevices = QueueTestDevices.plain
  ) -> OSStatus {
    var format = format
    let status = QueueDevices.$current.withValue(devices) {
      AudioQueueNewInput(&format, QueueScene.input, scene.data, nil, nil, 0, &scene.queue)
    }
    AudioQueueAddPropertyListener(
      scene.queue, kAudioQueueProperty_IsRunning, QueueScene.listener, scene.data)
    return status
  }

  private func enqueue(_ count: Int, bytes: UInt32) {
    for _ in 0..<count {
      var buffer: AudioQueueBufferRef?
      AudioQueueAllocateBuffer(scene.queue, bytes, &buffer)
      #expect(AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == noErr)
    }
  }

  @Test func `PCM is recorded in buffers of any size, with the times of their frames`() async {
    #expect(open(QueueFormat.integer(16, 2)) == noErr)
    scene.onBuffer = { AudioQueueEnqueueBuffer($0, $1, 0, nil) }
    enqueue(3, bytes: 4 * 700 + 3)
    #expect(AudioQueueStart(scene.queue, nil) == noErr && scene.isRunning)
    #expect(await wait { scene.returnedCount >= 8 })
    #expect(AudioQueueStop(scene.queue, true) == noErr && !scene.isRunning)
    #expect(scene.recorded.allSatisfy { $0.count <= 4 * 700 } && scene.times.first == 0)
    #expect(scene.recorded.contains { $0.count == 4 * 700 })
    let first = Self.numbers(scene.recorded[0])[0]
    for (bytes, time) in zip(scene.recorded, scene.times) {
      // A slow machine may leave frames out between two buffers, but not within one.
      let start = Int(first) + Int(time)
      let expected = (0..<bytes.count / 2).map { index in
        Int16(CountingInput.sample(start + index / 2, index % 2) * 32_768)
      }
      #expect(Self.numbers(bytes).elementsEqual(expected))
    }
    #expect(scene.running == [true, false])
    AudioQueueDispose(scene.queue, true)
  }

  private static func numbers(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  @Test func `an input that ends stops the queue`() async {
    let devices = QueueDevices(
      output: QueueTestDevices.plain.output,
      input: { rate, channels, _ in
        CountingInput(rate: rate, channelCount: channels, limit: 4800)
      })
    #expect(open(QueueFormat.float(), devices) == noErr)
    enqueue(4, bytes: 4 * 3000)
    AudioQueueStart(scene.queue, nil)
    #expect(await wait { scene.running == [true, false] })
    #expect(await wait { scene.returnedCount == 2 })
    #expect(scene.recorded.reduce(0) { $0 + $1.count } == 4 * 4800)
    AudioQueueDispose(scene.queue, true)
  }

  @Test(arguments: [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless])
  func `packets are recorded with their cookie`(_ id: AudioFormatID) async throws {
    var format = AudioStreamBasicDescription()
    (format.mFormatID, format.mSampleRate, format.mChannelsPerFrame) = (id, 48_000, 2)
    #expect(open(format) == noErr)
    var size = UInt32(0)
    let status = AudioQueueGetPropertySize(
      scene.queue, kAudioQueueProperty_MagicCookie, &size)
    guard status != kAudioQueueErr_CodecNotFound else {
      try Test.cancel("no encoders of FFmpeg (make setup-test)")
    }
    #expect(status == noErr && size > 0)
    var cookie = [UInt8](repeating: 0, count: Int(size))
    #expect(
      AudioQueueGetProperty(scene.queue, kAudioQueueProperty_MagicCookie, &cookie, &size) == noErr)
    var (largest, four) = (UInt32(0), UInt32(4))
    #expect(
      AudioQueueGetProperty(
        scene.queue, kAudioQueueProperty_MaximumOutputPacketSize, &largest, &four) == noErr)
    var full = UInt32(40)
    AudioQueueGetProperty(scene.queue, kAudioQueueProperty_StreamDescription, &format, &full)
    #expect(format.mFramesPerPacket == (id == kAudioFormatMPEG4AAC ? 1024 : 4096))
    scene.onBuffer = { AudioQueueEnqueueBuffer($0, $1, 0, nil) }
    enqueue(3, bytes: 2 * largest)
    AudioQueueStart(scene.queue, nil)
    #expect(await wait { scene.packetBytes.count >= 20 })
    AudioQueueStop(scene.queue, true)
    let packets = scene.packetBytes
    #expect(packets.allSatisfy { !$0.isEmpty && $0.count <= Int(largest) })
    let layer = try #require(format.layer)
    let decoder = try PacketDecoder(
      layer, magicCookie: MagicCookie.decoderCookie(cookie, for: layer))
    let decoded = packets.reduce(0) { $0 + decoder.decode($1, as: Float.self).count / 2 }
    #expect(decoder.damagedCount == 0)
    #expect(decoded >= (packets.count - 1) * Int(format.mFramesPerPacket))
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `formats that cannot be encoded are refused`() {
    var format = AudioStreamBasicDescription()
    (format.mFormatID, format.mSampleRate, format.mChannelsPerFrame) = (
      kAudioFormatAC3, 48_000, 2
    )
    #expect(
      AudioQueueNewInput(&format, QueueScene.input, nil, nil, nil, 0, &scene.queue)
        == kAudioFormatUnsupportedDataFormatError)
  }

  @Test func `functions of queues that play are refused`() {
    #expect(open(QueueFormat.float()) == noErr)
    var stamp = AudioTimeStamp()
    #expect(
      AudioQueueDeviceGetCurrentTime(scene.queue, &stamp) == kAudioQueueErr_InvalidQueueType)
    #expect(
      AudioQueueSetOfflineRenderFormat(scene.queue, nil, nil) == kAudioQueueErr_InvalidQueueType)
    AudioQueueDispose(scene.queue, false)
  }

  @Test func `a start after a stop that is under way begins another recording`() async {
    #expect(open(QueueFormat.float()) == noErr)
    scene.onBuffer = { AudioQueueEnqueueBuffer($0, $1, 0, nil) }
    enqueue(3, bytes: 4 * 480)
    for round in 1...5 {
      #expect(AudioQueueStart(scene.queue, nil) == noErr)
      let count = scene.returnedCount
      #expect(await wait { scene.returnedCount > count })
      #expect(AudioQueueStop(scene.queue, false) == noErr)
      #expect(AudioQueueStop(scene.queue, false) == noErr)
      #expect(AudioQueueStart(scene.queue, nil) == noErr)
      // Buffers that the stop returned empty are not passed to the callback.
      enqueue(3, bytes: 4 * 480)
      let later = scene.returnedCount
      #expect(await wait { scene.returnedCount > later + 3 }, "round \(round)")
      #expect(scene.isRunning)
      AudioQueueStop(scene.queue, true)
      #expect(!scene.isRunning && scene.running.count == 4 * round)
      enqueue(3, bytes: 4 * 480)
    }
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a buffer without room for a frame is refused`() {
    #expect(open(QueueFormat.float(2)) == noErr)
    var buffer: AudioQueueBufferRef?
    AudioQueueAllocateBuffer(scene.queue, 7, &buffer)
    #expect(AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == kAudio_ParamError)
    #expect(AudioQueueFreeBuffer(scene.queue, buffer) == noErr)
    AudioQueueDispose(scene.queue, true)
  }
}

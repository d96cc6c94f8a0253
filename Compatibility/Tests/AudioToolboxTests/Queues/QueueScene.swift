// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioToolbox
import AudioToolboxQueues
import CoreAudio
import Foundation
import MusicalTime
import Synchronization

/// The program side of a queue: its callbacks, its listeners and the returned buffers.
final class QueueScene: @unchecked Sendable {
  // Unchecked: the queue's callbacks use it one at a time, the test before and after them.

  var queue: AudioQueueRef?
  private let state = Mutex(State())
  /// Called in each callback, on its thread.
  var onBuffer: (AudioQueueRef, AudioQueueBufferRef) -> Void = { _, _ in }

  struct State: Sendable {
    var returned: [UInt] = []
    var running: [Bool] = []
    var recorded: [[UInt8]] = []
    var packets: [AudioStreamPacketDescription] = []
    var packetBytes: [[UInt8]] = []
    var times: [Double] = []
  }

  var returnedCount: Int { state.withLock { $0.returned.count } }
  var returned: [UInt] { state.withLock { $0.returned } }
  var running: [Bool] { state.withLock { $0.running } }
  var recorded: [[UInt8]] { state.withLock { $0.recorded } }
  var packetBytes: [[UInt8]] { state.withLock { $0.packetBytes } }
  var times: [Double] { state.withLock { $0.times } }

  /// The scene as user data.
  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ data: UnsafeMutableRawPointer?) -> QueueScene {
    guard let data else { return QueueScene() }
    return Unmanaged<QueueScene>.fromOpaque(data).takeUnretainedValue()
  }

  static let callback: AudioQueueOutputCallback = { data, queue, buffer in
    QueueScene.of(data).take(queue, buffer)
  }

  func take(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    state.withLock { $0.returned.append(UInt(bitPattern: buffer)) }
    onBuffer(queue, buffer)
  }

  static let input: AudioQueueInputCallback = { data, queue, buffer, time, count, packets in
    let scene = QueueScene.of(data)
    let bytes = UnsafeRawBufferPointer(
      start: buffer.pointee.mAudioData, count: Int(buffer.pointee.mAudioDataByteSize))
    let list = Array(UnsafeBufferPointer(start: packets, count: Int(count)))
    scene.state.withLock { state in
      state.returned.append(UInt(bitPattern: buffer))
      state.recorded.append(Array(bytes))
      state.times.append(time.pointee.mSampleTime)
      for packet in list {
        let start = Int(packet.mStartOffset)
        state.packetBytes.append(Array(bytes[start..<start + Int(packet.mDataByteSize)]))
      }
    }
    scene.onBuffer(queue, buffer)
  }

  static let listener: AudioQueuePropertyListenerProc = { data, queue, property in
    let scene = QueueScene.of(data)
    var (value, size) = (UInt32(9), UInt32(4))
    AudioQueueGetProperty(queue, property, &value, &size)
    scene.state.withLock { $0.running.append(value != 0) }
  }

  /// Creates a queue for output, with a listener of its state.
  func open(_ format: AudioStreamBasicDescription, on loop: CFRunLoop? = nil) -> OSStatus {
    var format = format
    let status = AudioQueueNewOutput(&format, Self.callback, data, loop, nil, 0, &queue)
    if let queue {
      AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, Self.listener, data)
    }
    return status
  }

  /// Allocates a buffer with bytes.
  func buffer(_ bytes: [UInt8], capacity: Int? = nil) -> AudioQueueBufferRef {
    var buffer: AudioQueueBufferRef?
    AudioQueueAllocateBuffer(queue, UInt32(capacity ?? bytes.count), &buffer)
    guard let buffer else { preconditionFailure("no buffer") }
    fill(buffer, bytes)
    return buffer
  }

  func fill(_ buffer: AudioQueueBufferRef, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { source in
      if let base = source.baseAddress {
        buffer.pointee.mAudioData.copyMemory(from: base, byteCount: bytes.count)
      }
    }
    buffer.pointee.mAudioDataByteSize = UInt32(bytes.count)
  }

  /// True if a queue can change time and pitch: if Rubber Band is installed.
  static let changesTimePitch: Bool = {
    let scene = QueueScene()
    guard scene.open(QueueFormat.float()) == noErr else { return false }
    defer { AudioQueueDispose(scene.queue, true) }
    return scene.enableTimePitch() == noErr
  }()

  func enableTimePitch() -> OSStatus {
    var one = UInt32(1)
    return AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &one, 4)
  }

  var isRunning: Bool {
    var (value, size) = (UInt32(9), UInt32(4))
    AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &value, &size)
    return value != 0
  }
}

/// Formats of queues.
enum QueueFormat {
  static func float(_ channels: UInt32 = 1, rate: Double = 48_000) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4 * channels, mFramesPerPacket: 1, mBytesPerFrame: 4 * channels,
      mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
  }

  static func integer(
    _ bits: UInt32, _ channels: UInt32 = 1, flags: AudioFormatFlags = 0, rate: Double = 48_000
  ) -> AudioStreamBasicDescription {
    let bytes = (bits + 7) / 8 * channels
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | flags,
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
  }

  static func bytes(_ samples: [Float]) -> [UInt8] { samples.withUnsafeBytes { Array($0) } }

  static func floats(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}

/// Devices of tests: an output that renders as fast as it can, and inputs with known samples.
enum QueueTestDevices {
  /// A null output in real time and an input that counts frames.
  static let plain = QueueDevices(
    output: { rate, channels, name in
      if name == "missing" { throw Missing() }
      return NullOutputUnit(
        format: AudioFormat(rate: rate, channelCount: channels), periodFrames: 64)
    },
    input: { rate, channels, name in
      if name == "missing" { throw Missing() }
      return CountingInput(rate: rate, channelCount: channels)
    })

  struct Missing: Error {}
}

/// An input of frames that count on: sample n is n / 32768.
final class CountingInput: SoundInput {
  let rate: SampleRate
  let channelCount: Int
  let periodFrames = 480
  private var frame = 0
  private let limit: Int

  init(rate: SampleRate, channelCount: Int, limit: Int = 1 << 30) {
    (self.rate, self.channelCount, self.limit) = (rate, channelCount, limit)
  }

  struct Gone: Error {}

  func read() throws -> [Float] {
    guard frame < limit else { throw Gone() }
    Thread.sleep(forTimeInterval: 0.001)
    defer { frame += periodFrames }
    return (frame..<frame + periodFrames).flatMap { number in
      (0..<channelCount).map { Self.sample(number, $0) }
    }
  }

  static func sample(_ frame: Int, _ channel: Int) -> Float {
    Float((frame + 1000 * channel) % 32_768) / 32_768
  }
}

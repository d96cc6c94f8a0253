// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: plays an address while it is received.
//
// Arguments: the address, and the UID of the device.
import AudioToolbox
import Foundation
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func check(_ status: OSStatus, _ step: String) {
  guard status != noErr else { return }
  print(step, "failed:", status)
  exit(1)
}

/// Receives bytes, parses packets and queues them, all on one queue of Dispatch.
final class Streamer: NSObject, URLSessionDataDelegate {
  var stream: AudioFileStreamID?
  var queue: AudioQueueRef?
  var format = AudioStreamBasicDescription()
  var (packetCount, byteCount, queued) = (0, 0, 0)
  let room = DispatchSemaphore(value: 8)

  func open() {
    check(
      AudioFileStreamOpen(
        Unmanaged.passUnretained(self).toOpaque(),
        { data, stream, property, _ in
          Unmanaged<Streamer>.fromOpaque(data).takeUnretainedValue().found(property, in: stream)
        },
        { data, byteCount, packetCount, bytes, packets in
          Unmanaged<Streamer>.fromOpaque(data).takeUnretainedValue()
            .take(bytes, Int(byteCount), packets, Int(packetCount))
        }, 0, &stream), "parser")
  }

  func found(_ property: AudioFileStreamPropertyID, in stream: AudioFileStreamID) {
    guard property == kAudioFileStreamProperty_ReadyToProducePackets else { return }
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    check(
      AudioFileStreamGetProperty(
        stream, kAudioFileStreamProperty_DataFormat, &size, &format), "format")
    let filled: AudioQueueOutputCallback = { data, queue, buffer in
      guard let data else { return }
      AudioQueueFreeBuffer(queue, buffer)
      Unmanaged<Streamer>.fromOpaque(data).takeUnretainedValue().room.signal()
    }
    check(
      AudioQueueNewOutput(
        &format, filled, Unmanaged.passUnretained(self).toOpaque(), nil, nil, 0, &queue), "queue")
    guard let queue else { exit(1) }
    var device = CommandLine.arguments[2] as CFString
    check(
      AudioQueueSetProperty(
        queue, kAudioQueueProperty_CurrentDevice, &device, UInt32(MemoryLayout<CFString>.size)),
      "device")
    var cookieSize: UInt32 = 0
    let hasCookie = AudioFileStreamGetPropertyInfo(
      stream, kAudioFileStreamProperty_MagicCookieData, &cookieSize, nil)
    guard hasCookie == noErr, cookieSize > 0 else { return }
    var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
    check(
      AudioFileStreamGetProperty(
        stream, kAudioFileStreamProperty_MagicCookieData, &cookieSize, &cookie), "cookie")
    check(
      AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize), "cookie")
  }

  func take(
    _ bytes: UnsafeRawPointer, _ byteCount: Int,
    _ packets: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ packetCount: Int
  ) {
    guard let queue else { return }
    // At most eight buffers wait.
    room.wait()
    var buffer: AudioQueueBufferRef?
    check(AudioQueueAllocateBuffer(queue, UInt32(byteCount), &buffer), "buffer")
    guard let buffer else { exit(1) }
    buffer.pointee.mAudioData.copyMemory(from: bytes, byteCount: byteCount)
    buffer.pointee.mAudioDataByteSize = UInt32(byteCount)
    let count = packets == nil ? 0 : UInt32(packetCount)
    check(AudioQueueEnqueueBuffer(queue, buffer, count, packets), "enqueue")
    self.packetCount += packetCount
    self.byteCount += byteCount
    queued += 1
    if queued == 1 { check(AudioQueueStart(queue, nil), "start") }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    data.withUnsafeBytes { bytes in
      guard let stream, let base = bytes.baseAddress else { return }
      check(AudioFileStreamParseBytes(stream, UInt32(bytes.count), base, []), "parse")
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let queue else {
      print("no sound", error.map { "\($0)" } ?? "")
      exit(1)
    }
    check(AudioQueueFlush(queue), "flush")
    let ended: AudioQueuePropertyListenerProc = { _, queue, property in
      var (isRunning, size) = (UInt32(1), UInt32(MemoryLayout<UInt32>.size))
      AudioQueueGetProperty(queue, property, &isRunning, &size)
      if isRunning == 0 { CFRunLoopStop(CFRunLoopGetMain()) }
    }
    check(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, ended, nil), "listen")
    check(AudioQueueStop(queue, false), "stop")
  }
}

let streamer = Streamer()
streamer.open()
guard let address = URL(string: CommandLine.arguments[1]) else { exit(1) }
let session = URLSession(configuration: .default, delegate: streamer, delegateQueue: nil)
session.dataTask(with: address).resume()
let end = CFRunLoopRunInMode(.defaultMode, 60, false)
print("stopped", end == .stopped)
print("rate", streamer.format.mSampleRate, "channels", streamer.format.mChannelsPerFrame)
print("packets", streamer.packetCount, "bytes", streamer.byteCount)
if let queue = streamer.queue { check(AudioQueueDispose(queue, true), "dispose") }
if let stream = streamer.stream { check(AudioFileStreamClose(stream), "close") }

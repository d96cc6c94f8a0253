// SPDX-License-Identifier: Apache-2.0
// Reads a file in pieces as if they arrived from the network, parses them, and renders the packets
// with a queue into memory: StreamQueue FILE OUTPUT.
import AudioToolbox
import Foundation

final class Streamer {
  var stream: AudioFileStreamID?
  var queue: AudioQueueRef?
  var packets: [(bytes: [UInt8], frames: UInt32)] = []
  var next = 0
  var isFinished = false
  var rendered: [Float] = []

  func enqueue(_ buffer: AudioQueueBufferRef) {
    var descriptions: [AudioStreamPacketDescription] = []
    var size = 0
    while next < packets.count, descriptions.count < 16,
      size + packets[next].bytes.count <= Int(buffer.pointee.mAudioDataBytesCapacity)
    {
      let bytes = packets[next].bytes
      bytes.withUnsafeBytes {
        guard let base = $0.baseAddress else { return }
        (buffer.pointee.mAudioData + size).copyMemory(from: base, byteCount: $0.count)
      }
      descriptions.append(
        AudioStreamPacketDescription(
          mStartOffset: Int64(size), mVariableFramesInPacket: 0,
          mDataByteSize: UInt32(bytes.count)))
      size += bytes.count
      next += 1
    }
    guard size > 0, let queue else { return }
    buffer.pointee.mAudioDataByteSize = UInt32(size)
    AudioQueueEnqueueBuffer(queue, buffer, UInt32(descriptions.count), descriptions)
  }
}

let streamer = Streamer()
let userData = Unmanaged.passUnretained(streamer).toOpaque()

let propertyProc: AudioFileStream_PropertyListenerProc = { data, stream, property, _ in
  guard property == kAudioFileStreamProperty_ReadyToProducePackets else { return }
  let streamer = Unmanaged<Streamer>.fromOpaque(data).takeUnretainedValue()
  var format = AudioStreamBasicDescription()
  var size = UInt32(MemoryLayout.size(ofValue: format))
  AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &format)
  let status = AudioQueueNewOutput(
    &format,
    { data, _, buffer in
      guard let data else { return }
      Unmanaged<Streamer>.fromOpaque(data).takeUnretainedValue().enqueue(buffer)
    }, data, nil, nil, 0, &streamer.queue)
  print("format", format.mChannelsPerFrame, Int(format.mSampleRate), "status", status)
  var cookieSize: UInt32 = 0
  if AudioFileStreamGetPropertyInfo(
    stream, kAudioFileStreamProperty_MagicCookieData, &cookieSize, nil) == noErr, cookieSize > 0,
    let queue = streamer.queue
  {
    var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
    AudioFileStreamGetProperty(
      stream, kAudioFileStreamProperty_MagicCookieData, &cookieSize, &cookie)
    AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize)
  }
}

let packetsProc: AudioFileStream_PacketsProc = { data, _, packetCount, bytes, descriptions in
  let streamer = Unmanaged<Streamer>.fromOpaque(data).takeUnretainedValue()
  for index in 0..<Int(packetCount) {
    guard let packet = descriptions?[index] else { continue }
    let start = bytes + Int(packet.mStartOffset)
    let content = UnsafeRawBufferPointer(start: start, count: Int(packet.mDataByteSize))
    streamer.packets.append((Array(content), packet.mVariableFramesInPacket))
  }
}

guard
  AudioFileStreamOpen(userData, propertyProc, packetsProc, 0, &streamer.stream) == noErr,
  let stream = streamer.stream,
  let data = FileManager.default.contents(atPath: CommandLine.arguments[1])
else {
  print("cannot open")
  exit(1)
}
for start in stride(from: 0, to: data.count, by: 1000) {
  let piece = data[start..<min(start + 1000, data.count)]
  piece.withUnsafeBytes {
    if let base = $0.baseAddress {
      AudioFileStreamParseBytes(stream, UInt32($0.count), base, [])
    }
  }
}
AudioFileStreamClose(stream)
print("packets", streamer.packets.count)

guard let queue = streamer.queue else {
  print("no queue")
  exit(1)
}
var output = AudioStreamBasicDescription()
output.mFormatID = kAudioFormatLinearPCM
output.mFormatFlags = kAudioFormatFlagsNativeFloatPacked
output.mSampleRate = 44_100
(output.mChannelsPerFrame, output.mBitsPerChannel) = (2, 32)
(output.mBytesPerFrame, output.mBytesPerPacket, output.mFramesPerPacket) = (8, 8, 1)
AudioQueueSetOfflineRenderFormat(queue, &output, nil)
for _ in 0..<3 {
  var buffer: AudioQueueBufferRef?
  AudioQueueAllocateBuffer(queue, 65_536, &buffer)
  if let buffer { streamer.enqueue(buffer) }
}
AudioQueueStart(queue, nil)
var allocated: AudioQueueBufferRef?
AudioQueueAllocateBuffer(queue, 8 * 4096, &allocated)
guard let capture = allocated else { exit(1) }
var time = AudioTimeStamp()
time.mFlags = .sampleTimeValid
var bytes = Data()
while AudioQueueOfflineRender(queue, &time, capture, 4096) == noErr {
  let size = Int(capture.pointee.mAudioDataByteSize)
  guard size > 0 else { break }
  bytes.append(capture.pointee.mAudioData.assumingMemoryBound(to: UInt8.self), count: size)
  time.mSampleTime += Double(size / 8)
}
AudioQueueDispose(queue, true)
try bytes.write(to: URL(fileURLWithPath: CommandLine.arguments[2]))
print("frames", bytes.count / 8)

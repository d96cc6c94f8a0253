// SPDX-License-Identifier: Apache-2.0
// Records 16-bit samples or packets to a file, in the manner of Apple's Audio Queue Services
// Programming Guide: RecordPackets FILE DEVICE.
import AudioToolbox
import Foundation

final class Recorder {
  var format = AudioStreamBasicDescription()
  var queue: AudioQueueRef?
  var file: AudioFileID?
  var currentPacket: Int64 = 0
  var isRunning = false
}

let handleInputBuffer: AudioQueueInputCallback = {
  userData, queue, buffer, startTime, packetCount, descriptions in
  guard let userData else { return }
  let recorder = Unmanaged<Recorder>.fromOpaque(userData).takeUnretainedValue()
  var count = packetCount
  if count == 0, recorder.format.mBytesPerPacket != 0 {
    count = buffer.pointee.mAudioDataByteSize / recorder.format.mBytesPerPacket
  }
  if count > 0, let file = recorder.file,
    AudioFileWritePackets(
      file, false, buffer.pointee.mAudioDataByteSize, descriptions,
      recorder.currentPacket, &count, buffer.pointee.mAudioData) == noErr
  {
    recorder.currentPacket += Int64(count)
  }
  guard recorder.isRunning else { return }
  AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
}

let recorder = Recorder()
recorder.format.mFormatID = kAudioFormatLinearPCM
recorder.format.mSampleRate = 44_100
recorder.format.mChannelsPerFrame = 2
recorder.format.mBitsPerChannel = 16
recorder.format.mBytesPerFrame = 4
recorder.format.mBytesPerPacket = 4
recorder.format.mFramesPerPacket = 1
recorder.format.mFormatFlags =
  kLinearPCMFormatFlagIsBigEndian | kLinearPCMFormatFlagIsSignedInteger
  | kLinearPCMFormatFlagIsPacked

let userData = Unmanaged.passUnretained(recorder).toOpaque()
guard
  AudioQueueNewInput(
    &recorder.format, handleInputBuffer, userData, nil, CFRunLoopMode.commonModes.rawValue, 0,
    &recorder.queue) == noErr, let queue = recorder.queue
else {
  print("cannot record")
  exit(1)
}
var device = CommandLine.arguments[2] as CFString
AudioQueueSetProperty(
  queue, kAudioQueueProperty_CurrentDevice, &device, UInt32(MemoryLayout<CFString>.size))
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &recorder.format, &size)
let url = URL(fileURLWithPath: CommandLine.arguments[1]) as CFURL
guard
  AudioFileCreateWithURL(url, kAudioFileCAFType, &recorder.format, .eraseFile, &recorder.file)
    == noErr, let file = recorder.file
else {
  print("cannot create")
  exit(1)
}
for _ in 0..<3 {
  var buffer: AudioQueueBufferRef?
  AudioQueueAllocateBuffer(queue, 4 * 4410, &buffer)
  if let buffer { AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }
}
recorder.isRunning = true
guard AudioQueueStart(queue, nil) == noErr else {
  print("cannot start")
  exit(1)
}
while recorder.currentPacket < 3 * 4410 { Thread.sleep(forTimeInterval: 0.01) }
AudioQueueStop(queue, true)
recorder.isRunning = false
print("packets", recorder.currentPacket)
AudioQueueDispose(queue, true)
AudioFileClose(file)

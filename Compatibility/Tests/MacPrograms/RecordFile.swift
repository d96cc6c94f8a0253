// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: records half a second through an audio queue into a WAVE file.
//
// Arguments: the file to write, and the UID of the device.
import AudioToolbox
import Foundation

func check(_ status: OSStatus, _ step: String) {
  guard status != noErr else { return }
  print(step, "failed:", status)
  exit(1)
}

final class Recorder {
  var file: AudioFileID?
  var packet: Int64 = 0
  var isOver = false
  let wanted: Int64 = 22_050
}

let take: AudioQueueInputCallback = { data, queue, buffer, _, packetCount, packets in
  guard let data else { return }
  let recorder = Unmanaged<Recorder>.fromOpaque(data).takeUnretainedValue()
  guard let file = recorder.file, !recorder.isOver else { return }
  var count = packetCount
  if count == 0 { count = buffer.pointee.mAudioDataByteSize / 4 }
  check(
    AudioFileWritePackets(
      file, false, buffer.pointee.mAudioDataByteSize, packets, recorder.packet, &count,
      buffer.pointee.mAudioData), "write")
  recorder.packet += Int64(count)
  if recorder.packet >= recorder.wanted {
    recorder.isOver = true
    CFRunLoopStop(CFRunLoopGetMain())
  } else {
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
  }
}

// 16-bit stereo at 44100 Hz.
var format = AudioStreamBasicDescription(
  mSampleRate: 44100, mFormatID: kAudioFormatLinearPCM,
  mFormatFlags: kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked,
  mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
  mBitsPerChannel: 16, mReserved: 0)
let recorder = Recorder()
let url = URL(fileURLWithPath: CommandLine.arguments[1]) as CFURL
check(
  AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, .eraseFile, &recorder.file), "create")

var created: AudioQueueRef?
check(
  AudioQueueNewInput(
    &format, take, Unmanaged.passUnretained(recorder).toOpaque(), CFRunLoopGetMain(),
    CFRunLoopMode.commonModes.rawValue, 0, &created), "queue")
guard let queue = created else { exit(1) }
var device = CommandLine.arguments[2] as CFString
check(
  AudioQueueSetProperty(
    queue, kAudioQueueProperty_CurrentDevice, &device, UInt32(MemoryLayout<CFString>.size)),
  "device")
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
check(AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size), "format")
print("format", format.mSampleRate, format.mChannelsPerFrame)

for _ in 0..<3 {
  var buffer: AudioQueueBufferRef?
  check(AudioQueueAllocateBuffer(queue, 8192, &buffer), "buffer")
  if let buffer { check(AudioQueueEnqueueBuffer(queue, buffer, 0, nil), "enqueue") }
}
check(AudioQueueStart(queue, nil), "start")
print("stopped", CFRunLoopRunInMode(.defaultMode, 60, false) == .stopped)
check(AudioQueueStop(queue, true), "stop")
check(AudioQueueDispose(queue, true), "dispose")
if let file = recorder.file { check(AudioFileClose(file), "close") }

// The file has the frames that were written.
var opened: AudioFileID?
check(AudioFileOpenURL(url, .readPermission, 0, &opened), "open")
guard let written = opened else { exit(1) }
var packets: UInt64 = 0
size = UInt32(MemoryLayout<UInt64>.size)
check(
  AudioFileGetProperty(written, kAudioFilePropertyAudioDataPacketCount, &size, &packets), "count")
print("recorded", packets >= 22_050, Int64(packets) == recorder.packet)
AudioFileClose(written)

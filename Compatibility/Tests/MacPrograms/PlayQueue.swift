// SPDX-License-Identifier: Apache-2.0
// Plays the packets of a sound file with three buffers, in the manner of Apple's Audio Queue Services
// Programming Guide: PlayQueue FILE [DEVICE].
import AudioToolbox
import Foundation

let numberOfBuffers = 3

final class Player {
  var format = AudioStreamBasicDescription()
  var queue: AudioQueueRef?
  var file: AudioFileID?
  var bufferByteSize: UInt32 = 0
  var currentPacket: Int64 = 0
  var packetsToRead: UInt32 = 0
  var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  var isRunning = false
  var buffersPlayed = 0
}

func handleOutputBuffer(
  _ userData: UnsafeMutableRawPointer?, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef
) {
  guard let userData else { return }
  let player = Unmanaged<Player>.fromOpaque(userData).takeUnretainedValue()
  guard player.isRunning, let file = player.file else { return }
  var byteCount = player.bufferByteSize
  var packetCount = player.packetsToRead
  AudioFileReadPacketData(
    file, false, &byteCount, player.descriptions, player.currentPacket, &packetCount,
    buffer.pointee.mAudioData)
  if packetCount > 0 {
    buffer.pointee.mAudioDataByteSize = byteCount
    AudioQueueEnqueueBuffer(
      queue, buffer, player.descriptions != nil ? packetCount : 0, player.descriptions)
    player.currentPacket += Int64(packetCount)
    player.buffersPlayed += 1
  } else {
    AudioQueueStop(queue, false)
    player.isRunning = false
  }
}

func deriveBufferSize(
  _ format: AudioStreamBasicDescription, _ maxPacketSize: UInt32, _ seconds: Double
) -> (bytes: UInt32, packets: UInt32) {
  let (maxBufferSize, minBufferSize): (UInt32, UInt32) = (0x50000, 0x4000)
  var size = max(maxBufferSize, maxPacketSize)
  if format.mFramesPerPacket != 0 {
    let packets = format.mSampleRate / Double(format.mFramesPerPacket) * seconds
    size = UInt32(packets) * maxPacketSize
  }
  if size > maxBufferSize, size > maxPacketSize { size = maxBufferSize }
  if size < minBufferSize { size = minBufferSize }
  return (size, size / maxPacketSize)
}

let player = Player()
let userData = Unmanaged.passUnretained(player).toOpaque()
let url = URL(fileURLWithPath: CommandLine.arguments[1]) as CFURL
guard AudioFileOpenURL(url, .readPermission, 0, &player.file) == noErr, let file = player.file
else {
  print("cannot open")
  exit(1)
}
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &player.format)
guard
  AudioQueueNewOutput(
    &player.format, handleOutputBuffer, userData, CFRunLoopGetCurrent(),
    CFRunLoopMode.commonModes.rawValue, 0, &player.queue) == noErr, let queue = player.queue
else {
  print("cannot play")
  exit(1)
}
if CommandLine.arguments.count > 2 {
  var device = CommandLine.arguments[2] as CFString
  AudioQueueSetProperty(
    queue, kAudioQueueProperty_CurrentDevice, &device, UInt32(MemoryLayout<CFString>.size))
}

var maxPacketSize: UInt32 = 0
size = UInt32(MemoryLayout<UInt32>.size)
AudioFileGetProperty(file, kAudioFilePropertyPacketSizeUpperBound, &size, &maxPacketSize)
(player.bufferByteSize, player.packetsToRead) = deriveBufferSize(
  player.format, maxPacketSize, 0.1)
let isVariable = player.format.mBytesPerPacket == 0 || player.format.mFramesPerPacket == 0
if isVariable {
  player.descriptions = .allocate(capacity: Int(player.packetsToRead))
}
var cookieSize: UInt32 = 0
if AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &cookieSize, nil) == noErr,
  cookieSize > 0
{
  var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
  AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &cookieSize, &cookie)
  AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize)
}

var isStarted = false
AudioQueueAddPropertyListener(
  queue, kAudioQueueProperty_IsRunning,
  { _, queue, property in
    var (isRunning, size) = (UInt32(0), UInt32(MemoryLayout<UInt32>.size))
    AudioQueueGetProperty(queue, property, &isRunning, &size)
    print("running", isRunning)
    if isRunning == 0 { CFRunLoopStop(CFRunLoopGetCurrent()) }
  }, userData)

player.isRunning = true
for _ in 0..<numberOfBuffers {
  var buffer: AudioQueueBufferRef?
  AudioQueueAllocateBuffer(queue, player.bufferByteSize, &buffer)
  if let buffer { handleOutputBuffer(userData, queue, buffer) }
}
AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5)
guard AudioQueueStart(queue, nil) == noErr else {
  print("cannot start")
  exit(1)
}
CFRunLoopRun()
print("packets", player.currentPacket)
AudioQueueDispose(queue, true)
AudioFileClose(file)
player.descriptions?.deallocate()

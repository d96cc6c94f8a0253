// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: plays a file's packets through an audio queue.
//
// Arguments: the sound file, and the UID of the device.
import AudioToolbox
import Foundation

func check(_ status: OSStatus, _ step: String) {
  guard status != noErr else { return }
  print(step, "failed:", status)
  exit(1)
}

final class Player {
  var file: AudioFileID?
  var packet: Int64 = 0
  var bytes = 0
  var packetsInBuffer: UInt32 = 0
  var isOver = false
}

let fill: AudioQueueOutputCallback = { data, queue, buffer in
  guard let data else { return }
  let player = Unmanaged<Player>.fromOpaque(data).takeUnretainedValue()
  guard let file = player.file, !player.isOver else { return }
  var (byteCount, packetCount) = (buffer.pointee.mAudioDataBytesCapacity, player.packetsInBuffer)
  let status = AudioFileReadPacketData(
    file, false, &byteCount, buffer.pointee.mPacketDescriptions, player.packet, &packetCount,
    buffer.pointee.mAudioData)
  guard status == noErr || status == kAudioFileEndOfFileError, packetCount > 0 else {
    // The buffers in the queue play to the end.
    player.isOver = true
    AudioQueueStop(queue, false)
    return
  }
  buffer.pointee.mAudioDataByteSize = byteCount
  buffer.pointee.mPacketDescriptionCount =
    buffer.pointee.mPacketDescriptions == nil ? 0 : packetCount
  AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
  player.packet += Int64(packetCount)
  player.bytes += Int(byteCount)
}

let stopped: AudioQueuePropertyListenerProc = { data, queue, property in
  var (isRunning, size) = (UInt32(1), UInt32(MemoryLayout<UInt32>.size))
  AudioQueueGetProperty(queue, property, &isRunning, &size)
  if isRunning == 0 { CFRunLoopStop(CFRunLoopGetMain()) }
}

let player = Player()
let url = URL(fileURLWithPath: CommandLine.arguments[1]) as CFURL
check(AudioFileOpenURL(url, .readPermission, 0, &player.file), "open")
guard let file = player.file else { exit(1) }

var format = AudioStreamBasicDescription()
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
check(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format), "format")
var created: AudioQueueRef?
check(
  AudioQueueNewOutput(
    &format, fill, Unmanaged.passUnretained(player).toOpaque(), CFRunLoopGetMain(),
    CFRunLoopMode.commonModes.rawValue, 0, &created), "queue")
guard let queue = created else { exit(1) }

var device = CommandLine.arguments[2] as CFString
check(
  AudioQueueSetProperty(
    queue, kAudioQueueProperty_CurrentDevice, &device, UInt32(MemoryLayout<CFString>.size)),
  "device")

// The decoder's settings, for formats that have them.
var cookieSize: UInt32 = 0
if AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &cookieSize, nil) == noErr,
  cookieSize > 0
{
  var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
  check(
    AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &cookieSize, &cookie), "cookie")
  check(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize), "cookie")
}

var largest: UInt32 = 0
size = UInt32(MemoryLayout<UInt32>.size)
check(
  AudioFileGetProperty(file, kAudioFilePropertyPacketSizeUpperBound, &size, &largest), "packets")
var packetTotal: UInt64 = 0
size = UInt32(MemoryLayout<UInt64>.size)
check(
  AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &packetTotal), "count")

let isVariable = format.mBytesPerPacket == 0 || format.mFramesPerPacket == 0
let bufferSize = max(largest, 8192)
player.packetsInBuffer = bufferSize / largest
for _ in 0..<3 {
  var buffer: AudioQueueBufferRef?
  check(
    AudioQueueAllocateBufferWithPacketDescriptions(
      queue, bufferSize, isVariable ? player.packetsInBuffer : 0, &buffer), "buffer")
  if let buffer { fill(Unmanaged.passUnretained(player).toOpaque(), queue, buffer) }
}
check(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5), "volume")
check(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, stopped, nil), "listen")
check(AudioQueueStart(queue, nil), "start")
let end = CFRunLoopRunInMode(.defaultMode, 60, false)
print("stopped", end == .stopped)
print("packets", player.packet, UInt64(player.packet) == packetTotal, "bytes", player.bytes > 0)
check(AudioQueueDispose(queue, true), "dispose")
check(AudioFileClose(file), "close")

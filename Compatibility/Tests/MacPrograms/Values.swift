// SPDX-License-Identifier: Apache-2.0
// Buffer lists, layouts, packets and times, as programs for macOS write them.
import AVFAudio
import CoreMedia
import Foundation

let format = AudioStreamBasicDescription(
  mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
  mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
    | kAudioFormatFlagIsNonInterleaved,
  mBytesPerPacket: UInt32(MemoryLayout<Float32>.size), mFramesPerPacket: 1,
  mBytesPerFrame: UInt32(MemoryLayout<Float32>.size), mChannelsPerFrame: 2, mBitsPerChannel: 32,
  mReserved: 0)

let list = AudioBufferList.allocate(maximumBuffers: Int(format.mChannelsPerFrame))
for index in 0..<list.count {
  let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4)
  memory.initialize(repeating: Float(index))
  list[index] = AudioBuffer(memory, numberOfChannels: 1)
}
func sum(_ list: UnsafeMutablePointer<AudioBufferList>) -> Float {
  UnsafeMutableAudioBufferListPointer(list).reduce(0) { total, buffer in
    total + UnsafeBufferPointer<Float>(buffer).reduce(0, +)
  }
}
print("sum", sum(list.unsafeMutablePointer))
for buffer in list { buffer.mData?.deallocate() }
free(list.unsafeMutablePointer)

var layout = AudioChannelLayout()
layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
print("channels", AudioChannelLayoutTag_GetNumberOfChannels(layout.mChannelLayoutTag))
var packets = [AudioStreamPacketDescription](
  repeating: AudioStreamPacketDescription(
    mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 417), count: 3)
for index in packets.indices { packets[index].mStartOffset = Int64(index) * 417 }
print("packets", packets.map(\.mStartOffset))

let frame = CMTime(value: 1001, timescale: 30_000)
let range = CMTimeRange(start: .zero, duration: CMTimeMultiply(frame, multiplier: 30))
let second = CMTimeMakeWithSeconds(1, preferredTimescale: 600)
print("range", range.duration.seconds, range.containsTime(second))
print("end", CMTimeGetSeconds(range.end + frame), CMTimeCompare(range.end, .positiveInfinity))
let position: AVMusicTimeStamp = 4
print("beats", position)

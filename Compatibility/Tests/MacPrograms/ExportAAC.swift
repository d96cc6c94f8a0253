// SPDX-License-Identifier: Apache-2.0
// Encodes a sound file as AAC and shows the progress, as programs for macOS do.
import AudioToolbox
import Foundation

func check(_ status: OSStatus, _ operation: String) {
  if status == noErr { return }
  print(operation, "failed with", status)
  exit(1)
}

let source = URL(fileURLWithPath: CommandLine.arguments[1])
let destination = URL(fileURLWithPath: CommandLine.arguments[2])

var opened: ExtAudioFileRef?
check(ExtAudioFileOpenURL(source as CFURL, &opened), "open")
guard let input = opened else { exit(1) }
var fileFormat = AudioStreamBasicDescription()
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
check(
  ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileDataFormat, &size, &fileFormat),
  "file format")
var total: Int64 = 0
size = UInt32(MemoryLayout<Int64>.size)
check(
  ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileLengthFrames, &size, &total), "length")

var client = AudioStreamBasicDescription(
  mSampleRate: fileFormat.mSampleRate, mFormatID: kAudioFormatLinearPCM,
  mFormatFlags: kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked,
  mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
  mBitsPerChannel: 16, mReserved: 0)
var aac = AudioStreamBasicDescription()
aac.mFormatID = kAudioFormatMPEG4AAC
aac.mSampleRate = fileFormat.mSampleRate
aac.mChannelsPerFrame = 2
size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
check(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &aac), "format info")
print("frames per packet", aac.mFramesPerPacket)

var created: ExtAudioFileRef?
check(
  ExtAudioFileCreateWithURL(
    destination as CFURL, kAudioFileM4AType, &aac, nil, AudioFileFlags.eraseFile.rawValue, &created),
  "create")
guard let output = created else { exit(1) }
var codec = kAppleSoftwareAudioCodecManufacturer
check(
  ExtAudioFileSetProperty(output, kExtAudioFileProperty_CodecManufacturer, 4, &codec), "codec")
for file in [input, output] {
  check(
    ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, size, &client), "client")
}
var found: AudioConverterRef?
var pointerSize = UInt32(MemoryLayout<AudioConverterRef?>.size)
check(
  ExtAudioFileGetProperty(
    output, kExtAudioFileProperty_AudioConverter, &pointerSize, &found), "converter")
guard let converter = found else { exit(1) }
var bitRate: UInt32 = 160_000
check(AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &bitRate), "bit rate")
var config: CFArray?
check(
  ExtAudioFileSetProperty(
    output, kExtAudioFileProperty_ConverterConfig, UInt32(MemoryLayout<CFArray?>.size), &config),
  "config")

let frames: UInt32 = 8192
let buffer = UnsafeMutableRawPointer.allocate(byteCount: Int(frames) * 4, alignment: 4)
defer { buffer.deallocate() }
var done: Int64 = 0
var shown = 0
while true {
  var list = AudioBufferList(
    mNumberBuffers: 1,
    mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: frames * 4, mData: buffer))
  var count = frames
  check(ExtAudioFileRead(input, &count, &list), "read")
  if count == 0 { break }
  check(ExtAudioFileWrite(output, count, &list), "write")
  done += Int64(count)
  let quarter = Int(done * 4 / total)
  if quarter > shown {
    shown = quarter
    print("\(shown * 25) %")
  }
}
check(ExtAudioFileDispose(output), "finish")
check(ExtAudioFileDispose(input), "close")
print("frames", done)

// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: encodes a sound file as AAC in an M4A file, with its progress.
//
// Arguments: the sound file, and the M4A file to write.
import AudioToolbox
import Foundation

func check(_ status: OSStatus, _ step: String) {
  guard status != noErr else { return }
  print(step, "failed:", status)
  exit(1)
}

func open(_ path: String) -> ExtAudioFileRef {
  var file: ExtAudioFileRef?
  check(ExtAudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, &file), "open")
  guard let file else { exit(1) }
  return file
}

func length(_ file: ExtAudioFileRef) -> Int64 {
  var (frames, size) = (Int64(0), UInt32(MemoryLayout<Int64>.size))
  check(
    ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &frames),
    "length")
  return frames
}

let source = open(CommandLine.arguments[1])
let total = length(source)
var format = AudioStreamBasicDescription()
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
check(
  ExtAudioFileGetProperty(source, kExtAudioFileProperty_FileDataFormat, &size, &format), "format")

// The fields that the codec determines are filled in by the system.
var encoded = AudioStreamBasicDescription()
encoded.mFormatID = kAudioFormatMPEG4AAC
encoded.mSampleRate = format.mSampleRate
encoded.mChannelsPerFrame = format.mChannelsPerFrame
check(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &encoded), "codec")
print("frames in a packet", encoded.mFramesPerPacket)

let url = URL(fileURLWithPath: CommandLine.arguments[2]) as CFURL
var created: ExtAudioFileRef?
check(
  ExtAudioFileCreateWithURL(
    url, kAudioFileM4AType, &encoded, nil, AudioFileFlags.eraseFile.rawValue, &created), "create")
guard let destination = created else { exit(1) }

// Samples cross the program as interleaved 32-bit floats.
let channels = format.mChannelsPerFrame
var client = AudioStreamBasicDescription(
  mSampleRate: format.mSampleRate, mFormatID: kAudioFormatLinearPCM,
  mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
  mBytesPerPacket: 4 * channels, mFramesPerPacket: 1, mBytesPerFrame: 4 * channels,
  mChannelsPerFrame: channels, mBitsPerChannel: 32, mReserved: 0)
for file in [source, destination] {
  check(
    ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, size, &client), "client")
}

let most: UInt32 = 4096
var samples = [Float](repeating: 0, count: Int(most * channels))
var (done, quarter) = (Int64(0), Int64(0))
while true {
  var frames = most
  let isOver = samples.withUnsafeMutableBytes { bytes in
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: channels, mDataByteSize: UInt32(bytes.count),
        mData: bytes.baseAddress))
    check(ExtAudioFileRead(source, &frames, &list), "read")
    if frames > 0 { check(ExtAudioFileWrite(destination, frames, &list), "write") }
    return frames == 0
  }
  if isOver { break }
  done += Int64(frames)
  while quarter < 4 * done / total {
    quarter += 1
    print("progress \(25 * quarter) %")
  }
}
check(ExtAudioFileDispose(destination), "close")
check(ExtAudioFileDispose(source), "close")

let result = open(CommandLine.arguments[2])
print("length", length(result) - total)
ExtAudioFileDispose(result)

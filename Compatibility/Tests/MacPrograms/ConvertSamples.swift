// SPDX-License-Identifier: Apache-2.0
// Decodes any sound file to a WAVE file, then converts samples with a callback, as programs for macOS
// do.
import AudioToolbox
import Foundation

let source = URL(fileURLWithPath: CommandLine.arguments[1])
let destination = URL(fileURLWithPath: CommandLine.arguments[2])

var input: ExtAudioFileRef?
var output: ExtAudioFileRef?
var wave = AudioStreamBasicDescription(
  mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
  mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
  mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)
guard ExtAudioFileOpenURL(source as CFURL, &input) == noErr, let input,
  ExtAudioFileCreateWithURL(
    destination as CFURL, kAudioFileWAVEType, &wave, nil, AudioFileFlags.eraseFile.rawValue,
    &output) == noErr, let output
else { fatalError("the files cannot be opened") }
ExtAudioFileSetProperty(
  input, kExtAudioFileProperty_ClientDataFormat,
  UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &wave)
var samples = [Int16]()
var total = 0
while true {
  var piece = [Int16](repeating: 0, count: 4096)
  var count: UInt32 = 2048
  piece.withUnsafeMutableBytes { bytes in
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
    ExtAudioFileRead(input, &count, &list)
    ExtAudioFileWrite(output, count, &list)
  }
  if count == 0 { break }
  samples += piece.prefix(Int(count) * 2)
  total += Int(count)
}
ExtAudioFileDispose(input)
ExtAudioFileDispose(output)
print("decoded", total)

/// The data of the callback.
struct Supply {
  var data: UnsafeMutablePointer<Int16>
  var frames: Int
  var place = 0
}

let inputProc: AudioConverterComplexInputDataProc = {
  _, ioNumberDataPackets, ioData, _, inUserData in
  guard let supply = inUserData?.assumingMemoryBound(to: Supply.self) else { return -1 }
  let frames = min(Int(ioNumberDataPackets.pointee), supply.pointee.frames - supply.pointee.place)
  ioData.pointee.mBuffers.mData = UnsafeMutableRawPointer(
    supply.pointee.data + supply.pointee.place * 2)
  ioData.pointee.mBuffers.mDataByteSize = UInt32(frames * 4)
  ioData.pointee.mBuffers.mNumberChannels = 2
  ioNumberDataPackets.pointee = UInt32(frames)
  supply.pointee.place += frames
  return noErr
}

var target = AudioStreamBasicDescription(
  mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
  mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
  mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
  mBitsPerChannel: 32, mReserved: 0)
var made: AudioConverterRef?
guard AudioConverterNew(&wave, &target, &made) == noErr, let converter = made else {
  fatalError("no converter")
}
var converted = 0
let list = AudioBufferList.allocate(maximumBuffers: 2)
for index in 0..<2 {
  let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1024)
  list[index] = AudioBuffer(memory, numberOfChannels: 1)
}
samples.withUnsafeMutableBufferPointer { pointer in
  guard let base = pointer.baseAddress else { return }
  var supply = Supply(data: base, frames: pointer.count / 2)
  while true {
    for index in 0..<2 { list[index].mDataByteSize = 4096 }
    var count: UInt32 = 1024
    let status = AudioConverterFillComplexBuffer(
      converter, inputProc, &supply, &count, list.unsafeMutablePointer, nil)
    guard status == noErr, count > 0 else { break }
    converted += Int(count)
  }
}
for buffer in list { buffer.mData?.deallocate() }
free(list.unsafeMutablePointer)
print("converted", converted, AudioConverterDispose(converter))

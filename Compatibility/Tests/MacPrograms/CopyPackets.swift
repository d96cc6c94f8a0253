// SPDX-License-Identifier: Apache-2.0
// Copies the packets of a sound file to another one, in the manner of Apple's guides. The last copy
// is never closed.
import AudioToolbox
import Foundation

func check(_ status: OSStatus, _ operation: String) {
  guard status != noErr else { return }
  let code = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: status >> $0) }
  print("\(operation) failed: \(status)", String(decoding: code, as: UTF8.self))
  exit(1)
}

func copy(_ source: URL, to target: URL, _ type: AudioFileTypeID, closes: Bool) {
  var openedFile: AudioFileID?
  check(
    AudioFileOpenURL(source as CFURL, .readPermission, 0, &openedFile), "AudioFileOpenURL")
  guard let inputFile = openedFile else { return }
  var format = AudioStreamBasicDescription()
  var size = UInt32(MemoryLayout.size(ofValue: format))
  check(
    AudioFileGetProperty(inputFile, kAudioFilePropertyDataFormat, &size, &format), "data format")
  var createdFile: AudioFileID?
  check(
    AudioFileCreateWithURL(target as CFURL, type, &format, .eraseFile, &createdFile),
    "AudioFileCreateWithURL")
  guard let outputFile = createdFile else { return }

  var cookieSize: UInt32 = 0
  if AudioFileGetPropertyInfo(
    inputFile, kAudioFilePropertyMagicCookieData, &cookieSize, nil) == noErr, cookieSize > 0
  {
    let cookie = UnsafeMutableRawPointer.allocate(byteCount: Int(cookieSize), alignment: 1)
    AudioFileGetProperty(inputFile, kAudioFilePropertyMagicCookieData, &cookieSize, cookie)
    AudioFileSetProperty(outputFile, kAudioFilePropertyMagicCookieData, cookieSize, cookie)
    cookie.deallocate()
  }

  var maxPacketSize: UInt32 = 0
  size = UInt32(MemoryLayout<UInt32>.size)
  check(
    AudioFileGetProperty(
      inputFile, kAudioFilePropertyPacketSizeUpperBound, &size, &maxPacketSize), "packet size")
  let packetsPerBuffer: UInt32 = 64
  let bufferSize = maxPacketSize * packetsPerBuffer
  let buffer = UnsafeMutableRawPointer.allocate(byteCount: Int(bufferSize), alignment: 16)
  defer { buffer.deallocate() }
  let isVariable = format.mBytesPerPacket == 0 || format.mFramesPerPacket == 0
  let descriptions =
    isVariable
    ? UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: Int(packetsPerBuffer))
    : nil
  defer { descriptions?.deallocate() }

  var position: Int64 = 0
  while true {
    var byteCount = bufferSize
    var packetCount = packetsPerBuffer
    let status = AudioFileReadPacketData(
      inputFile, false, &byteCount, descriptions, position, &packetCount, buffer)
    if status == kAudioFileEndOfFileError || packetCount == 0 { break }
    check(status, "AudioFileReadPacketData")
    check(
      AudioFileWritePackets(
        outputFile, false, byteCount, descriptions, position, &packetCount, buffer),
      "AudioFileWritePackets")
    position += Int64(packetCount)
  }

  var table = AudioFilePacketTableInfo()
  size = UInt32(MemoryLayout<AudioFilePacketTableInfo>.size)
  if AudioFileGetProperty(inputFile, kAudioFilePropertyPacketTableInfo, &size, &table) == noErr {
    AudioFileSetProperty(outputFile, kAudioFilePropertyPacketTableInfo, size, &table)
  }
  print("copied", position)
  AudioFileClose(inputFile)
  if closes { AudioFileClose(outputFile) }
}

let arguments = CommandLine.arguments
for index in stride(from: 1, to: arguments.count - 1, by: 2) {
  let target = URL(fileURLWithPath: arguments[index + 1])
  let type: AudioFileTypeID =
    switch target.pathExtension {
    case "caf": kAudioFileCAFType
    case "m4a": kAudioFileM4AType
    default: kAudioFileWAVEType
    }
  copy(
    URL(fileURLWithPath: arguments[index]), to: target, type, closes: index + 2 < arguments.count)
}

// SPDX-License-Identifier: Apache-2.0
// Counts the packets of a file that arrives in pieces, in the manner of Apple's guides.
import AudioToolbox
import Foundation

struct PacketCounter {
  var packets = 0
  var bytes = 0
  var format = AudioStreamBasicDescription()
  var isReady = false
}

func letters(_ code: UInt32) -> String {
  String(decoding: [24, 16, 8, 0].map { UInt8(code >> $0 & 0xFF) }, as: UTF8.self)
}

let propertyListener: AudioFileStream_PropertyListenerProc = { clientData, stream, property, _ in
  let counter = clientData.assumingMemoryBound(to: PacketCounter.self)
  switch property {
  case kAudioFileStreamProperty_DataFormat:
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    AudioFileStreamGetProperty(stream, property, &size, &counter.pointee.format)
  case kAudioFileStreamProperty_MagicCookieData:
    var size: UInt32 = 0
    var writable: DarwinBoolean = false
    AudioFileStreamGetPropertyInfo(stream, property, &size, &writable)
    print("cookie", size > 0, writable.boolValue)
  case kAudioFileStreamProperty_ReadyToProducePackets:
    counter.pointee.isReady = true
  default:
    break
  }
}

let packetsProc: AudioFileStream_PacketsProc = { clientData, byteCount, count, data, descriptions in
  let counter = clientData.assumingMemoryBound(to: PacketCounter.self)
  guard counter.pointee.isReady else { return print("not ready") }
  counter.pointee.packets += Int(count)
  if let descriptions {
    for index in 0..<Int(count) {
      let packet = descriptions[index]
      let start = data.advanced(by: Int(packet.mStartOffset))
      counter.pointee.bytes +=
        UnsafeRawBufferPointer(
          start: start, count: Int(packet.mDataByteSize)
        ).count
    }
  } else {
    counter.pointee.bytes += Int(byteCount)
  }
}

for path in CommandLine.arguments.dropFirst() {
  var counter = PacketCounter()
  var stream: AudioFileStreamID?
  guard
    AudioFileStreamOpen(&counter, propertyListener, packetsProc, 0, &stream) == noErr,
    let stream, let handle = FileHandle(forReadingAtPath: path)
  else { fatalError("cannot open \(path)") }
  while true {
    let data = handle.readData(ofLength: 1000)
    if data.isEmpty { break }
    let status = data.withUnsafeBytes { bytes in
      AudioFileStreamParseBytes(stream, UInt32(bytes.count), bytes.baseAddress, [])
    }
    if status != noErr {
      print("status", letters(UInt32(bitPattern: status)))
      break
    }
  }
  print(
    letters(counter.format.mFormatID), Int(counter.format.mSampleRate), counter.packets,
    counter.bytes)
  AudioFileStreamClose(stream)
}

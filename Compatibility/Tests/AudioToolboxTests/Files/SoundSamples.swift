// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolboxFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Files for the tests of Audio File Services.
enum SoundSamples {
  /// A quarter of a second of two tones.
  static let tones: [Int16] = (0..<11_025).flatMap { frame -> [Int16] in
    let left = Int(8000 * sin(Double(frame) * 0.0627)), right = frame * 37 % 4001 - 2000
    return [Int16(left), Int16(right)]
  }

  /// Writes the tones; nil if the codec is not installed.
  static func write(
    _ scratch: ScratchFolder, _ name: String, _ encoding: SoundFileFormat.Encoding? = nil
  ) throws -> String? {
    let path = scratch.path(name)
    do {
      let writer = try SoundFileWriter(
        path: path, format: SoundFileFormat(path: path, encoding: encoding), channelCount: 2,
        rate: .hertz44100)
      try writer.write(tones.span)
      try writer.finish()
      return path
    } catch SoundFileError.codecsMissing {
      return nil
    }
  }

  /// Writes the tones as an M4A file whose index is before the sound; nil without the codec.
  static func writeIndexFirst(
    _ scratch: ScratchFolder, _ name: String, _ encoding: SoundFileFormat.Encoding
  ) throws -> String? {
    guard let late = try write(scratch, "late-\(name)", encoding) else { return nil }
    let (reader, path) = (try PacketReader(path: late), scratch.path(name))
    let table = reader.table
    let writer = try PacketWriter(
      path: path, container: .m4a, layer: reader.formats[0], magicCookie: reader.magicCookie,
      primingFrameCount: table.primingFrameCount)
    for (number, packet) in table.packets.enumerated() {
      try writer.write(#require(reader.packet(number)), frameCount: packet.frameCount)
    }
    try writer.finish(remainderFrameCount: table.remainderFrameCount)
    return path
  }

  /// The samples of a file.
  static func samples(_ path: String) throws -> [Float] {
    let reader = try SoundFileReader(path: path)
    return reader.read(frameCount: 1 << 20)
  }
}

/// A file that is open, with functions that throw.
struct OpenFile {
  let identifier: AudioFileID

  init(_ path: String, _ permissions: AudioFilePermissions = .readPermission) throws {
    var file: AudioFileID?
    try check(AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, permissions, 0, &file))
    identifier = try #require(file)
  }

  init(
    creating path: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
    _ flags: AudioFileFlags = .eraseFile
  ) throws {
    var (file, format) = (AudioFileID?.none, format)
    try check(
      AudioFileCreateWithURL(URL(fileURLWithPath: path) as CFURL, type, &format, flags, &file))
    identifier = try #require(file)
  }

  /// A property of one size.
  func property<Value>(_ property: AudioFilePropertyID, _ initial: Value) throws -> Value {
    var (value, size) = (initial, UInt32(MemoryLayout<Value>.size))
    try check(
      withUnsafeMutablePointer(to: &value) {
        AudioFileGetProperty(identifier, property, &size, UnsafeMutableRawPointer($0))
      })
    return value
  }

  /// The bytes of a property.
  func bytes(_ property: AudioFilePropertyID) throws -> [UInt8] {
    var size: UInt32 = 0
    try check(AudioFileGetPropertyInfo(identifier, property, &size, nil))
    var bytes = [UInt8](repeating: 0, count: Int(size))
    try check(AudioFileGetProperty(identifier, property, &size, &bytes))
    return Array(bytes.prefix(Int(size)))
  }

  var format: AudioStreamBasicDescription {
    get throws { try property(kAudioFilePropertyDataFormat, AudioStreamBasicDescription()) }
  }

  /// Reads all packets, some at a time.
  func packets(_ step: UInt32, capacity: Int) throws -> [(AudioStreamPacketDescription, [UInt8])] {
    var (found, start) = ([(AudioStreamPacketDescription, [UInt8])](), Int64(0))
    let size = try Int(format.mBytesPerPacket)
    while true {
      var (bytes, count) = (UInt32(capacity), step)
      var buffer = [UInt8](repeating: 0, count: capacity)
      var descriptions = [AudioStreamPacketDescription](
        repeating: AudioStreamPacketDescription(), count: Int(step))
      let status = AudioFileReadPacketData(
        identifier, false, &bytes, &descriptions, start, &count, &buffer)
      try check(status)
      guard count > 0 else { return found }
      for index in 0..<Int(count) {
        if size > 0 {
          descriptions[index] = AudioStreamPacketDescription(
            mStartOffset: Int64(index * size), mVariableFramesInPacket: 0,
            mDataByteSize: UInt32(size))
        }
        let place = Int(descriptions[index].mStartOffset)
        found.append(
          (
            descriptions[index],
            Array(buffer[place..<place + Int(descriptions[index].mDataByteSize)])
          ))
      }
      start += Int64(count)
    }
  }

  func close() throws { try check(AudioFileClose(identifier)) }
}

/// The code of a function that failed.
struct StatusFailure: Error, Equatable {
  let code: OSStatus
}

/// Throws for any code but 0.
func check(_ status: OSStatus) throws {
  if status != noErr { throw StatusFailure(code: status) }
}

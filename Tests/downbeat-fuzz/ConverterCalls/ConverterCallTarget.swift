// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioFiles
import Foundation
import MusicalTime
import TestSupport

/// The functions of AudioConverter.h, ExtendedAudioFile.h and AudioFormat.h, called in any order with
/// any handles: fresh, stale and foreign ones.
@safe struct ConverterCallTarget: FuzzTarget {
  private let folder: URL
  private var converters: [OpaquePointer?] = unsafe [nil]
  private var files: [OpaquePointer?] = unsafe [nil]
  private let input = ConverterInputBytes()
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
    capacity: 4096)
  private var (done, refused) = (0, 0)

  private static let names = ["a.wav", "b.m4a", "c.flac", "d.caf"]

  init(_ scene: FuzzScene) throws {
    folder = scene.folder
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    let samples = (0..<6000).map { Int16(truncatingIfNeeded: $0 &* 37) }
    for name in Self.names {
      let format = try SoundFileFormat(path: name)
      guard CodecCatalog.canWrite(format) else { continue }
      let writer = try SoundFileWriter(
        path: folder.appendingPathComponent(name).path, format: format, channelCount: 2,
        rate: .hertz44100)
      try writer.write(samples.span)
      try writer.finish()
    }
  }

  var tally: String { "\(done) done, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let status = call(&random)
      if status == noErr { done += 1 } else { refused += 1 }
      try FuzzFault.unless(ConverterCallCodes.all.contains(status), "status \(status)")
      try FuzzFault.unless(
        unsafe memory[memory.count - 64..<memory.count].allSatisfy { $0 == 0 },
        "memory behind the buffers was written to")
    }
    forget()
  }

  private func any(_ handles: [OpaquePointer?], _ random: inout SplitMix) -> OpaquePointer? {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return unsafe OpaquePointer(bitPattern: UInt(truncatingIfNeeded: random.next()))
    case 1: return unsafe (converters + files).randomElement(using: &random) ?? nil
    case 2..<10: return unsafe handles.randomElement(using: &random) ?? nil
    default: return unsafe handles.suffix(4).randomElement(using: &random) ?? nil
    }
  }

  private mutating func call(_ random: inout SplitMix) -> OSStatus {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<4: return makeConverter(&random)
    case 4..<6: return makeFile(&random)
    case 6..<36: return fill(&random)
    case 36..<46: return convert(&random)
    case 46..<62: return property(&random)
    case 62..<74: return transfer(&random)
    case 74..<84: return fileProperty(&random)
    case 84..<88:
      return unsafe ExtAudioFileSeek(
        any(files, &random), Int64.random(in: -2...4000, using: &random))
    case 88..<96: return format(&random)
    case 96..<98: return unsafe AudioConverterReset(any(converters, &random))
    default: return dispose(&random)
    }
  }

  private mutating func makeConverter(_ random: inout SplitMix) -> OSStatus {
    var (source, target) = (CallFormats.any(&random), CallFormats.any(&random))
    var made: AudioConverterRef?
    let status = unsafe AudioConverterNew(&source, &target, &made)
    if let made = unsafe made { unsafe converters.append(made) }
    return status
  }

  private mutating func makeFile(_ random: inout SplitMix) -> OSStatus {
    var made: ExtAudioFileRef?
    let status: OSStatus
    if Bool.random(using: &random) {
      let name = Self.names.randomElement(using: &random) ?? ""
      status = unsafe ExtAudioFileOpenURL(folder.appendingPathComponent(name) as CFURL, &made)
    } else {
      let types = [
        kAudioFileWAVEType, kAudioFileM4AType, kAudioFileCAFType, kAudioFileAIFFType,
        kAudioFileFLACType, 7,
      ]
      var format = CallFormats.any(&random)
      status = unsafe ExtAudioFileCreateWithURL(
        folder.appendingPathComponent("out") as CFURL, types.randomElement(using: &random) ?? 0,
        &format, nil, UInt32.random(in: 0...1, using: &random), &made)
    }
    if let made = unsafe made { unsafe files.append(made) }
    return status
  }

  /// A list of one to three buffers in the memory, of which the last 64 bytes are in none.
  private func list(_ random: inout SplitMix) -> UnsafeMutableAudioBufferListPointer {
    let count = [1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
    let list = unsafe AudioBufferList.allocate(maximumBuffers: count)
    let room = unsafe (memory.count - 64) / count
    for index in 0..<count {
      let size = Int.random(in: 0...room, using: &random)
      unsafe list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(size),
        mData: Int.random(in: 0..<30, using: &random) == 0
          ? nil : memory.baseAddress?.advanced(by: index * room + room - size))
    }
    return unsafe list
  }

  private func fill(_ random: inout SplitMix) -> OSStatus {
    input.prepare(&random)
    let list = unsafe list(&random)
    defer { unsafe free(list.unsafeMutablePointer) }
    var count = UInt32.random(in: 0...4096, using: &random)
    return unsafe AudioConverterFillComplexBuffer(
      any(converters, &random), ConverterInputBytes.proc, input.data, &count,
      list.unsafeMutablePointer, Bool.random(using: &random) ? descriptions : nil)
  }

  private func convert(_ random: inout SplitMix) -> OSStatus {
    input.prepare(&random)
    let converter = unsafe any(converters, &random)
    let size = UInt32.random(in: 0...2048, using: &random)
    if Bool.random(using: &random) {
      var room = UInt32.random(in: 0...8192, using: &random)
      return unsafe AudioConverterConvertBuffer(
        converter, size, input.bytes.baseAddress, &room, memory.baseAddress)
    }
    let (source, target) = unsafe (list(&random), list(&random))
    defer {
      unsafe free(source.unsafeMutablePointer)
      unsafe free(target.unsafeMutablePointer)
    }
    return unsafe AudioConverterConvertComplexBuffer(
      converter, size, source.unsafePointer, target.unsafeMutablePointer)
  }

  /// Some value, or the one that a property has.
  private func value(_ random: inout SplitMix) -> (words: [UInt32], size: UInt32) {
    var words: [UInt32] = []
    for _ in 0..<16 {
      let choices = [0, 1, 2, 3, 64_000, 1 << 16, UInt32(truncatingIfNeeded: random.next())]
      words.append(choices.randomElement(using: &random) ?? 0)
    }
    return (words, [0, 3, 4, 4, 4, 8, 12, 32, 40, 64].randomElement(using: &random) ?? 4)
  }

  private func property(_ random: inout SplitMix) -> OSStatus {
    let converter = unsafe any(converters, &random)
    let id = ConverterCallCodes.converterProperties.randomElement(using: &random) ?? 0
    var (words, size) = value(&random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return unsafe AudioConverterGetPropertyInfo(converter, id, &size, nil)
    case 1: return unsafe AudioConverterGetProperty(converter, id, &size, &words)
    default: return unsafe AudioConverterSetProperty(converter, id, size, &words)
    }
  }

  private func transfer(_ random: inout SplitMix) -> OSStatus {
    let file = unsafe any(files, &random)
    let list = unsafe list(&random)
    defer { unsafe free(list.unsafeMutablePointer) }
    var count = UInt32.random(in: 0...4096, using: &random)
    return Bool.random(using: &random)
      ? unsafe ExtAudioFileRead(file, &count, list.unsafeMutablePointer)
      : unsafe ExtAudioFileWrite(file, count, list.unsafePointer)
  }

  private func fileProperty(_ random: inout SplitMix) -> OSStatus {
    let file = unsafe any(files, &random)
    let id = ConverterCallCodes.fileProperties.randomElement(using: &random) ?? 0
    var (words, size) = value(&random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return unsafe ExtAudioFileGetPropertyInfo(file, id, &size, nil)
    case 1: return unsafe ExtAudioFileGetProperty(file, id, &size, &words)
    case 2:
      var format = CallFormats.samples(&random)
      return unsafe ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat, 40, &format)
    default: return unsafe ExtAudioFileSetProperty(file, id, size, &words)
    }
  }

  private func format(_ random: inout SplitMix) -> OSStatus {
    // The specifiers of these contain addresses.
    let id = ConverterCallCodes.formatProperties.randomElement(using: &random) ?? 0
    var (words, size) = value(&random)
    var (result, room) = ([UInt32](repeating: 0, count: 1 << 10), UInt32(1 << 12))
    if Bool.random(using: &random) {
      var format = CallFormats.any(&random)
      return unsafe AudioFormatGetProperty(id, 40, &format, &room, &result)
    }
    size = min(size, 40)
    return unsafe AudioFormatGetProperty(id, size, &words, &room, &result)
  }

  private func dispose(_ random: inout SplitMix) -> OSStatus {
    Bool.random(using: &random)
      ? unsafe AudioConverterDispose(any(converters, &random))
      : unsafe ExtAudioFileDispose(any(files, &random))
  }

  /// Few handles are kept, so that calls meet; a handle that is forgotten is freed first.
  private mutating func forget() {
    if unsafe converters.count > 12 { unsafe AudioConverterDispose(converters.remove(at: 1)) }
    if unsafe files.count > 6 { unsafe ExtAudioFileDispose(files.remove(at: 1)) }
  }
}

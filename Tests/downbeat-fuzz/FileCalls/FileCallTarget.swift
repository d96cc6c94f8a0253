// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioFiles
import Foundation
import TestSupport

/// The functions of AudioFile.h and AudioFileStream.h, called in any order with any handles: fresh,
/// stale and foreign ones, of whole and of damaged files.
@safe struct FileCallTarget: FuzzTarget {
  private let folder: URL
  private let seeds: [[UInt8]]
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  private let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
    capacity: 64)
  private var files: [AudioFileID] = unsafe []
  private var streams = FuzzStreams()
  private var clients: [FuzzBytes] = []
  private var (done, refused) = (0, 0)

  /// The codes of the two headers that they document for these functions.
  private static let codes: Set<OSStatus> = [
    0, -50, -108, kAudioFileUnspecifiedError, kAudioFileUnsupportedFileTypeError,
    kAudioFileUnsupportedDataFormatError, kAudioFileUnsupportedPropertyError,
    kAudioFileBadPropertySizeError, kAudioFilePermissionsError,
    kAudioFileInvalidPacketOffsetError, kAudioFileInvalidFileError,
    kAudioFileOperationNotSupportedError, kAudioFileNotOpenError, kAudioFileEndOfFileError,
    kAudioFilePositionError, kAudioFileFileNotFoundError,
    kAudioFileDoesNotAllow64BitDataSizeError, kAudioFileStreamError_NotOptimized,
    kAudioFileStreamError_ValueUnknown, kAudioFileStreamError_DataUnavailable,
    kAudioFileStreamError_IllegalOperation, kAudioFileStreamError_DiscontinuityCantRecover,
  ]

  private static let properties: [AudioFilePropertyID] = [
    kAudioFilePropertyFileFormat, kAudioFilePropertyDataFormat, kAudioFilePropertyFormatList,
    kAudioFilePropertyMagicCookieData, kAudioFilePropertyAudioDataByteCount,
    kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyMaximumPacketSize,
    kAudioFilePropertyPacketSizeUpperBound, kAudioFilePropertyDataOffset,
    kAudioFilePropertyChannelLayout, kAudioFilePropertyDeferSizeUpdates,
    kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket,
    kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket,
    kAudioFilePropertyPacketTableInfo, kAudioFilePropertyPacketRangeByteCountUpperBound,
    kAudioFilePropertyEstimatedDuration, kAudioFilePropertyBitRate,
    kAudioFilePropertyReserveDuration, kAudioFilePropertySourceBitDepth,
    kAudioFilePropertyRegionList, kAudioFilePropertyMarkerList, 0x3F3F_3F3F,
  ]

  init(_ scene: FuzzScene) throws {
    folder = scene.folder
    seeds = try SoundSeed.all(in: scene.folder).map(\.bytes).filter { $0.count < 1 << 15 }
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe descriptions.initialize(repeating: AudioStreamPacketDescription(), count: 64)
    // A handle of another table, which no function may follow.
    unsafe files.append(OpaquePointer(bitPattern: 64).unsafelyUnwrapped)
  }

  var tally: String { "\(done) done, \(refused) refused, \(streams.packetCount) packets" }

  mutating func attack(_ random: inout SplitMix) throws {
    for _ in 0..<8 {
      let status = call(&random)
      if status == noErr { done += 1 } else { refused += 1 }
      try FuzzFault.unless(Self.codes.contains(status), "status \(status)")
      try FuzzFault.unless(streams.areWhole, "a packet lies outside of its bytes")
    }
    forget()
  }

  private mutating func call(_ random: inout SplitMix) -> OSStatus {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<2: return open(&random)
    case 2..<4: return create(&random)
    case 4..<30: return read(&random)
    case 30..<45: return write(&random)
    case 45..<65: return property(&random)
    case 65..<70: return set(&random)
    case 70..<72: return global(&random)
    case 72..<75: return unsafe AudioFileClose(any(&random))
    default:
      let seed = seeds.randomElement(using: &random) ?? []
      return unsafe streams.call(seed, any(&random), &random)
    }
  }

  private func any(_ random: inout SplitMix) -> OpaquePointer {
    let foreign = unsafe OpaquePointer(bitPattern: UInt(truncatingIfNeeded: random.next()) | 1)
    switch Int.random(in: 0..<40, using: &random) {
    case 0: return unsafe foreign.unsafelyUnwrapped
    case 1: return unsafe streams.any(&random) ?? files[0]
    case 2..<8: return unsafe files.randomElement(using: &random) ?? files[0]
    default: return unsafe files.suffix(4).randomElement(using: &random) ?? files[0]
    }
  }

  private func number(_ random: inout SplitMix) -> Int64 {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: Int64(bitPattern: random.next())
    case 1: [.max, .min, -1, 1 << 32, 1 << 40].randomElement(using: &random) ?? 0
    default: Int64.random(in: 0..<3000, using: &random)
    }
  }

  private func url(_ random: inout SplitMix) -> CFURL {
    folder.appendingPathComponent("file\(Int.random(in: 0..<3, using: &random))") as CFURL
  }

  /// Opens a damaged seed, or a file that was written here.
  private mutating func open(_ random: inout SplitMix) -> OSStatus {
    var file: AudioFileID?
    defer { if let file = unsafe file { unsafe files.append(file) } }
    if Bool.random(using: &random) {
      let permissions: [AudioFilePermissions] = [
        .readPermission, .writePermission, .readWritePermission,
      ]
      return unsafe AudioFileOpenURL(
        url(&random), permissions.randomElement(using: &random) ?? .readPermission, 0, &file)
    }
    var bytes = seeds.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(
        truncatingIfNeeded: random.next())
    }
    let client = FuzzBytes(bytes)
    clients.append(client)
    return unsafe AudioFileOpenWithCallbacks(
      Unmanaged.passUnretained(client).toOpaque(),
      { unsafe FuzzBytes.of($0).read($1, $2, $3, $4) }, nil,
      { unsafe Int64(FuzzBytes.of($0).bytes.count) }, nil, 0, &file)
  }

  private mutating func create(_ random: inout SplitMix) -> OSStatus {
    let types = [
      kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType,
      kAudioFileNextType, kAudioFileRF64Type, kAudioFileM4AType, kAudioFileMP3Type,
      kAudioFileAAC_ADTSType, 0,
    ]
    let formats = [
      kAudioFormatLinearPCM, kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatMPEG4AAC,
      kAudioFormatMPEGLayer3, kAudioFormatAppleIMA4, kAudioFormatAppleLossless, 7,
    ]
    let bytes = UInt32.random(in: 0...4, using: &random)
    let channels = UInt32.random(in: 0...3, using: &random)
    var format = AudioStreamBasicDescription(
      mSampleRate: [44_100, 8000, 0, -1, .nan, 1e300].randomElement(using: &random) ?? 0,
      mFormatID: formats.randomElement(using: &random) ?? 0,
      mFormatFlags: UInt32.random(in: 0..<32, using: &random), mBytesPerPacket: bytes * channels,
      mFramesPerPacket: [1, 1, 1, 64, 1024].randomElement(using: &random) ?? 1,
      mBytesPerFrame: bytes * channels, mChannelsPerFrame: channels, mBitsPerChannel: bytes * 8,
      mReserved: 0)
    var file: AudioFileID?
    let status = unsafe AudioFileCreateWithURL(
      url(&random), types.randomElement(using: &random) ?? 0, &format,
      Bool.random(using: &random) ? .eraseFile : [], &file)
    if let file = unsafe file { unsafe files.append(file) }
    return status
  }

  private func read(_ random: inout SplitMix) -> OSStatus {
    guard let base = unsafe memory.baseAddress else { return 0 }
    let (file, start) = unsafe (any(&random), number(&random))
    var size = UInt32.random(in: 0..<1 << 13, using: &random)
    var count = UInt32.random(in: 0...64, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return unsafe AudioFileReadBytes(file, false, start, &size, base)
    case 1:
      // Four packets fit in any case.
      count %= 5
      return unsafe AudioFileReadPackets(
        file, false, &size, descriptions, start, &count,
        Bool.random(using: &random) ? unsafe base : nil)
    default:
      return unsafe AudioFileReadPacketData(
        file, true, &size, Bool.random(using: &random) ? descriptions : nil, start, &count, base)
    }
  }

  private func write(_ random: inout SplitMix) -> OSStatus {
    guard let base = unsafe memory.baseAddress else { return 0 }
    let file = unsafe any(&random)
    var size = UInt32.random(in: 0..<2000, using: &random)
    var count = UInt32.random(in: 0...8, using: &random)
    if Int.random(in: 0..<3, using: &random) == 0 {
      return unsafe AudioFileWriteBytes(file, false, number(&random), &size, base)
    }
    for index in 0..<8 {
      let packet = AudioStreamPacketDescription(
        mStartOffset: number(&random) % 2500, mVariableFramesInPacket: 0,
        mDataByteSize: UInt32.random(in: 0..<500, using: &random))
      unsafe descriptions[index] = packet
    }
    return unsafe AudioFileWritePackets(
      file, false, size, Bool.random(using: &random) ? descriptions : nil, number(&random), &count,
      base)
  }

  private func property(_ random: inout SplitMix) -> OSStatus {
    guard let base = unsafe memory.baseAddress else { return 0 }
    let file = unsafe any(&random)
    let property = Self.properties.randomElement(using: &random) ?? 0
    var (size, flag) = (UInt32(0), UInt32(0))
    if Int.random(in: 0..<20, using: &random) == 0 { return unsafe texts(file) }
    let status = unsafe AudioFileGetPropertyInfo(file, property, &size, &flag)
    guard status == noErr, size <= 1 << 16 else { return status }
    if Int.random(in: 0..<6, using: &random) == 0 {
      size = UInt32.random(in: 0..<100, using: &random)
    }
    unsafe base.storeBytes(of: number(&random), as: Int64.self)
    unsafe base.storeBytes(of: number(&random), toByteOffset: 8, as: Int64.self)
    return unsafe AudioFileGetProperty(file, property, &size, base)
  }

  /// Takes a dictionary, and releases it.
  private func texts(_ file: AudioFileID) -> OSStatus {
    var (dictionary, size) = unsafe (Unmanaged<NSDictionary>?.none, UInt32(8))
    let status = unsafe AudioFileGetProperty(
      file, kAudioFilePropertyInfoDictionary, &size, &dictionary)
    unsafe dictionary?.release()
    return status
  }

  private func set(_ random: inout SplitMix) -> OSStatus {
    guard let base = unsafe memory.baseAddress else { return 0 }
    let property = Self.properties.randomElement(using: &random) ?? 0
    // The names of markers are 0, since they are addresses of objects.
    unsafe memory.prefix(512).initializeMemory(as: UInt8.self, repeating: 0)
    unsafe base.storeBytes(
      of: UInt32.random(in: 0..<5, using: &random), toByteOffset: 4, as: UInt32.self)
    if property == kAudioFilePropertyPacketTableInfo {
      unsafe base.storeBytes(of: number(&random), toByteOffset: 8, as: Int64.self)
    }
    let size: UInt32 = [4, 8, 16, 12, 32, 88, 256].randomElement(using: &random) ?? 4
    return unsafe AudioFileSetProperty(any(&random), property, size, base)
  }

  private func global(_ random: inout SplitMix) -> OSStatus {
    guard let base = unsafe memory.baseAddress else { return 0 }
    let properties: [AudioFilePropertyID] = [
      kAudioFileGlobalInfo_ReadableTypes, kAudioFileGlobalInfo_WritableTypes,
      kAudioFileGlobalInfo_AvailableFormatIDs, kAudioFileGlobalInfo_TypesForHFSTypeCode,
      kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, 0,
    ]
    var pair = AudioFileTypeAndFormatID(
      mFileType: [kAudioFileWAVEType, kAudioFileM4AType, 5].randomElement(using: &random) ?? 0,
      mFormatID: kAudioFormatLinearPCM)
    var size = UInt32.random(in: 0..<2000, using: &random)
    return unsafe AudioFileGetGlobalInfo(
      properties.randomElement(using: &random) ?? 0, [0, 4, 8].randomElement(using: &random) ?? 0,
      &pair, &size, base)
  }

  /// Few handles are kept, so that calls meet.
  private mutating func forget() {
    while unsafe files.count > 8 { unsafe AudioFileClose(files.remove(at: 1)) }
    // No more files than these are open.
    if clients.count > 64 { clients.removeFirst(32) }
    streams.forget()
  }
}

/// Bytes that a file reads through a callback.
private final class FuzzBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func of(_ data: UnsafeMutableRawPointer) -> FuzzBytes {
    unsafe Unmanaged<FuzzBytes>.fromOpaque(data).takeUnretainedValue()
  }

  func read(
    _ position: Int64, _ count: UInt32, _ buffer: UnsafeMutableRawPointer,
    _ actual: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    let start = Int(max(0, min(position, Int64(bytes.count))))
    let part = bytes[start..<min(bytes.count, start + Int(count))]
    unsafe part.withUnsafeBytes {
      if let base = $0.baseAddress { unsafe buffer.copyMemory(from: base, byteCount: $0.count) }
    }
    unsafe actual.pointee = UInt32(part.count)
    return noErr
  }
}

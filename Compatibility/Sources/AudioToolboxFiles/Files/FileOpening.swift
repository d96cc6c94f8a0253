// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation

/// Finds out how the content of a file is read.
enum FileOpening {
  /// Opens the content of a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - updates: true to write samples too; packets are only read.
  /// - Returns: the content.
  /// - Throws: the code for a file that cannot be read.
  static func content(
    _ path: String, updates: Bool
  ) throws(StatusError) -> any AudioFileContent {
    let samples = { () throws(SoundFileError) in
      try SampleFile(path: path, access: updates ? .updating : .reading)
    }
    return try content(samples) { () throws(SoundFileError) in try PacketReader(path: path) }
  }

  /// Opens bytes that are provided when they are read.
  static func content(_ bytes: SoundBytes) throws(StatusError) -> any AudioFileContent {
    let samples = { () throws(SoundFileError) in try SampleFile(source: bytes) }
    return try content(samples) { () throws(SoundFileError) in try PacketReader(source: bytes) }
  }

  private static func content(
    _ samples: () throws(SoundFileError) -> SampleFile,
    _ packets: () throws(SoundFileError) -> PacketReader
  ) throws(StatusError) -> any AudioFileContent {
    do throws(SoundFileError) {
      if let content = SampleContent(try samples()) { return content }
    } catch {
      guard case .notSoundFile = error else { throw StatusError(error) }
    }
    do throws(SoundFileError) {
      if let content = PacketContent(try packets()) { return content }
    } catch {
      throw StatusError(error)
    }
    throw StatusError(kAudioFileUnsupportedDataFormatError)
  }
}

/// Creates the content of a new file.
enum FileCreation {
  /// Creates a file of samples, or prepares one of packets.
  static func content(
    _ path: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
    mayReplace: Bool
  ) throws(StatusError) -> any AudioFileContent {
    guard let kind = SoundFileKind.of(type), kind.container != nil else {
      throw StatusError(kAudioFileUnsupportedFileTypeError)
    }
    guard format.codec.isSampled else {
      try check(path, mayReplace: mayReplace)
      return try PacketTarget(creating: path, kind, format, mayReplace: mayReplace)
    }
    guard let container = container(type), let form = PCMForm(format), form.isInterleaved,
      form.fractionBits == 0
    else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
    var whole = form
    if whole.layout.byteCount == 1 { whole.layout = singleBytes(whole.layout) }
    guard container.holds(whole.layout) else {
      throw StatusError(kAudioFileUnsupportedDataFormatError)
    }
    return try SampleContent(creating: path, container, whole, mayReplace: mayReplace)
  }

  private static func singleBytes(_ layout: PCMLayout) -> PCMLayout {
    PCMLayout(numbers: layout.numbers, bits: layout.bits, byteCount: 1, isLittleEndian: false)
  }

  /// The container of samples of a type; nil if it has none.
  static func container(_ type: AudioFileTypeID) -> SampleContainer? {
    switch type {
    case kAudioFileWAVEType: .wave
    case kAudioFileRF64Type, kAudioFileBW64Type: .rf64
    case kAudioFileWave64Type: .wave64
    case kAudioFileAIFFType: .aiff
    case kAudioFileAIFCType: .aifc
    case kAudioFileNextType: .au
    case kAudioFileCAFType: .caf
    default: nil
    }
  }

  /// Refuses a name that cannot be given at the end.
  private static func check(_ path: String, mayReplace: Bool) throws(StatusError) {
    let files = FileManager.default
    let folder = (path as NSString).deletingLastPathComponent
    guard folder.isEmpty || files.fileExists(atPath: folder) else {
      throw StatusError(kAudioFileFileNotFoundError)
    }
    guard files.isWritableFile(atPath: folder.isEmpty ? "." : folder),
      mayReplace || !files.fileExists(atPath: path)
    else { throw StatusError(kAudioFilePermissionsError) }
  }
}

/// The function of a program that reads bytes.
@safe struct CallbackBytes {
  let data: UnsafeMutableRawPointer
  let read: AudioFile_ReadProc

  /// The bytes of a range, fewer if the function fails or reads fewer.
  func bytes(_ range: Range<Int64>) -> [UInt8] {
    let wanted = UInt32(clamping: range.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(wanted)) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      // Bytes that the function counts and does not write are 0.
      unsafe buffer.initialize(repeating: 0)
      var actual: UInt32 = 0
      let code = unsafe read(data, range.lowerBound, wanted, base, &actual)
      count = code == noErr || code == kAudioFileEndOfFileError ? Int(min(actual, wanted)) : 0
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Foundation

/// Returns the size of information about file types.
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: the file type, or the string to search for; may be nil.
///   - outDataSize: receives the size in bytes.
/// - Returns: 0; `kAudioFileUnsupportedPropertyError`; `kAudioFileUnsupportedFileTypeError` for an
///   unknown type; `kAudioFileBadPropertySizeError` if the size of the specifier is wrong.
/// - Note: Any thread.
@discardableResult
public func AudioFileGetGlobalInfoSize(
  _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeMutableRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  unsafe outDataSize.pointee = 0
  return status { () throws(StatusError) in
    let value = try unsafe AudioFileGlobalInfo.value(inPropertyID, inSpecifierSize, inSpecifier)
    unsafe outDataSize.pointee = UInt32(value.byteCount)
  }
}

/// Returns information about file types.
///
/// You own objects in the result, and must release them.
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: the file type, or the string to search for; may be nil.
///   - ioDataSize: the size of the memory in bytes; receives the size of the information.
///   - outPropertyData: receives the information.
/// - Returns: the same codes as `AudioFileGetGlobalInfoSize`.
/// - Note: Any thread.
@discardableResult
public func AudioFileGetGlobalInfo(
  _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeMutableRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>,
  _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status { () throws(StatusError) in
    let target = try unsafe PropertyTarget(
      ioDataSize, outPropertyData, badSize: kAudioFileBadPropertySizeError)
    try unsafe AudioFileGlobalInfo.value(inPropertyID, inSpecifierSize, inSpecifier).put(target)
  }
}

/// Information about types of files.
private enum AudioFileGlobalInfo {
  static func value(
    _ property: AudioFilePropertyID, _ size: UInt32, _ specifier: UnsafeMutableRawPointer?
  ) throws(StatusError) -> AudioFileValue {
    let given = unsafe Specifier(size: Int(size), data: specifier)
    switch property {
    case kAudioFileGlobalInfo_ReadableTypes: return AudioFileValue(list: readable.map(\.type))
    case kAudioFileGlobalInfo_WritableTypes:
      return AudioFileValue(list: readable.filter { $0.container != nil }.map(\.type))
    case kAudioFileGlobalInfo_AllExtensions: return list(readable.flatMap(\.extensions))
    case kAudioFileGlobalInfo_AllMIMETypes: return list(readable.flatMap(\.mimeTypes))
    case kAudioFileGlobalInfo_AllUTIs: return list(readable.flatMap(\.typeIdentifiers))
    case kAudioFileGlobalInfo_AllHFSTypeCodes: return AudioFileValue(list: readable.map(\.type))
    case kAudioFileGlobalInfo_FileTypeName:
      return .object(NSString(string: try given.kind().name))
    case kAudioFileGlobalInfo_ExtensionsForType: return list(try given.kind().extensions)
    case kAudioFileGlobalInfo_MIMETypesForType: return list(try given.kind().mimeTypes)
    case kAudioFileGlobalInfo_UTIsForType: return list(try given.kind().typeIdentifiers)
    case kAudioFileGlobalInfo_HFSTypeCodesForType:
      return AudioFileValue(list: [try given.kind().type])
    case kAudioFileGlobalInfo_AvailableFormatIDs:
      return AudioFileValue(list: try given.kind().formatIDs)
    case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
      return AudioFileValue(list: try descriptions(given.value()))
    default: return try types(property, given)
    }
  }

  /// The types that a text or a code stands for.
  private static func types(
    _ property: AudioFilePropertyID, _ given: Specifier
  ) throws(StatusError) -> AudioFileValue {
    switch property {
    case kAudioFileGlobalInfo_TypesForExtension:
      let text = try given.text()
      return types { $0.extensions.contains(text) }
    case kAudioFileGlobalInfo_TypesForMIMEType:
      let text = try given.text()
      return types { $0.mimeTypes.contains(text) }
    case kAudioFileGlobalInfo_TypesForUTI:
      let text = try given.text()
      return types { $0.typeIdentifiers.contains(text) }
    case kAudioFileGlobalInfo_TypesForHFSTypeCode:
      let code = try given.value(as: UInt32.self)
      return types { $0.type == code }
    default: throw StatusError(kAudioFileUnsupportedPropertyError)
    }
  }

  private static func types(_ isWanted: (SoundFileKind) -> Bool) -> AudioFileValue {
    AudioFileValue(list: readable.filter(isWanted).map(\.type))
  }

  /// The types that are read here.
  private static let readable = SoundFileKind.all.filter {
    ![kAudioFileAMRType, kAudioFileLATMInLOASType].contains($0.type)
  }

  /// An array of texts, each once and in order.
  private static func list(_ texts: [String]) -> AudioFileValue {
    let array = NSMutableArray()
    for text in Set(texts).sorted() { array.add(NSString(string: text)) }
    return .object(array)
  }

  /// The descriptions of a format in a type, whose rates and channels are 0: any is possible.
  private static func descriptions(
    _ pair: AudioFileTypeAndFormatID
  ) throws(StatusError) -> [AudioStreamBasicDescription] {
    guard let kind = SoundFileKind.of(pair.mFileType) else {
      throw StatusError(kAudioFileUnsupportedFileTypeError)
    }
    guard kind.formatIDs.contains(pair.mFormatID) else {
      throw StatusError(kAudioFileUnsupportedDataFormatError)
    }
    var description = AudioStreamBasicDescription()
    description.mFormatID = pair.mFormatID
    guard pair.mFormatID == kAudioFormatLinearPCM else { return [description] }
    return samples(FileCreation.container(kind.type))
  }

  private static func samples(_ container: SampleContainer?) -> [AudioStreamBasicDescription] {
    var found: [AudioStreamBasicDescription] = []
    for numbers in [PCMLayout.Numbers.unsigned, .signed, .floating] {
      for bytes in [1, 2, 3, 4, 8] {
        for isLittle in [true, false] where bytes > 1 || !isLittle {
          let layout = PCMLayout(
            numbers: numbers, bits: 8 * bytes, byteCount: bytes, isLittleEndian: isLittle)
          guard container?.holds(layout) == true else { continue }
          var description = AudioStreamBasicDescription()
          description.mFormatID = kAudioFormatLinearPCM
          description.mFormatFlags =
            kAudioFormatFlagIsPacked | (isLittle ? 0 : kAudioFormatFlagIsBigEndian)
            | (numbers == .signed ? kAudioFormatFlagIsSignedInteger : 0)
            | (numbers == .floating ? kAudioFormatFlagIsFloat : 0)
          if numbers == .unsigned { description.mFormatFlags &= ~kAudioFormatFlagIsBigEndian }
          description.mBitsPerChannel = UInt32(8 * bytes)
          description.mFramesPerPacket = 1
          found.append(description)
        }
      }
    }
    return found
  }
}

/// The type or text that information is asked for.
@safe private struct Specifier {
  let size: Int
  let data: UnsafeMutableRawPointer?

  func value<Value: BitwiseCopyable>(as type: Value.Type = Value.self) throws(StatusError) -> Value
  {
    let data = try unsafe given(data)
    guard size == MemoryLayout<Value>.size else {
      throw StatusError(kAudioFileBadPropertySizeError)
    }
    return unsafe data.loadUnaligned(as: type)
  }

  func kind() throws(StatusError) -> SoundFileKind {
    guard let kind = SoundFileKind.of(try value(as: AudioFileTypeID.self)) else {
      throw StatusError(kAudioFileUnsupportedFileTypeError)
    }
    return kind
  }

  /// The text of a string object, in lower case.
  func text() throws(StatusError) -> String {
    guard let object = unsafe UnsafeRawPointer(bitPattern: try value(as: UInt.self)) else {
      throw .parameter
    }
    return unsafe Unmanaged<NSString>.fromOpaque(object).takeUnretainedValue().description
      .lowercased()
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Returns the size of a property.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inPropertyID: the property.
///   - outDataSize: receives the size in bytes; may be nil.
///   - isWritable: receives 1 if the property can be set, otherwise 0; may be nil.
/// - Returns: 0; `kAudioFileUnsupportedPropertyError` if the file does not have the property;
///   `kAudioFileNotOpenError`.
/// - Note: Any thread.
@discardableResult
public func AudioFileGetPropertyInfo(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID,
  _ outDataSize: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe outDataSize.put(0)
  unsafe isWritable.put(0)
  return status { () throws(StatusError) in
    let file = try unsafe AudioFileObject.of(inAudioFile)
    try file.with { (content) throws(StatusError) in
      let canSet = file.canSet(inPropertyID, content)
      unsafe isWritable.put(canSet ? 1 : 0)
      do throws(StatusError) {
        unsafe outDataSize.put(UInt32(clamping: try file.size(of: inPropertyID, content)))
      } catch {
        // A property that is only set has a size of 0.
        guard canSet else { throw error }
      }
    }
  }
}

/// Returns the value of a property.
///
/// You own objects in the result, and must release them.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inPropertyID: the property.
///   - ioDataSize: the size of the memory in bytes; receives the size of the value.
///   - outPropertyData: receives the value. Properties that convert a value, such as a packet to a
///     frame, take the input from here.
/// - Returns: 0; `kAudioFileUnsupportedPropertyError` if the file does not have the property;
///   `kAudioFileBadPropertySizeError` if the size is wrong; `kAudioFileInvalidPacketOffsetError` or
///   `kAudioFilePositionError` for a packet, frame or byte that does not exist;
///   `kAudioFileNotOpenError`.
/// - Note: Any thread.
@discardableResult
public func AudioFileGetProperty(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID,
  _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status { () throws(StatusError) in
    let file = try unsafe AudioFileObject.of(inAudioFile)
    let target = try unsafe PropertyTarget(
      ioDataSize, outPropertyData, badSize: kAudioFileBadPropertySizeError)
    try file.with { (content) throws(StatusError) in
      if let translation = AudioFileTranslation(inPropertyID) {
        let source = try unsafe PropertySource(
          ioDataSize.pointee, outPropertyData, badSize: kAudioFileBadPropertySizeError)
        try translation.translate(source, target, content)
      } else {
        try file.value(of: inPropertyID, content).put(target)
      }
    }
  }
}

/// Sets the value of a property.
///
/// Tags, markers and regions are written when the file is closed.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inPropertyID: the property.
///   - inDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: 0; `kAudioFileUnsupportedPropertyError` if the property cannot be set;
///   `kAudioFileBadPropertySizeError` if the size is wrong; `kAudioFilePermissionsError` if the
///   file was opened only for reading; `kAudioFileNotOpenError`.
/// - Note: Any thread.
@discardableResult
public func AudioFileSetProperty(
  _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ inDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  status { () throws(StatusError) in
    let file = try unsafe AudioFileObject.of(inAudioFile)
    let source = try unsafe PropertySource(
      inDataSize, inPropertyData, badSize: kAudioFileBadPropertySizeError)
    try file.writing { (content) throws(StatusError) in
      try file.set(inPropertyID, source, content)
    }
  }
}

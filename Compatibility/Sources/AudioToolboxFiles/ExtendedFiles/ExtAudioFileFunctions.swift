// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
public import CoreAudioTypes

/// Opens a file for reading.
///
/// - Parameters:
///   - inURL: the location of the file.
///   - outExtAudioFile: receives the file.
/// - Returns: `noErr`; `kAudioFileFileNotFoundError`, `kAudioFilePermissionsError`,
///   `kAudioFileUnsupportedFileTypeError`; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileOpenURL(
  _ inURL: CFURL?, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let out = unsafe try given(outExtAudioFile)
    unsafe out.pointee = nil
    let path = try ExtFileOpening.path(inURL)
    let file = try ExtFileOpening.reading(path)
    unsafe out.pointee = try file.publish()
  }
}

/// Wraps an open `AudioFileID`, so that you can read or write it in any PCM format.
///
/// Close the `AudioFileID` yourself after you have disposed of this file.
///
/// - Parameters:
///   - inFileID: the audio file.
///   - inForWriting: true to write to the file.
///   - outExtAudioFile: receives the file.
/// - Returns: `noErr`; `kAudioFileNotOpenError`; `kAudioFilePermissionsError` if the audio file was
///   opened only for reading; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileWrapAudioFileID(
  _ inFileID: AudioFileID?, _ inForWriting: Bool,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let out = unsafe try given(outExtAudioFile)
    unsafe out.pointee = nil
    let file = try unsafe ExtFileOpening.wrapping(inFileID, writes: inForWriting)
    unsafe out.pointee = try file.publish()
  }
}

/// Creates a file, to which you can write samples in any PCM format.
///
/// The file appears under its name when it is disposed of. If the sample rate of an encoded format
/// is 0, the sample rate of the client format is used.
///
/// - Parameters:
///   - inURL: the location of the file.
///   - inFileType: the file type.
///   - inStreamDesc: the format of the audio in the file.
///   - inChannelLayout: the channel layout; may be nil.
///   - inFlags: `AudioFileFlags`.
///   - outExtAudioFile: receives the file.
/// - Returns: `noErr`; `kAudioFileUnsupportedFileTypeError`,
///   `kAudioFileUnsupportedDataFormatError`; `kAudioFilePermissionsError` if the file exists and
///   the flag to erase it is not set; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileCreateWithURL(
  _ inURL: CFURL?, _ inFileType: AudioFileTypeID,
  _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>?,
  _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
  _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let out = unsafe try given(outExtAudioFile)
    unsafe out.pointee = nil
    let description = unsafe try given(inStreamDesc).pointee
    let path = try ExtFileOpening.path(inURL)
    var layout: ChannelLabels?
    if let given = unsafe inChannelLayout {
      layout = unsafe ChannelLabels(
        given, size: AudioChannelLayout.UnsafePointer(given).sizeInBytes)
    }
    let mayReplace = AudioFileFlags(rawValue: inFlags).contains(.eraseFile)
    let file = try ExtFileOpening.writing(
      path, inFileType, description, layout, mayReplace: mayReplace)
    unsafe out.pointee = try file.publish()
  }
}

/// Completes and closes a file.
///
/// - Returns: `noErr`; `kAudio_ParamError` if the file is invalid; another code if writing has
///   failed, in which case the file is closed too.
@discardableResult
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef?) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    if let handle = unsafe Handle(inExtAudioFile) { HandleTable.shared.remove(handle) }
    try file.locked { () throws(StatusError) in try file.close() }
  }
}

/// Reads frames in the client format.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - ioNumberFrames: the number of frames to read; receives the number of frames that were read,
///     0 at the end.
///   - ioData: the buffers, with their sizes.
/// - Returns: `noErr`; `kExtAudioFileError_NonPCMClientFormat` if the file is encoded and the
///   client format is not set; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileRead(
  _ inExtAudioFile: ExtAudioFileRef?, _ ioNumberFrames: UnsafeMutablePointer<UInt32>?,
  _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    let (count, list) = unsafe (try given(ioNumberFrames), try given(ioData))
    try file.locked { () throws(StatusError) in
      guard case .reading(let reading) = file.access else {
        throw StatusError(kExtAudioFileError_InvalidOperationOrder)
      }
      unsafe count.pointee = UInt32(try reading.read(Int(count.pointee), list))
    }
  }
}

/// Writes frames in the client format.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inNumberFrames: the number of frames.
///   - ioData: the buffers.
/// - Returns: `noErr`; `kExtAudioFileError_NonPCMClientFormat` if the file is encoded and the
///   client format is not set; another code if writing has failed; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileWrite(
  _ inExtAudioFile: ExtAudioFileRef?, _ inNumberFrames: UInt32,
  _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    let list = unsafe try given(ioData)
    try file.locked { () throws(StatusError) in
      guard case .writing(let writing) = file.access else {
        throw StatusError(kExtAudioFileError_InvalidOperationOrder)
      }
      try unsafe writing.write(
        Int(inNumberFrames), UnsafeMutablePointer(mutating: list), file.settings)
    }
  }
}

/// Writes frames in the client format, before the call returns, as `ExtAudioFileWrite` does.
///
/// A first call with 0 frames and nil only checks the file.
///
/// - Returns: the same codes as `ExtAudioFileWrite`.
@discardableResult
public func ExtAudioFileWriteAsync(
  _ inExtAudioFile: ExtAudioFileRef?, _ inNumberFrames: UInt32,
  _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
  if inNumberFrames == 0, unsafe ioData == nil {
    return status { () throws(StatusError) in
      _ = unsafe try object(inExtAudioFile, ExtFileObject.self)
    }
  }
  return unsafe ExtAudioFileWrite(inExtAudioFile, inNumberFrames, ioData)
}

/// Moves to a frame of a file that was opened for reading.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inFrameOffset: the frame, at the sample rate of the file.
/// - Returns: `noErr`; `kExtAudioFileError_InvalidSeek` if the frame is outside the file or the
///   file is being written; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileSeek(
  _ inExtAudioFile: ExtAudioFileRef?, _ inFrameOffset: Int64
) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    try file.locked { () throws(StatusError) in
      guard case .reading(let reading) = file.access else {
        throw StatusError(kExtAudioFileError_InvalidSeek)
      }
      try reading.seek(to: inFrameOffset)
    }
  }
}

/// Returns the position of the next frame.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - outFrameOffset: receives the frame, at the sample rate of the file.
/// - Returns: `noErr`; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileTell(
  _ inExtAudioFile: ExtAudioFileRef?, _ outFrameOffset: UnsafeMutablePointer<Int64>?
) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    let out = unsafe try given(outFrameOffset)
    try file.locked { () throws(StatusError) in
      switch file.access {
      case .reading(let reading): unsafe out.pointee = Int64(reading.place)
      case .writing(let writing): unsafe out.pointee = Int64(writing.frameCount)
      case .closed: throw .parameter
      }
    }
  }
}

/// Returns the size of a property, and true if the property can be set.
///
/// - Returns: `noErr`; `kExtAudioFileError_InvalidProperty`; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileGetPropertyInfo(
  _ inExtAudioFile: ExtAudioFileRef?, _ inPropertyID: ExtAudioFilePropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    let info = try file.locked { () throws(StatusError) in try file.info(of: inPropertyID) }
    unsafe outSize.put(UInt32(clamping: info.size))
    unsafe outWritable.put(DarwinBoolean(info.isWritable))
  }
}

/// Returns the value of a property.
///
/// - Returns: `noErr`; `kExtAudioFileError_InvalidProperty`,
///   `kExtAudioFileError_InvalidPropertySize`; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileGetProperty(
  _ inExtAudioFile: ExtAudioFileRef?, _ inPropertyID: ExtAudioFilePropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    let target = unsafe try PropertyTarget(
      ioPropertyDataSize, outPropertyData, badSize: kExtAudioFileError_InvalidPropertySize)
    try file.locked { () throws(StatusError) in try file.get(inPropertyID, target) }
  }
}

/// Sets the value of a property.
///
/// - Returns: `noErr`; `kExtAudioFileError_InvalidProperty`,
///   `kExtAudioFileError_InvalidPropertySize`, `kExtAudioFileError_NonPCMClientFormat`,
///   `kExtAudioFileError_InvalidDataFormat`; `kExtAudioFileError_InvalidOperationOrder` after the
///   first frame; `kAudio_ParamError`.
@discardableResult
public func ExtAudioFileSetProperty(
  _ inExtAudioFile: ExtAudioFileRef?, _ inPropertyID: ExtAudioFilePropertyID,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    if inPropertyID == kExtAudioFileProperty_ConverterConfig, unsafe inPropertyData == nil {
      return try file.locked { () throws(StatusError) in try file.applySettings() }
    }
    let value = unsafe try PropertySource(
      inPropertyDataSize, inPropertyData, badSize: kExtAudioFileError_InvalidPropertySize)
    try file.locked { () throws(StatusError) in try file.set(inPropertyID, value) }
  }
}

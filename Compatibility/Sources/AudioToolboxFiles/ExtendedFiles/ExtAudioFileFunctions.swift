// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
public import CoreAudioTypes

/// Opens a file to read it in any format of samples.
///
/// - Parameters:
///   - inURL: the file.
///   - outExtAudioFile: the open file.
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

/// Reads or writes a file that the program has opened as an `AudioFileID`, in any format of samples.
///
/// The program closes the `AudioFileID` after it has disposed of this file.
///
/// - Parameters:
///   - inFileID: the file.
///   - inForWriting: true to write to it.
///   - outExtAudioFile: the open file.
/// - Returns: `noErr`; `kAudioFileNotOpenError`; `kAudioFilePermissionsError` for a file that was
///   opened only to read; `kAudio_ParamError`.
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

/// Creates a file that is written from any format of samples.
///
/// It takes its name when it is disposed of. A rate of 0 in the format of an encoded file is that of
/// the program's format.
///
/// - Parameters:
///   - inURL: the file.
///   - inFileType: the type of the file.
///   - inStreamDesc: the format of its sound.
///   - inChannelLayout: the loudspeakers of its channels; may be nil.
///   - inFlags: `AudioFileFlags`.
///   - outExtAudioFile: the open file.
/// - Returns: `noErr`; `kAudioFileUnsupportedFileTypeError`,
///   `kAudioFileUnsupportedDataFormatError`, `kAudioFilePermissionsError` if the file exists and is
///   not to be erased; `kAudio_ParamError`.
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
/// - Returns: `noErr`; `kAudio_ParamError` if it is not open; a code for a file that cannot be
///   written, which is closed then too.
@discardableResult
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef?) -> OSStatus {
  status { () throws(StatusError) in
    let file = unsafe try object(inExtAudioFile, ExtFileObject.self)
    if let handle = unsafe Handle(inExtAudioFile) { HandleTable.shared.remove(handle) }
    try file.locked { () throws(StatusError) in try file.close() }
  }
}

/// Reads frames in the program's format.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - ioNumberFrames: the number of frames that fit; afterwards of those that were read, 0 at the
///     end.
///   - ioData: the buffers, with their sizes.
/// - Returns: `noErr`; `kExtAudioFileError_NonPCMClientFormat` if the file is encoded and the
///   program's format is not set; `kAudio_ParamError`.
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

/// Writes frames in the program's format.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inNumberFrames: the number of frames.
///   - ioData: the buffers.
/// - Returns: `noErr`; `kExtAudioFileError_NonPCMClientFormat` if the file is encoded and the
///   program's format is not set; a code for a file that cannot be written; `kAudio_ParamError`.
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

/// Writes frames as `ExtAudioFileWrite`, before it returns.
///
/// A first call with 0 frames and nil only checks the file.
///
/// - Returns: as `ExtAudioFileWrite`.
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

/// Goes to a frame of a file that is read.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - inFrameOffset: the frame, at the file's rate.
/// - Returns: `noErr`; `kExtAudioFileError_InvalidSeek` outside of the file or in one that is
///   written; `kAudio_ParamError`.
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

/// The next frame of a file.
///
/// - Parameters:
///   - inExtAudioFile: the file.
///   - outFrameOffset: the frame, at the file's rate.
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

/// The size of a property's value, and if it can be set.
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

/// Gets a property's value.
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

/// Sets a property's value.
///
/// - Returns: `noErr`; `kExtAudioFileError_InvalidProperty`,
///   `kExtAudioFileError_InvalidPropertySize`, `kExtAudioFileError_NonPCMClientFormat`,
///   `kExtAudioFileError_InvalidDataFormat`, `kExtAudioFileError_InvalidOperationOrder` after the
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

// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Foundation

/// Creates a file and opens it for writing.
///
/// A file of PCM exists at once, and its header always includes all samples that have been written.
/// A file of encoded packets appears under its name when it is closed.
///
/// - Parameters:
///   - inFileRef: the location of the file.
///   - inFileType: the file type.
///   - inFormat: the format of the audio.
///   - inFlags: `eraseFile` replaces an existing file; the other flag is ignored.
///   - outAudioFile: receives the file, or nil after an error.
/// - Returns: 0; `kAudioFileUnsupportedFileTypeError` if the type cannot be written;
///   `kAudioFileUnsupportedDataFormatError` if the type cannot store the format;
///   `kAudioFilePermissionsError` if the file exists and `eraseFile` is not set, or if the file
///   cannot be written; `kAudioFileFileNotFoundError` if the folder does not exist.
/// - Note: Any thread.
@discardableResult
public func AudioFileCreateWithURL(
  _ inFileRef: CFURL, _ inFileType: AudioFileTypeID,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  unsafe outAudioFile.pointee = nil
  return status { () throws(StatusError) in
    guard let path = (inFileRef as URL).fileName else {
      throw StatusError(kAudioFileFileNotFoundError)
    }
    let content = try FileCreation.content(
      path, inFileType, unsafe inFormat.pointee, mayReplace: inFlags.contains(.eraseFile))
    let object = AudioFileObject(content, .readWritePermission, .none)
    unsafe outAudioFile.pointee = try object.publish()
  }
}

/// Opens a file.
///
/// - Parameters:
///   - inFileRef: the location of the file.
///   - inPermissions: the permission; files of encoded packets can only be read.
///   - inFileTypeHint: not used: the type is recognised from the bytes of the file.
///   - outAudioFile: receives the file, or nil after an error.
/// - Returns: 0; `kAudioFileFileNotFoundError`; `kAudioFilePermissionsError`;
///   `kAudioFileUnsupportedFileTypeError` if the file is damaged or of an unknown type.
/// - Note: Any thread.
@discardableResult
public func AudioFileOpenURL(
  _ inFileRef: CFURL, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  unsafe outAudioFile.pointee = nil
  return status { () throws(StatusError) in
    guard let path = (inFileRef as URL).fileName else {
      throw StatusError(kAudioFileFileNotFoundError)
    }
    guard (1...3).contains(inPermissions.rawValue) else { throw .parameter }
    let content = try FileOpening.content(path, updates: inPermissions != .readPermission)
    let object = AudioFileObject(content, inPermissions, .path(path))
    unsafe outAudioFile.pointee = try object.publish()
  }
}

/// Opens audio for reading whose bytes your callbacks provide.
///
/// - Parameters:
///   - inClientData: a value that is passed to the callbacks.
///   - inReadFunc: reads bytes.
///   - inWriteFunc: not called: such files cannot be written.
///   - inGetSizeFunc: returns the number of bytes.
///   - inSetSizeFunc: not called.
///   - inFileTypeHint: not used: the type is recognised from the bytes.
///   - outAudioFile: receives the file, or nil after an error.
/// - Returns: 0; `kAudioFileUnsupportedFileTypeError` if the bytes are damaged or of an unknown
///   type.
/// - Note: Any thread. The callbacks are called on the thread that calls a function for the file.
@discardableResult
public func AudioFileOpenWithCallbacks(
  _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: @escaping AudioFile_ReadProc,
  _ inWriteFunc: AudioFile_WriteProc?, _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
  _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
  unsafe outAudioFile.pointee = nil
  return status { () throws(StatusError) in
    let bytes = unsafe SoundBytes(
      byteCount: inGetSizeFunc(inClientData),
      provider: CallbackBytes(data: inClientData, read: inReadFunc).bytes)
    let content = try FileOpening.content(bytes)
    let object = AudioFileObject(content, .readPermission, .bytes(bytes))
    unsafe outAudioFile.pointee = try object.publish()
  }
}

/// Completes and closes a file.
///
/// - Parameter inAudioFile: the file.
/// - Returns: 0; `kAudioFileNotOpenError` if the file is not open;
///   `kAudioFileOperationNotSupportedError` inside a callback of the file, which then stays open;
///   another code if writing has failed, in which case the file is closed too.
/// - Note: Any thread.
@discardableResult
public func AudioFileClose(_ inAudioFile: AudioFileID) -> OSStatus {
  status { () throws(StatusError) in
    let object = try unsafe AudioFileObject.of(inAudioFile)
    // A callback of the file cannot close it: the file stays open then.
    defer {
      if object.isClosed, let handle = unsafe Handle(inAudioFile) {
        HandleTable.shared.remove(handle)
      }
    }
    try object.close()
  }
}

/// Does not change the file, since files are always written in an optimised order.
///
/// - Parameter inAudioFile: the file.
/// - Returns: 0; `kAudioFileNotOpenError` if the file is not open; `kAudioFilePermissionsError` if
///   it was opened only for reading.
/// - Note: Any thread.
@discardableResult
public func AudioFileOptimize(_ inAudioFile: AudioFileID) -> OSStatus {
  status { () throws(StatusError) in
    let object = try unsafe AudioFileObject.of(inAudioFile)
    guard object.permissions != .readPermission else {
      throw StatusError(kAudioFilePermissionsError)
    }
    try object.with { _ in }
  }
}

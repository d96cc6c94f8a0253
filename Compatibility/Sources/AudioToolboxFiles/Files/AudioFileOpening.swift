// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Foundation

/// Creates a file, and opens it to write.
///
/// A file of samples exists at once; its header states all samples that were written. A file of
/// packets takes its name when it is closed.
///
/// - Parameters:
///   - inFileRef: the file.
///   - inFileType: the type.
///   - inFormat: the format of the sound.
///   - inFlags: `eraseFile` replaces a file that exists; the other flag is ignored.
///   - outAudioFile: receives the file, or nil after an error.
/// - Returns: 0; `kAudioFileUnsupportedFileTypeError` for a type that is not written;
///   `kAudioFileUnsupportedDataFormatError` for a format that the type cannot store;
///   `kAudioFilePermissionsError` if the file exists and is not to be erased, or cannot be written;
///   `kAudioFileFileNotFoundError` if the folder does not exist.
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
///   - inFileRef: the file.
///   - inPermissions: the permission; files of packets can only be read.
///   - inFileTypeHint: not used: the bytes of the file show its type.
///   - outAudioFile: receives the file, or nil after an error.
/// - Returns: 0; `kAudioFileFileNotFoundError`; `kAudioFilePermissionsError`;
///   `kAudioFileUnsupportedFileTypeError` for a file of another kind, or a damaged one.
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

/// Opens bytes that functions of the program provide, to read.
///
/// - Parameters:
///   - inClientData: passed to the functions.
///   - inReadFunc: reads bytes.
///   - inWriteFunc: not called: such files cannot be written.
///   - inGetSizeFunc: returns the number of bytes.
///   - inSetSizeFunc: not called.
///   - inFileTypeHint: not used: the bytes show the type.
///   - outAudioFile: receives the file, or nil after an error.
/// - Returns: 0; `kAudioFileUnsupportedFileTypeError` for another kind of bytes, or damaged ones.
/// - Note: Any thread. The functions are called by the thread that calls a function of the file.
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
/// - Returns: 0; `kAudioFileNotOpenError` if it is not open; `kAudioFileOperationNotSupportedError`
///   inside of a callback of the file, which stays open; the code for a failure of writing, after which
///   the file is closed too.
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

/// Moves the sound of a file to its beginning; the files here are always in this order.
///
/// - Parameter inAudioFile: the file.
/// - Returns: 0; `kAudioFileNotOpenError` if it is not open; `kAudioFilePermissionsError` if it was
///   opened only to read.
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

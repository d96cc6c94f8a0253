// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// Everything went well.
public let noErr: OSStatus = 0
/// An argument is out of range, nil where it may not be, or of something that is gone.
public let kAudio_ParamError: OSStatus = -50
/// A file is there already and may not be replaced, or may not be read or written.
public let kAudio_FilePermissionError: OSStatus = -54
/// A file is not there.
public let kAudio_FileNotFoundError: OSStatus = -43
/// The name of a file cannot be one.
public let kAudio_BadFilePathError: OSStatus = 0x2170_7468
/// Memory, or room in a table, is not to be had.
public let kAudio_MemFullError: OSStatus = -108
/// Something that is not made here.
public let kAudio_UnimplementedError: OSStatus = -4

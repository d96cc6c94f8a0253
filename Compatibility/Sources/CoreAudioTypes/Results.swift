// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

/// The function succeeded.
public let noErr: OSStatus = 0
/// An argument is nil or out of range, or its object is invalid: −50.
public let kAudio_ParamError: OSStatus = -50
/// The file exists and must not be replaced, or it cannot be read or written: −54.
public let kAudio_FilePermissionError: OSStatus = -54
/// The file does not exist: −43.
public let kAudio_FileNotFoundError: OSStatus = -43
/// The path is invalid: '!pth'.
public let kAudio_BadFilePathError: OSStatus = 0x2170_7468
/// Memory, threads or handles are exhausted: −108.
public let kAudio_MemFullError: OSStatus = -108
/// The error code −4, for a call that the system does not support.
public let kAudio_UnimplementedError: OSStatus = -4

// Results of the older Mac OS that programs compare with; each is an `Int`, as in Apple's headers.

/// The end of a file was reached: −39.
public let eofErr = -39
/// A file does not exist: −43.
public let fnfErr = -43
/// An argument is invalid: −50.
public let paramErr = -50
/// Memory is exhausted: −108.
public let memFullErr = -108
/// The error code −4, for a call that the system does not support.
public let unimpErr = -4

// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Creates a parser of bytes that arrive in pieces.
///
/// - Parameters:
///   - inClientData: passed to the callbacks.
///   - inPropertyListenerProc: called when a property becomes known, last of all with
///     `kAudioFileStreamProperty_ReadyToProducePackets`.
///   - inPacketsProc: called with packets.
///   - inFileTypeHint: not used: the bytes show the type.
///   - outAudioFileStream: receives the parser, or nil after an error.
/// - Returns: 0; `kAudio_MemFullError` if a million objects exist.
/// - Note: Any thread. The callbacks are called by `AudioFileStreamParseBytes`, without a lock, and
///   may call any function.
@discardableResult
public func AudioFileStreamOpen(
  _ inClientData: UnsafeMutableRawPointer?,
  _ inPropertyListenerProc: @escaping AudioFileStream_PropertyListenerProc,
  _ inPacketsProc: @escaping AudioFileStream_PacketsProc, _ inFileTypeHint: AudioFileTypeID,
  _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
  unsafe outAudioFileStream.pointee = nil
  return status { () throws(StatusError) in
    let client = unsafe StreamClient(
      data: inClientData, listener: inPropertyListenerProc, packets: inPacketsProc)
    let object = AudioFileStreamObject(client)
    guard let handle = HandleTable.shared.add(object) else {
      throw StatusError(kAudio_MemFullError)
    }
    unsafe outAudioFileStream.pointee = handle.pointer
  }
}

/// Parses bytes, and calls the callbacks with all that they complete.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inDataByteSize: the number of bytes.
///   - inData: the bytes; may be nil if their number is 0.
///   - inFlags: `discontinuity` if bytes are missing before these.
/// - Returns: 0; `kAudioFileStreamError_UnsupportedFileType` if 256 KiB contain no sound;
///   `kAudioFileStreamError_NotOptimized` if the index is behind the sound;
///   `kAudioFileStreamError_IllegalOperation` inside of a callback of the same parser, or while
///   another thread parses; `ParamError` (−50) for a parser that is closed.
/// - Note: One thread at a time.
@discardableResult
public func AudioFileStreamParseBytes(
  _ inAudioFileStream: AudioFileStreamID, _ inDataByteSize: UInt32, _ inData: UnsafeRawPointer?,
  _ inFlags: AudioFileStreamParseFlags
) -> OSStatus {
  status { () throws(StatusError) in
    let stream: AudioFileStreamObject = try unsafe object(inAudioFileStream)
    guard unsafe inData != nil || inDataByteSize == 0 else { throw .parameter }
    let bytes = unsafe UnsafeRawBufferPointer(start: inData, count: Int(inDataByteSize))
    try unsafe stream.parse(
      bytes, isDiscontinuous: inFlags.contains(.discontinuity), as: inAudioFileStream)
  }
}

/// Finds the position from which to continue with a packet; the bytes that are parsed next are those
/// from there on.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inPacketOffset: the packet, from 0.
///   - outDataByteOffset: receives the position, counted from the first byte of the sound
///     (`kAudioFileStreamProperty_DataOffset`).
///   - ioFlags: receives `offsetIsEstimated` if another packet may be there.
/// - Returns: 0; `kAudioFileStreamError_InvalidPacketOffset` for a packet that does not exist;
///   `kAudioFileStreamError_DataUnavailable` before the properties are known; `ParamError` (−50) for
///   a parser that is closed.
/// - Note: Any thread.
@discardableResult
public func AudioFileStreamSeek(
  _ inAudioFileStream: AudioFileStreamID, _ inPacketOffset: Int64,
  _ outDataByteOffset: UnsafeMutablePointer<Int64>,
  _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>
) -> OSStatus {
  status { () throws(StatusError) in
    let stream: AudioFileStreamObject = try unsafe object(inAudioFileStream)
    let place = try stream.seek(to: inPacketOffset)
    unsafe outDataByteOffset.pointee = place.offset
    unsafe ioFlags.pointee = place.isEstimated ? .offsetIsEstimated : []
  }
}

/// Returns the size of a property.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inPropertyID: the property.
///   - outPropertyDataSize: receives the size in bytes; may be nil.
///   - outWritable: receives false, since all properties are read only; may be nil.
/// - Returns: 0; `kAudioFileStreamError_UnsupportedProperty`;
///   `kAudioFileStreamError_DataUnavailable` if it is not known yet;
///   `kAudioFileStreamError_ValueUnknown` if the stream does not state it; `ParamError` (−50) for a
///   parser that is closed.
/// - Note: Any thread.
@discardableResult
public func AudioFileStreamGetPropertyInfo(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe outPropertyDataSize.put(0)
  unsafe outWritable.put(false)
  return status { () throws(StatusError) in
    let stream: AudioFileStreamObject = try unsafe object(inAudioFileStream)
    unsafe outPropertyDataSize.put(UInt32(try stream.size(of: inPropertyID)))
  }
}

/// Returns the value of a property.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the size of the memory, and afterwards of the value.
///   - outPropertyData: receives the value; properties that translate read it first. Objects have to
///     be released.
/// - Returns: as `AudioFileStreamGetPropertyInfo`; `kAudioFileStreamError_BadPropertySize` for a
///   wrong size; `kAudioFileStreamError_InvalidPacketOffset` for a packet that does not exist.
/// - Note: Any thread.
@discardableResult
public func AudioFileStreamGetProperty(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
  status { () throws(StatusError) in
    let stream: AudioFileStreamObject = try unsafe object(inAudioFileStream)
    let source = try unsafe PropertySource(
      ioPropertyDataSize.pointee, outPropertyData,
      badSize: kAudioFileStreamError_BadPropertySize)
    let target = try unsafe PropertyTarget(
      ioPropertyDataSize, outPropertyData, badSize: kAudioFileStreamError_BadPropertySize)
    try stream.get(inPropertyID, source, target)
  }
}

/// Sets a property; none can be set.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: `kAudioFileStreamError_UnsupportedProperty`; `ParamError` (−50) for a parser that is
///   closed.
/// - Note: Any thread.
@discardableResult
public func AudioFileStreamSetProperty(
  _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
  status { () throws(StatusError) in
    let _: AudioFileStreamObject = try unsafe object(inAudioFileStream)
    throw StatusError(kAudioFileStreamError_UnsupportedProperty)
  }
}

/// Closes a parser; a callback may close its own parser, and is then not called again.
///
/// - Parameter inAudioFileStream: the parser.
/// - Returns: 0; `ParamError` (−50) for a parser that is closed.
/// - Note: Any thread.
@discardableResult
public func AudioFileStreamClose(_ inAudioFileStream: AudioFileStreamID) -> OSStatus {
  status { () throws(StatusError) in
    let stream: AudioFileStreamObject = try unsafe object(inAudioFileStream)
    stream.close()
    guard let handle = unsafe Handle(inAudioFileStream), HandleTable.shared.remove(handle) else {
      throw .parameter
    }
  }
}

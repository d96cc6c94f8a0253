// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Creates a parser for audio data that arrives in pieces.
///
/// - Parameters:
///   - inClientData: a value that is passed to the callbacks.
///   - inPropertyListenerProc: called when the value of a property becomes known; the last property
///     is `kAudioFileStreamProperty_ReadyToProducePackets`.
///   - inPacketsProc: called with packets.
///   - inFileTypeHint: not used: the type is recognised from the bytes.
///   - outAudioFileStream: receives the parser, or nil after an error.
/// - Returns: 0; `kAudio_MemFullError` if a million objects exist.
/// - Note: Any thread. `AudioFileStreamParseBytes` calls the callbacks without holding a lock; a
///   callback may call any function.
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

/// Parses bytes, and calls the callbacks with the properties and packets that they complete.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inDataByteSize: the number of bytes.
///   - inData: the bytes; may be nil if their number is 0.
///   - inFlags: `discontinuity` if bytes are missing before these.
/// - Returns: 0; `kAudioFileStreamError_UnsupportedFileType` if audio is not found in the first 256
///   KiB; `kAudioFileStreamError_NotOptimized` if the index of the file follows the audio data;
///   `kAudioFileStreamError_IllegalOperation` inside a callback of the same parser, or while
///   another thread parses; `ParamError` (−50) if the parser is closed.
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

/// Returns the byte position at which to continue with a packet; pass the bytes from there to the
/// parser next.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inPacketOffset: the index of the packet.
///   - outDataByteOffset: receives the position in the audio data, which starts at
///     `kAudioFileStreamProperty_DataOffset`.
///   - ioFlags: receives `offsetIsEstimated` if the position is an estimate.
/// - Returns: 0; `kAudioFileStreamError_InvalidPacketOffset` if the packet does not exist;
///   `kAudioFileStreamError_DataUnavailable` before the properties are known; `ParamError` (−50) if
///   the parser is closed.
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
///   - outWritable: receives false, since all properties are read-only; may be nil.
/// - Returns: 0; `kAudioFileStreamError_UnsupportedProperty`;
///   `kAudioFileStreamError_DataUnavailable` if the value is not known yet;
///   `kAudioFileStreamError_ValueUnknown` if the stream does not contain it; `ParamError` (−50) if
///   the parser is closed.
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
/// You own objects in the result, and must release them.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the size of the memory in bytes; receives the size of the value.
///   - outPropertyData: receives the value. Properties that convert a value, such as a packet to a
///     frame, take the input from here.
/// - Returns: the same codes as `AudioFileStreamGetPropertyInfo`;
///   `kAudioFileStreamError_BadPropertySize` if the size is wrong;
///   `kAudioFileStreamError_InvalidPacketOffset` if the packet does not exist.
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

/// Returns an error, since all properties are read-only.
///
/// - Parameters:
///   - inAudioFileStream: the parser.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: `kAudioFileStreamError_UnsupportedProperty`; `ParamError` (−50) if the parser is
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

/// Closes a parser.
///
/// A callback may close its own parser, and is not called again afterwards.
///
/// - Parameter inAudioFileStream: the parser.
/// - Returns: 0; `ParamError` (−50) if the parser is already closed.
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

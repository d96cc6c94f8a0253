// SPDX-License-Identifier: Apache-2.0
internal import CoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes

/// Creates a converter between two formats.
///
/// A converter can change the layout, the sample rate and the number of channels of PCM, decode
/// packets to PCM, and encode PCM as AAC, ALAC, IMA 4:1 or MP3. If the output has fewer channels,
/// the channels are mixed down (ITU-R BS.775), unless a channel map selects them.
///
/// - Parameters:
///   - inSourceFormat: the format of the input.
///   - inDestinationFormat: the format of the output. If its sample rate is 0, that of the input is
///     used.
///   - outAudioConverter: receives the converter.
/// - Returns: `noErr`; `kAudioConverterErr_FormatNotSupported`,
///   `kAudioConverterErr_InputSampleRateOutOfRange`,
///   `kAudioConverterErr_OutputSampleRateOutOfRange`; `kAudio_ParamError`.
@discardableResult
public func AudioConverterNew(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let source = unsafe try given(inSourceFormat)
    let target = unsafe try given(inDestinationFormat)
    let out = unsafe try given(outAudioConverter)
    unsafe out.pointee = nil
    let converter = unsafe try ConverterObject(from: source.pointee, to: target.pointee)
    guard let handle = HandleTable.shared.add(converter) else {
      throw StatusError(kAudio_MemFullError)
    }
    unsafe out.pointee = handle.pointer
  }
}

/// Creates a converter that uses one of several codecs.
///
/// Here, each format has only one codec.
///
/// - Returns: the same codes as `AudioConverterNew`; `kAudioConverterErr_FormatNotSupported` if the
///   class descriptions do not include the codec of the formats.
@discardableResult
public func AudioConverterNewSpecific(
  _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inNumberClassDescriptions: UInt32,
  _ inClassDescriptions: UnsafePointer<AudioClassDescription>?,
  _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let source = unsafe try given(inSourceFormat)
    let target = unsafe try given(inDestinationFormat)
    if inNumberClassDescriptions > 0 {
      let classes = unsafe UnsafeBufferPointer(
        start: try given(inClassDescriptions), count: Int(min(inNumberClassDescriptions, 1024)))
      let formats = unsafe [source.pointee.mFormatID, target.pointee.mFormatID]
      let isMatch = unsafe classes.contains {
        formats.contains($0.mSubType) && $0.mManufacturer != kAppleHardwareAudioCodecManufacturer
      }
      guard isMatch else { throw StatusError(kAudioConverterErr_FormatNotSupported) }
    }
    let code = unsafe AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
    if code != noErr { throw StatusError(code) }
  }
}

/// Disposes of a converter.
///
/// - Returns: `noErr`; `kAudio_ParamError` if the converter is invalid.
@discardableResult
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef?) -> OSStatus {
  status { () throws(StatusError) in
    let _: ConverterObject = unsafe try object(inAudioConverter)
    if let handle = unsafe Handle(inAudioConverter) { HandleTable.shared.remove(handle) }
  }
}

/// Resets a converter, so that the next input starts a new stream.
///
/// - Returns: `noErr`; `kAudio_ParamError`.
@discardableResult
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef?) -> OSStatus {
  status { () throws(StatusError) in
    let converter = unsafe try object(inAudioConverter, ConverterObject.self)
    try converter.locked { () throws(StatusError) in try converter.reset() }
  }
}

/// Returns the size of a property, and true if the property can be set.
///
/// - Returns: `noErr`; `kAudioConverterErr_PropertyNotSupported`; `kAudio_ParamError`.
@discardableResult
public func AudioConverterGetPropertyInfo(
  _ inAudioConverter: AudioConverterRef?, _ inPropertyID: AudioConverterPropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status { () throws(StatusError) in
    let converter = unsafe try object(inAudioConverter, ConverterObject.self)
    let info = try converter.locked { () throws(StatusError) in
      try converter.info(of: inPropertyID)
    }
    unsafe outSize.put(UInt32(clamping: info.size))
    unsafe outWritable.put(DarwinBoolean(info.isWritable))
  }
}

/// Returns the value of a property.
///
/// - Returns: `noErr`; `kAudioConverterErr_PropertyNotSupported`,
///   `kAudioConverterErr_BadPropertySizeError`; `kAudio_ParamError`.
@discardableResult
public func AudioConverterGetProperty(
  _ inAudioConverter: AudioConverterRef?, _ inPropertyID: AudioConverterPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let converter = unsafe try object(inAudioConverter, ConverterObject.self)
    let target = unsafe try PropertyTarget(
      ioPropertyDataSize, outPropertyData, badSize: kAudioConverterErr_BadPropertySizeError)
    var size: UInt32 = 0
    if inPropertyID == kAudioConverterPropertyCalculateInputBufferSize
      || inPropertyID == kAudioConverterPropertyCalculateOutputBufferSize
    {
      guard target.capacity >= 4, let data = unsafe outPropertyData else {
        throw StatusError(kAudioConverterErr_BadPropertySizeError)
      }
      size = unsafe data.loadUnaligned(as: UInt32.self)
    }
    try converter.locked { () throws(StatusError) in
      try converter.get(inPropertyID, target, given: size)
    }
  }
}

/// Sets the value of a property.
///
/// - Returns: `noErr`; `kAudioConverterErr_PropertyNotSupported`,
///   `kAudioConverterErr_BadPropertySizeError`; `kAudio_ParamError`.
@discardableResult
public func AudioConverterSetProperty(
  _ inAudioConverter: AudioConverterRef?, _ inPropertyID: AudioConverterPropertyID,
  _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let converter = unsafe try object(inAudioConverter, ConverterObject.self)
    let value = unsafe try PropertySource(
      inPropertyDataSize, inPropertyData, badSize: kAudioConverterErr_BadPropertySizeError)
    try converter.locked { () throws(StatusError) in try converter.set(inPropertyID, value) }
  }
}

/// Converts one buffer of PCM; the sample rate must not change.
///
/// - Returns: `noErr`; `kAudioConverterErr_OperationNotSupported` for packets, for a change of the
///   sample rate, and for samples that are not interleaved; `kAudioConverterErr_InvalidInputSize`,
///   `kAudioConverterErr_InvalidOutputSize`; `kAudio_ParamError`.
@discardableResult
public func AudioConverterConvertBuffer(
  _ inAudioConverter: AudioConverterRef?, _ inInputDataSize: UInt32,
  _ inInputData: UnsafeRawPointer?, _ ioOutputDataSize: UnsafeMutablePointer<UInt32>?,
  _ outOutputData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let converter = unsafe try object(inAudioConverter, ConverterObject.self)
    let (input, output) = unsafe (try given(inInputData), try given(outOutputData))
    let size = unsafe try given(ioOutputDataSize)
    let frameBytes = Int(converter.source.mBytesPerFrame)
    guard frameBytes > 0 else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
    guard Int(inInputDataSize) % frameBytes == 0 else {
      throw StatusError(kAudioConverterErr_InvalidInputSize)
    }
    if inInputDataSize == 0 {
      unsafe size.pointee = 0
      return
    }
    var source = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: converter.source.mChannelsPerFrame, mDataByteSize: inInputDataSize,
        mData: UnsafeMutableRawPointer(mutating: input)))
    var target = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: converter.target.mChannelsPerFrame, mDataByteSize: size.pointee,
        mData: output))
    try converter.locked { () throws(StatusError) in
      try unsafe converter.convert(Int(inInputDataSize) / frameBytes, &source, &target)
    }
    unsafe size.pointee = target.mBuffers.mDataByteSize
  }
}

/// Converts a buffer list of PCM; the sample rate must not change.
///
/// - Returns: the same codes as `AudioConverterConvertBuffer`.
@discardableResult
public func AudioConverterConvertComplexBuffer(
  _ inAudioConverter: AudioConverterRef?, _ inNumberPCMFrames: UInt32,
  _ inInputData: UnsafePointer<AudioBufferList>?,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  status { () throws(StatusError) in
    let converter = unsafe try object(inAudioConverter, ConverterObject.self)
    let (input, output) = unsafe (try given(inInputData), try given(outOutputData))
    guard inNumberPCMFrames > 0 else { return }
    try converter.locked { () throws(StatusError) in
      try unsafe converter.convert(
        Int(inNumberPCMFrames), UnsafeMutablePointer(mutating: input), output)
    }
  }
}

/// Converts packets that a callback supplies.
///
/// The callback receives the number of packets that are needed, and may supply more or fewer. To
/// end the stream, it returns `noErr` with 0 packets. The remaining frames are then converted, and
/// later calls produce 0 packets until `AudioConverterReset`. If the callback returns another
/// status, this function returns the status, with the packets that are already converted.
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inInputDataProc: the callback. Its memory is used until the call returns.
///   - inInputDataProcUserData: the data that is passed to the callback.
///   - ioOutputDataPacketSize: the number of packets for which there is memory; receives the number
///     of packets that were converted.
///   - outOutputData: the buffers, with their sizes.
///   - outPacketDescription: memory for as many descriptions as packets fit; may be nil.
/// - Returns: `noErr`, the callback's status, `kAudioConverterErr_InvalidInputSize`,
///   `kAudioConverterErr_InvalidOutputSize` if the first packet does not fit,
///   `kAudioConverterErr_RequiresPacketDescriptionsError`,
///   `kAudioConverterErr_OperationNotSupported` in the callback itself; `kAudio_ParamError`.
@discardableResult
public func AudioConverterFillComplexBuffer(
  _ inAudioConverter: AudioConverterRef?,
  _ inInputDataProc: AudioConverterComplexInputDataProc?,
  _ inInputDataProcUserData: UnsafeMutableRawPointer?,
  _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>?,
  _ outOutputData: UnsafeMutablePointer<AudioBufferList>?,
  _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  status { () throws(StatusError) in
    let converter = unsafe try object(inAudioConverter, ConverterObject.self)
    let size = unsafe try given(ioOutputDataPacketSize)
    let list = unsafe try given(outOutputData)
    guard let handle = unsafe inAudioConverter else { throw .parameter }
    let callback = unsafe ConverterCallback(
      try given(inInputDataProc), inInputDataProcUserData, handle)
    try converter.locked { () throws(StatusError) in
      try unsafe converter.fill(callback, &size.pointee, list, outPacketDescription)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The functions that Apple's headers declare for Swift, by header.
enum AppleFunctions {
  /// Functions of AudioFile.h.
  static let audioFile = names(
    "AudioFile",
    """
    CreateWithURL OpenURL InitializeWithCallbacks OpenWithCallbacks Close Optimize ReadBytes WriteBytes
    ReadPacketData ReadPackets WritePackets CountUserData GetUserDataSize GetUserData SetUserData
    RemoveUserData GetPropertyInfo GetProperty SetProperty GetGlobalInfoSize GetGlobalInfo
    """)
  /// Functions of ExtendedAudioFile.h.
  static let extendedAudioFile =
    names(
      "ExtAudioFile",
      """
      OpenURL WrapAudioFileID CreateWithURL Dispose Read Write WriteAsync Seek GetPropertyInfo
      GetProperty SetProperty
      """) + ["ExtAudioFileTell"]
  /// Functions of AudioFormat.h.
  static let audioFormat = names("AudioFormat", "GetPropertyInfo GetProperty")
  /// Functions of AudioConverter.h.
  static let audioConverter = names(
    "AudioConverter",
    """
    New NewSpecific NewWithOptions Prepare Dispose Reset GetPropertyInfo GetProperty SetProperty
    ConvertBuffer FillComplexBuffer FillComplexBufferRealtimeSafe ConvertComplexBuffer
    """)
  /// Functions of AudioFileStream.h.
  static let audioFileStream = names(
    "AudioFileStream", "Open ParseBytes Seek GetPropertyInfo GetProperty SetProperty Close")
  /// Functions of AudioQueue.h.
  static let audioQueue = names(
    "AudioQueue",
    """
    NewOutput NewInput NewOutputWithDispatchQueue NewInputWithDispatchQueue Dispose AllocateBuffer
    AllocateBufferWithPacketDescriptions FreeBuffer EnqueueBuffer EnqueueBufferWithParameters Start
    Prime Stop Pause Flush Reset GetParameter SetParameter GetProperty SetProperty GetPropertySize
    AddPropertyListener RemovePropertyListener CreateTimeline DisposeTimeline GetCurrentTime
    DeviceGetCurrentTime DeviceTranslateTime DeviceGetNearestStartTime SetOfflineRenderFormat
    OfflineRender ProcessingTapNew ProcessingTapDispose ProcessingTapGetSourceAudio
    ProcessingTapGetQueueTime
    """)
  /// Functions of AudioHardware.h.
  static let audioHardware =
    names(
      "AudioObject",
      """
      Show HasProperty IsPropertySettable GetPropertyDataSize GetPropertyData SetPropertyData
      AddPropertyListener RemovePropertyListener AddPropertyListenerBlock RemovePropertyListenerBlock
      """)
    + names(
      "AudioDevice",
      """
      CreateIOProcID CreateIOProcIDWithBlock DestroyIOProcID Start StartAtTime Stop GetCurrentTime
      TranslateTime GetNearestStartTime
      """) + names("AudioHardware", "CreateAggregateDevice DestroyAggregateDevice Unload")

  /// Functions of CMBlockBuffer.h, without those of its type.
  static let blockBuffer = names(
    "CMBlockBuffer",
    """
    CreateEmpty CreateWithMemoryBlock CreateWithBufferReference CreateContiguous AccessDataBytes
    AppendMemoryBlock AppendBufferReference AssureBlockMemory CopyDataBytes ReplaceDataBytes
    FillDataBytes GetDataLength GetDataPointer IsEmpty IsRangeContiguous
    """)
  /// Functions of CMSampleBuffer.h that programs of sound use.
  static let sampleBuffer =
    names(
      "CMSampleBuffer",
      """
      Create CreateReady CreateCopy CreateCopyWithNewTiming CopySampleBufferForRange SetDataBuffer
      GetDataBuffer GetImageBuffer SetDataBufferFromAudioBufferList
      GetAudioBufferListWithRetainedBlockBuffer GetAudioStreamPacketDescriptions
      GetAudioStreamPacketDescriptionsPtr CopyPCMDataIntoAudioBufferList SetDataReady DataIsReady
      MakeDataReady TrackDataReadiness Invalidate SetInvalidateCallback IsValid GetNumSamples
      GetDuration GetPresentationTimeStamp GetDecodeTimeStamp GetOutputDuration
      GetOutputPresentationTimeStamp SetOutputPresentationTimeStamp GetSampleTimingInfo GetSampleSize
      GetTotalSampleSize GetFormatDescription GetSampleAttachmentsArray CallForEachSample
      """)
    + names("CMAudioSampleBufferCreate", "WithPacketDescriptions ReadyWithPacketDescriptions")
  /// Functions of CMFormatDescription.h that programs of sound use.
  static let formatDescription =
    names("CMFormatDescription", "GetMediaType GetMediaSubType Equal")
    + names(
      "CMAudioFormatDescription",
      "Create GetStreamBasicDescription GetMagicCookie GetChannelLayout GetFormatList")

  /// Every function.
  static let all =
    audioFile + extendedAudioFile + audioFormat + audioConverter + audioFileStream + audioQueue
    + audioHardware + blockBuffer + sampleBuffer + formatDescription

  private static func names(_ prefix: String, _ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { prefix + $0 }
  }
}

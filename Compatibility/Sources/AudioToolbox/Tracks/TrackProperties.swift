// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Sets a property of a track; `inLength` is ignored.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid, or if the property does not exist, is
///   read-only or cannot have the value.
/// - Note: Any thread.
@discardableResult
public func MusicTrackSetProperty(
  _ inTrack: MusicTrack?, _ inPropertyID: UInt32, _ inData: UnsafeMutableRawPointer?,
  _ inLength: UInt32
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    let data = unsafe try given(UnsafeRawPointer(inData))
    try track.edit { (content) throws(StatusError) in
      unsafe try content.set(inPropertyID, data)
    }
  }
}

/// Returns the value of a track's property, or only its size if `outData` is nil.
///
/// The initial value of `ioLength` is ignored: the memory must be large enough.
///
/// - Returns: 0; `kAudio_ParamError` if the track is invalid or does not have the property.
/// - Note: Any thread.
@discardableResult
public func MusicTrackGetProperty(
  _ inTrack: MusicTrack?, _ inPropertyID: UInt32, _ outData: UnsafeMutableRawPointer?,
  _ ioLength: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let track = unsafe try object(inTrack, TrackBox.self)
    if unsafe outData == nil, unsafe ioLength == nil { throw .parameter }
    if inPropertyID == kSequenceTrackProperty_TimeResolution, !track.isTempoTrack {
      throw .parameter
    }
    let size = unsafe try track.content().get(inPropertyID, outData)
    unsafe ioLength.put(UInt32(size))
  }
}

extension TrackContent {
  fileprivate mutating func set(
    _ property: UInt32, _ data: UnsafeRawPointer
  ) throws(StatusError) {
    switch property {
    case kSequenceTrackProperty_LoopInfo:
      let loop = unsafe data.loadUnaligned(as: MusicTrackLoopInfo.self)
      guard loop.loopDuration >= 0, loop.loopDuration.isFinite, loop.numberOfLoops >= 0 else {
        throw .parameter
      }
      self.loop = loop
    case kSequenceTrackProperty_OffsetTime:
      let offset = unsafe data.loadUnaligned(as: MusicTimeStamp.self)
      guard abs(offset) <= BeatEvent.lastTime else { throw .parameter }
      self.offset = offset
    case kSequenceTrackProperty_MuteStatus: isMuted = unsafe data.load(as: UInt8.self) != 0
    case kSequenceTrackProperty_SoloStatus: isSoloed = unsafe data.load(as: UInt8.self) != 0
    case kSequenceTrackProperty_AutomatedParameters:
      automation = unsafe data.loadUnaligned(as: UInt32.self)
    case kSequenceTrackProperty_TrackLength:
      let length = unsafe data.loadUnaligned(as: MusicTimeStamp.self)
      guard BeatEvent.canStand(at: length) else { throw .parameter }
      explicitLength = length
    default: throw .parameter
    }
  }

  /// Writes a property to `data` unless it is nil, and returns its size.
  fileprivate func get(
    _ property: UInt32, _ data: UnsafeMutableRawPointer?
  ) throws(StatusError) -> Int {
    func put<Value: BitwiseCopyable>(_ value: Value) -> Int {
      if let data = unsafe data { unsafe data.storeBytes(of: value, as: Value.self) }
      return MemoryLayout<Value>.size
    }
    switch property {
    case kSequenceTrackProperty_LoopInfo: return put(loop)
    case kSequenceTrackProperty_OffsetTime: return put(offset)
    case kSequenceTrackProperty_MuteStatus: return put(UInt8(isMuted ? 1 : 0))
    case kSequenceTrackProperty_SoloStatus: return put(UInt8(isSoloed ? 1 : 0))
    case kSequenceTrackProperty_AutomatedParameters: return put(automation)
    case kSequenceTrackProperty_TrackLength: return put(length)
    case kSequenceTrackProperty_TimeResolution: return put(resolution)
    default: throw .parameter
    }
  }
}

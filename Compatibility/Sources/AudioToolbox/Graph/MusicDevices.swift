public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MIDIMessages
internal import Synchronization

/// Sends a short MIDI message to an instrument; system messages are ignored.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inStatus: the status byte.
///   - inData1: the first data byte; only the lowest seven bits are used.
///   - inData2: the second data byte; only the lowest seven bits are used.
///   - inOffsetSampleFrame: the frame in the next slice, from 0.
/// - Returns: 0; `kAudio_ParamError` if the instrument or the status byte is invalid;
///   `kAudioUnitErr_Uninitialized`.
/// - Note: Any thread.
@discardableResult
public func MusicDeviceMIDIEvent(
  _ inUnit: MusicDeviceComponent?, _ inStatus: UInt32, _ inData1: UInt32, _ inData2: UInt32,
  _ inOffsetSampleFrame: UInt32
) -> OSStatus {
  status { () throws(StatusError) in
    let player = try unsafe player(inUnit)
    guard (0x80...0xFF).contains(inStatus) else { throw .parameter }
    // Instruments ignore system messages.
    guard inStatus < 0xF0 else { return }
    player.send(
      Message(
        status: UInt8(inStatus), data1: UInt8(inData1 & 127), data2: UInt8(inData2 & 127)),
      offset: min(inOffsetSampleFrame, 1 << 20))
  }
}

/// Sends a SysEx message to an instrument.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inData: the bytes, beginning with F0.
///   - inLength: the number of bytes.
/// - Returns: 0; `kAudio_ParamError` if the instrument is invalid or the bytes are not SysEx;
///   `kAudioUnitErr_Uninitialized`.
/// - Note: Any thread.
@discardableResult
public func MusicDeviceSysEx(
  _ inUnit: MusicDeviceComponent?, _ inData: UnsafePointer<UInt8>, _ inLength: UInt32
) -> OSStatus {
  status { () throws(StatusError) in
    let player = try unsafe player(inUnit)
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: inData, count: Int(inLength)))
    guard bytes.first == 0xF0 else { throw .parameter }
    player.send(sysEx: bytes.dropFirst().filter { $0 < 0x80 })
  }
}

/// Starts a note; pitch and velocity are rounded to the nearest integer.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inInstrument: not used; the program of the channel plays.
///   - inGroupID: the MIDI channel, 0…15.
///   - outNoteInstanceID: receives the number for `MusicDeviceStopNote`; may be nil.
///   - inOffsetSampleFrame: the frame in the next slice, from 0.
///   - inParams: the pitch as a key, 0…127, and the velocity, which is limited to 1…127.
/// - Returns: 0; `kAudio_ParamError` if the instrument, channel, pitch or velocity is invalid;
///   `kAudioUnitErr_Uninitialized`.
/// - Note: Any thread.
@discardableResult
public func MusicDeviceStartNote(
  _ inUnit: MusicDeviceComponent?, _ inInstrument: MusicDeviceInstrumentID,
  _ inGroupID: MusicDeviceGroupID, _ outNoteInstanceID: UnsafeMutablePointer<NoteInstanceID>?,
  _ inOffsetSampleFrame: UInt32, _ inParams: UnsafePointer<MusicDeviceNoteParams>
) -> OSStatus {
  status { () throws(StatusError) in
    let player = try unsafe player(inUnit)
    let pitch = unsafe inParams.pointee.mPitch
    let velocity = unsafe inParams.pointee.mVelocity
    guard inGroupID < 16, (0..<127.5).contains(pitch), velocity.isFinite else { throw .parameter }
    let key = UInt8(pitch.rounded())
    let strength = UInt8(min(127, max(1, velocity.rounded())))
    player.send(
      Message(status: 0x90 | UInt8(inGroupID), data1: key, data2: strength),
      offset: min(inOffsetSampleFrame, 1 << 20))
    unsafe outNoteInstanceID?.pointee = inGroupID << 8 | UInt32(key)
  }
}

/// Ends a note that `MusicDeviceStartNote` has started.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inGroupID: the MIDI channel, 0…15.
///   - inNoteInstanceID: the number of the note.
///   - inOffsetSampleFrame: the frame in the next slice, from 0.
/// - Returns: 0; `kAudio_ParamError` if the instrument or the note is invalid;
///   `kAudioUnitErr_Uninitialized`.
/// - Note: Any thread.
@discardableResult
public func MusicDeviceStopNote(
  _ inUnit: MusicDeviceComponent?, _ inGroupID: MusicDeviceGroupID,
  _ inNoteInstanceID: NoteInstanceID, _ inOffsetSampleFrame: UInt32
) -> OSStatus {
  status { () throws(StatusError) in
    let player = try unsafe player(inUnit)
    guard inGroupID < 16, inNoteInstanceID >> 8 == inGroupID, inNoteInstanceID & 0xFF < 128 else {
      throw .parameter
    }
    player.send(
      Message(status: 0x80 | UInt8(inGroupID), data1: UInt8(inNoteInstanceID & 127), data2: 64),
      offset: min(inOffsetSampleFrame, 1 << 20))
  }
}

/// The player of an initialized instrument.
@unsafe
private func player(_ reference: AudioUnit?) throws(StatusError) -> InstrumentPlayer {
  guard let unit = unsafe UnitObject.find(reference), unit.kind == .instrument else {
    throw .parameter
  }
  guard let player = unit.player else {
    throw StatusError(kAudioUnitErr_Uninitialized)
  }
  return player
}

public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MIDIMessages
internal import Synchronization

/// Has an instrument take a short MIDI message.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inStatus: the status byte.
///   - inData1: the first data byte; its highest bit does not count.
///   - inData2: the second data byte; its highest bit does not count.
///   - inOffsetSampleFrame: frames from the next slice's first.
/// - Returns: 0; −50 for an invalid instrument, or a message without a status byte;
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
    // System messages mean nothing to an instrument.
    guard inStatus < 0xF0 else { return }
    player.send(
      Message(
        status: UInt8(inStatus), data1: UInt8(inData1 & 127), data2: UInt8(inData2 & 127)),
      offset: min(inOffsetSampleFrame, 1 << 20))
  }
}

/// Has an instrument take a SysEx message.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inData: the bytes, F0 first.
///   - inLength: how many there are.
/// - Returns: 0; −50 for an invalid instrument, or bytes that are not SysEx;
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

/// Strikes a note, rounded to a key.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inInstrument: has no effect: the group's program plays.
///   - inGroupID: the MIDI channel, 0…15.
///   - outNoteInstanceID: takes what `MusicDeviceStopNote` wants; nil for nobody.
///   - inOffsetSampleFrame: frames from the next slice's first.
///   - inParams: pitch as a key and velocity, each 0…127.
/// - Returns: 0; −50 for an invalid instrument, or channel, or key;
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

/// Ends a note that `MusicDeviceStartNote` struck.
///
/// - Parameters:
///   - inUnit: the instrument.
///   - inGroupID: its MIDI channel, 0…15.
///   - inNoteInstanceID: the note.
///   - inOffsetSampleFrame: frames from the next slice's first.
/// - Returns: 0; −50 for an invalid instrument, or note; `kAudioUnitErr_Uninitialized`.
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

/// What plays an instrument that is ready.
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

// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Downbeat
public import Foundation
internal import WholeFiles

/// Adds the contents of a MIDI file to a sequence.
///
/// The file's tracks are added after the existing tracks, its tempo events to the tempo track. If
/// the file cannot be read, the sequence does not change.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid, the file is not a MIDI file, or
///   `smf_ChannelsToTracks` is set and the sequence is not empty; `kAudio_FileNotFoundError`;
///   `kAudio_FilePermissionError` if the file cannot be read; `kAudio_UnimplementedError` for
///   iMelody.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceFileLoad(
  _ inSequence: MusicSequence?, _ inFileRef: CFURL?, _ inFileTypeHint: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    let path = try FilePath(inFileRef).path
    let bytes: [UInt8]
    do {
      bytes = try InputFile(path: path).bytes
    } catch {
      let isThere = FolderListing.isThere(path)
      throw StatusError(isThere ? kAudio_FilePermissionError : kAudio_FileNotFoundError)
    }
    try sequence.load(bytes, inFileTypeHint, inFlags)
  }
}

/// Adds the contents of a MIDI file in memory to a sequence, as `MusicSequenceFileLoad` does.
///
/// - Returns: 0; `kAudio_ParamError` if an argument or the data is invalid;
///   `kAudio_UnimplementedError` for iMelody.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceFileLoadData(
  _ inSequence: MusicSequence?, _ inData: CFData?, _ inFileTypeHint: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    try sequence.load(Array(try given(inData) as Data), inFileTypeHint, inFlags)
  }
}

/// Writes a sequence as a MIDI file of format 1 with the tempo track first.
///
/// The file appears complete or not at all. Events that a MIDI file cannot contain are left out.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid, for another type than MIDI, or for
///   an invalid resolution; `kAudio_FilePermissionError` if the file exists and `eraseFile` is not
///   set, or if it cannot be written; `kAudioToolboxErr_InvalidSequenceType` for a sequence in
///   samples.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceFileCreate(
  _ inSequence: MusicSequence?, _ inFileRef: CFURL?, _ inFileType: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceFileFlags, _ inResolution: Int16
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    let path = try FilePath(inFileRef).path
    guard inFileType == .midiType else { throw .parameter }
    let bytes = try SequenceSaving(sequence, resolution: inResolution).bytes()
    do {
      try OutputFile(path: path, overwrite: inFlags.contains(.eraseFile)).write(bytes)
    } catch {
      throw StatusError(kAudio_FilePermissionError)
    }
  }
}

/// Returns the bytes of the MIDI file that `MusicSequenceFileCreate` would write.
///
/// The caller releases them.
///
/// - Returns: 0; `kAudio_ParamError`; `kAudioToolboxErr_InvalidSequenceType` for a sequence in
///   samples.
/// - Note: Any thread.
@discardableResult
public func MusicSequenceFileCreateData(
  _ inSequence: MusicSequence?, _ inFileType: MusicSequenceFileTypeID,
  _ inFlags: MusicSequenceFileFlags, _ inResolution: Int16,
  _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let sequence = unsafe try object(inSequence, SequenceBox.self)
    let out = unsafe try given(outData)
    guard inFileType == .midiType else { throw .parameter }
    let bytes = try SequenceSaving(sequence, resolution: inResolution).bytes()
    unsafe out.pointee = Unmanaged.passRetained(Data(bytes) as CFData)
  }
}

/// The path of a file URL.
private struct FilePath {
  let path: String

  /// - Throws: `ParamError` if the URL is nil or not a file URL.
  init(_ url: CFURL?) throws(StatusError) {
    guard let path = (url as URL?)?.fileName else { throw .parameter }
    self.path = path
  }
}

extension SequenceBox {
  /// Adds the contents of a file.
  ///
  /// - Throws: the errors of `MusicSequenceFileLoadData`; then nothing has been added.
  fileprivate func load(
    _ bytes: [UInt8], _ type: MusicSequenceFileTypeID, _ flags: MusicSequenceLoadFlags
  ) throws(StatusError) {
    if type == .iMelodyType { throw StatusError(kAudio_UnimplementedError) }
    guard type == .anyType || type == .midiType else { throw .parameter }
    let tempoEvents = try tempoTrack.content().events
    let isEmpty = tracks.isEmpty && tempoEvents.isEmpty
    let splits = flags.contains(.smf_ChannelsToTracks)
    guard isEmpty || !splits else { throw .parameter }
    let loading = try SequenceLoading(bytes, channelsToTracks: splits)
    let seconds = loading.isInSeconds && self.type != .seconds
    if seconds, isEmpty { setType(.seconds) }
    let stretch: Double = seconds && !isEmpty ? 2 : 1
    try tempoTrack.edit { (content) throws(StatusError) in
      let tempi = loading.tempoEvents.filter { !loading.isInSeconds || $0.tempo == nil }
      content.events.insert(contentsOf: tempi.map { $0.moved(to: $0.time * stretch) })
      content.resolution = loading.resolution
    }
    for loaded in loading.tracks {
      let pointer = unsafe try addTrack()
      let track = unsafe try object(pointer, TrackBox.self)
      try track.edit { (content) throws(StatusError) in
        content.events.replaceAll(loaded.events.all.map { $0.stretched(by: stretch) })
        content.explicitLength = loaded.explicitLength.map { $0 * stretch }
      }
    }
  }
}

extension BeatEvent {
  /// The event with its time, and the duration of a note, multiplied by a factor.
  fileprivate func stretched(by factor: Double) -> BeatEvent {
    guard factor != 1 else { return self }
    guard type == kMusicEventType_MIDINoteMessage else { return moved(to: time * factor) }
    var note = value(as: MIDINoteMessage.self)
    note.duration *= Float(factor)
    var stretched = BeatEvent(time * factor, type, note)
    stretched.eventsBeforeRelease = eventsBeforeRelease
    return stretched
  }
}

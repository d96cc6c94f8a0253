// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Downbeat
public import Foundation
internal import WholeFiles

/// Adds what a MIDI file holds: its tracks after the others, its tempo events to the tempo track.
///
/// A file that cannot be read changes nothing.
///
/// - Returns: `noErr`; `ParamError`, for what is no MIDI file, and for channels to tracks where there
///   are tracks already, too; `FileNotFoundError` (−43); `FilePermissionError` (−54) where the file
///   cannot be read; `UnimplementedError` (−4) for iMelody.
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

/// Adds what the bytes of a MIDI file hold, as `MusicSequenceFileLoad` does.
///
/// - Returns: `noErr`; `ParamError`; `UnimplementedError` (−4) for iMelody.
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

/// Writes a sequence as a MIDI file of format 1, tempo track first; it appears whole, or not at all.
///
/// Events that are no MIDI are left out.
///
/// - Returns: `noErr`; `ParamError`, for another type than MIDI and a resolution that there is not, too;
///   `FilePermissionError` (−54) where there is a file already and `eraseFile` is not given, and where it
///   cannot be written; `InvalidSequenceType` for a sequence of samples.
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

/// The bytes of a MIDI file, as `MusicSequenceFileCreate` writes them; the caller releases them.
///
/// - Returns: `noErr`; `ParamError`; `InvalidSequenceType` for a sequence of samples.
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

/// The path of a file's URL.
private struct FilePath {
  let path: String

  /// - Throws: `ParamError` for what is no file.
  init(_ url: CFURL?) throws(StatusError) {
    guard let path = (url as URL?)?.fileName else { throw .parameter }
    self.path = path
  }
}

extension SequenceBox {
  /// Adds what a file holds.
  ///
  /// - Throws: as `MusicSequenceFileLoadData`; then nothing was added.
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
  /// The event with its time, and the duration of a note, in beats of another length.
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

// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Creates a player at beat 0 with a rate of 1, without a sequence.
///
/// - Returns: 0; `kAudio_ParamError` if the pointer is nil; `kAudio_MemFullError` if a million
///   objects exist.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>?) -> OSStatus {
  status { () throws(StatusError) in
    let out = unsafe try given(outPlayer)
    guard let handle = HandleTable.shared.add(PlayerBox()) else {
      throw StatusError(kAudio_MemFullError)
    }
    unsafe out.pointee = handle.pointer
  }
}

/// Stops and frees a player; its sequence stays valid.
///
/// - Returns: 0; `kAudio_ParamError` if the player is invalid.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func DisposeMusicPlayer(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    guard let handle = unsafe Handle(inPlayer), HandleTable.shared.remove(handle) else {
      throw .parameter
    }
    player.dispose()
  }
}

/// Sets the sequence of a player, or removes it with nil.
///
/// The destinations of the tracks do not change.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxErr_InvalidPlayerState` while the player is playing;
///   `kAudioToolboxErr_CannotDoInCurrentContext` if the sequence belongs to another player.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerSetSequence(
  _ inPlayer: MusicPlayer?, _ inSequence: MusicSequence?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let sequence = unsafe inSequence == nil ? nil : try object(inSequence, SequenceBox.self)
    try player.setSequence(sequence)
  }
}

/// Returns the sequence of a player.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid; `kAudioToolboxErr_NoSequence`, with
///   a result of nil, if the player does not have a sequence.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerGetSequence(
  _ inPlayer: MusicPlayer?, _ outSequence: UnsafeMutablePointer<MusicSequence?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let out = unsafe try given(outSequence)
    unsafe out.pointee = player.sequence?.pointer
    if unsafe out.pointee == nil { throw StatusError(kAudioToolboxErr_NoSequence) }
  }
}

/// Moves a player to a beat, also while it is playing; the beat may be before 0 or after the end.
///
/// The user callback is called for all earlier user events. A player without a sequence does not
/// move.
///
/// - Returns: 0; `kAudio_ParamError` if the player is invalid or the beat is not in −10⁹…10⁹.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerSetTime(_ inPlayer: MusicPlayer?, _ inTime: MusicTimeStamp) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    guard abs(inTime) <= BeatEvent.lastTime else { throw .parameter }
    player.setBeat(inTime)
  }
}

/// Returns the current beat of a player; it increases beyond the end of the sequence and of loops.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerGetTime(
  _ inPlayer: MusicPlayer?, _ outTime: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    unsafe try given(outTime).pointee = player.beat
  }
}

/// Returns the host time at which a beat is or was played, rounded to the nearest nanosecond.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxErr_InvalidPlayerState`, with a result of 0, if the player is not playing or the
///   beat is before its start.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerGetHostTimeForBeats(
  _ inPlayer: MusicPlayer?, _ inBeats: MusicTimeStamp, _ outHostTime: UnsafeMutablePointer<UInt64>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let out = unsafe try given(outHostTime)
    unsafe out.pointee = 0
    guard let time = try player.anchor().hostTime(of: inBeats) else {
      throw StatusError(kAudioToolboxErr_InvalidPlayerState)
    }
    unsafe out.pointee = time
  }
}

/// Returns the beat that is or was played at a host time.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid;
///   `kAudioToolboxErr_InvalidPlayerState`, with a result of 0, if the player is not playing or the
///   time is before its start.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerGetBeatsForHostTime(
  _ inPlayer: MusicPlayer?, _ inHostTime: UInt64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    let out = unsafe try given(outBeats)
    unsafe out.pointee = 0
    let anchor = try player.anchor()
    guard inHostTime >= anchor.hostTime else {
      throw StatusError(kAudioToolboxErr_InvalidPlayerState)
    }
    unsafe out.pointee = anchor.beat(at: inHostTime)
  }
}

/// Prepares a player, so that it starts faster; a playing player does not change.
///
/// - Returns: 0; `kAudio_ParamError` if the player is invalid or an event is too late;
///   `kAudioToolboxErr_NoSequence`; `kAudio_MemFullError` if a thread cannot be started.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerPreroll(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inPlayer, PlayerBox.self).preroll() }
}

/// Starts a player at its beat; a playing player continues.
///
/// The first event is due 10 ms later.
///
/// - Returns: 0; `kAudio_ParamError` if the player is invalid or an event is too late;
///   `kAudioToolboxErr_NoSequence`; `kAudio_MemFullError` if a thread cannot be started.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerStart(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inPlayer, PlayerBox.self).start() }
}

/// Stops a player at its current beat and releases sounding notes.
///
/// - Returns: 0; `kAudio_ParamError` if the player is invalid; `kAudioToolboxErr_NoSequence`.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerStop(_ inPlayer: MusicPlayer?) -> OSStatus {
  status { () throws(StatusError) in try unsafe object(inPlayer, PlayerBox.self).stop() }
}

/// Checks if a player is playing: from its start to its stop, also after the end of the
/// sequence.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerIsPlaying(
  _ inPlayer: MusicPlayer?, _ outIsPlaying: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    unsafe try given(outIsPlaying).pointee = DarwinBoolean(player.isPlaying)
  }
}

/// Sets the speed of a player: 2 is twice as fast as written.
///
/// The rate is rounded to a millionth.
///
/// - Returns: 0; `kAudio_ParamError` if the player is invalid or the rate is not in 10⁻⁶…32.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerSetPlayRateScalar(
  _ inPlayer: MusicPlayer?, _ inScaleRate: Float64
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    guard inScaleRate >= 1e-6, inScaleRate <= 32 else { throw .parameter }
    player.rate = inScaleRate
  }
}

/// Returns the speed of a player: 2 is twice as fast as written; 1 by default.
///
/// - Returns: 0; `kAudio_ParamError` if an argument is invalid.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MusicPlayerGetPlayRateScalar(
  _ inPlayer: MusicPlayer?, _ outScaleRate: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  status { () throws(StatusError) in
    let player = unsafe try object(inPlayer, PlayerBox.self)
    unsafe try given(outScaleRate).pointee = player.rate
  }
}
